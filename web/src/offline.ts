// Once everything is there, a worker keeps the site for when there is no network. It is not missed where it is refused.
export function keepOffline(): void {
  if (import.meta.env.PROD && "serviceWorker" in navigator)
    void navigator.serviceWorker.register("./offline.js").catch(() => {});
}
