/** Starts the service worker (offline/worker.ts), when the page has loaded what it needs itself. */

navigator.serviceWorker?.register("/worker.js").catch(() => {}); // some browsers allow none
