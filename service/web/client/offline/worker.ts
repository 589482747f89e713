/**
 * The service worker of the page. It shows notifications, and it answers only requests that the network does not answer, so
 * that the page is always that of the present release while there is a network. It sets no time
 * limit: a slow network would then show a former release, whose other requests are as slow.
 */

import { notify, openTable } from "./notifications.ts";
import { answered, isPublic } from "./public.ts";
import { dropOthers, isOfRelease, page, storedFile, storeRelease } from "./release.ts";

declare const self: ServiceWorkerGlobalScope;

self.addEventListener("install", (event) => {
  event.waitUntil(storeRelease().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  // While the worker starts, the browser asks for the page already.
  const ready = [dropOthers(), self.clients.claim(), self.registration.navigationPreload?.enable()];
  event.waitUntil(Promise.all(ready));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(navigated(event, page(url)));
  else if (isOfRelease(url)) event.respondWith(or(fetch(request), () => storedFile(url)));
  else if (isPublic(request, url)) event.respondWith(answered(event, url));
});

self.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(notify(event.data));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openTable(event.notification));
});

/**
 * The service's answer, or without a network the stored page, if the address has one. The browser has
 * asked for every page already, so none may be asked for again.
 */
async function navigated(event: FetchEvent, offline: string | null): Promise<Response> {
  const asked = async () => (await event.preloadResponse) ?? fetch(event.request);
  return or(asked(), async () =>
    offline === null ? undefined : storedFile(new URL(offline, location.origin)),
  );
}

/** The answer of the network, or what is stored if there is none. */
async function or(
  asked: Promise<Response>,
  stored: () => Promise<Response | undefined>,
): Promise<Response> {
  return asked.catch(async () => (await stored()) ?? Response.error());
}
