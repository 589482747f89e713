/** Starts the service worker (offline/worker.ts), when the page has loaded what it needs itself. */

import { forgetWithPlayer, sayWhere } from "./notifications.ts";

navigator.serviceWorker?.register("/worker.js").catch(() => {}); // some browsers allow none
sayWhere();
forgetWithPlayer();
