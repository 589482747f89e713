/** The key in a link from another device's page; no server sees a link's fragment. */

import { signal } from "@preact/signals";

const MARK = "key=";

/** The key that a link has brought; whoever confirms it becomes its player. */
export const broughtKey = signal<string | null>(null);

/** Remove the key from the address, so that it stays in no history. */
export function takeKey(): void {
  const fragment = location.hash.slice(1);
  if (!fragment.startsWith(MARK)) return;
  broughtKey.value = decodeURIComponent(fragment.slice(MARK.length));
  history.replaceState(null, "", location.pathname);
}

/** The link that signs another device in. */
export function deviceLink(key: string): string {
  return `${location.origin}/you#${MARK}${encodeURIComponent(key)}`;
}
