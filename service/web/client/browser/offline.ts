/** Starts the service worker (offline/worker.ts), when the page has loaded what it needs itself. */

const { serviceWorker } = navigator; // some browsers allow none
serviceWorker?.register("/worker.js").catch(() => {});

// It asks where this page is (offline/notifications.ts).
serviceWorker?.addEventListener("message", ({ data, ports }) => {
  if (data === "path") ports[0]?.postMessage(location.pathname);
});

export {};
