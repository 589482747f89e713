/** Notifications in this browser: its subscription at the push service of its vendor. */

/** Whether this browser can show notifications; on an iPhone, only the installed app can. */
export const canNotify = () =>
  "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

/** The subscription of this browser; null if it has none. */
export async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** Subscribes with the service's key; an older subscription, which may be another player's, ends. */
export async function subscribe(applicationServerKey: string): Promise<PushSubscription> {
  await unsubscribe();
  await navigator.serviceWorker.register("/worker.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

/**
 * Whoever uses this browser next is then not told of the games of whoever used it. The push service
 * tells the service that this browser is gone.
 */
export async function unsubscribe(): Promise<void> {
  await (await subscription())?.unsubscribe();
}
