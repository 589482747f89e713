/** Notifications: what the service tells a player of whom no page is visible. */

declare const self: ServiceWorkerGlobalScope;

/** How long a window may take to say where it is. */
const PATIENCE_MS = 1000;

/** A message of the service (docs/api/webhooks.md). */
interface Told {
  readonly title: string;
  readonly body: string;
  readonly lang: string;
  readonly game: string;
}

/** The newest notification of a game replaces the others. Who looks at the table needs none. */
export async function notify(data: PushMessageData): Promise<void> {
  const { title, body, lang, game } = data.json() as Told;
  const path = `/games/${encodeURIComponent(game)}`;
  if ((await windowsAt(path)).some(({ visibilityState }) => visibilityState === "visible")) return;
  const icon = "/static/icon-192.png";
  // TypeScript's library lacks `renotify`: the newest is announced, too.
  const options = { body, lang, tag: game, renotify: true, icon, badge: icon, data: path };
  await self.registration.showNotification(title, options);
}

/** Shows the tab with the table of a notification, or opens one. */
export async function openTable({ data: path }: Notification): Promise<void> {
  const [there] = await windowsAt(path);
  await (there ? there.focus() : self.clients.openWindow(path));
}

async function windowsAt(path: string): Promise<WindowClient[]> {
  const all = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const paths = await Promise.all(all.map(pathOf));
  return all.filter((_, number) => paths[number] === path);
}

/**
 * Where a window is now (browser/offline.ts answers). What the browser says is where it began:
 * the page goes from room to room without loading another one.
 */
function pathOf(window: WindowClient): Promise<string> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    window.postMessage("path", [port2]);
    setTimeout(() => resolve(new URL(window.url).pathname), PATIENCE_MS);
  });
}
