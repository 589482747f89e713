/** The room that is shown; it follows from the address (History API). */

import { signal } from "@preact/signals";
import { takeKey } from "./device.ts";
import { takeInvitation } from "./invitation.ts";

export const path = signal("");

const ROOMS =
  /^\/(|lobby|you|settings|rules(\/[^/]+)?|games(\/[^/]+)?|players\/[^/]+|tournaments(\/[^/]+)?)$/;

/** Goes to an address: of another room of this page, or of another page. */
export function go(to: string): void {
  const url = new URL(to, location.href);
  if (url.origin !== location.origin || !ROOMS.test(url.pathname)) {
    location.assign(url);
    return;
  }
  history.pushState(null, "", url);
  arrive();
  for (const page of [document.documentElement, document.body]) page.scrollTop = 0;
}

/**
 * Open the room that the address names, with what its fragment brings. The service answers a room's address with a slash at its
 * end, too: the slash is removed.
 */
function arrive(): void {
  const { pathname, search, hash } = location;
  const room = pathname.replace(/(?<=.)\/+$/, "");
  if (room !== pathname) history.replaceState(history.state, "", room + search + hash);
  takeInvitation();
  takeKey();
  path.value = room;
}

arrive();

addEventListener("popstate", arrive); // a link to another fragment of the same room, too

// After a plain click on a link to a room, show the room without loading a page.
addEventListener("click", (event) => {
  const link = (event.target as Element).closest?.<HTMLAnchorElement>("a[href]");
  const modified =
    event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0;
  if (!link || modified || event.defaultPrevented || link.target || link.hasAttribute("download"))
    return;
  const url = new URL(link.href);
  const within = url.pathname === location.pathname && url.hash !== "";
  if (url.origin !== location.origin || !ROOMS.test(url.pathname) || within) return;
  event.preventDefault();
  go(link.href);
});
