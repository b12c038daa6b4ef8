// Serves the site from what was kept when it was last fetched whole. The page itself is asked for anew wherever there is
// a network, so that nobody sees an old one; its parts are named by their contents and never change.
const files = [/* files */];
const version = "stridescope-/* version */";

addEventListener("install", (event) => event.waitUntil(caches.open(version).then((cache) => cache.addAll(files))));

addEventListener("activate", (event) =>
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith("stridescope-") && name !== version).map((name) => caches.delete(name)))),
  ),
);

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  const kept = caches.open(version).then((cache) => cache.match(request, { ignoreSearch: true }));
  event.respondWith(request.mode === "navigate" ? fetch(request).catch(() => kept) : kept.then((response) => response ?? fetch(request)));
});
