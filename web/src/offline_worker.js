// Serves the site from what was kept when it was last fetched whole. A newer site has another version, and takes over
// once no page of the older one is open.
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
  event.respondWith(caches.open(version).then((cache) => cache.match(request, { ignoreSearch: true })).then((kept) => kept ?? fetch(request)));
});
