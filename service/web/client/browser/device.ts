/**
 * The key in a link from the page of another device. It is in the fragment, which no server sees.
 */

import { signal } from "@preact/signals";
import { decoded } from "./decoded.ts";

const MARK = "key=";

/** The key from such a link; if the visitor confirms it, the browser becomes the key's player. */
export const broughtKey = signal<string | null>(null);

/** Removes the key from the address, so that no history contains it. */
export function takeKey(): void {
  const fragment = location.hash.slice(1);
  if (!fragment.startsWith(MARK)) return;
  broughtKey.value = decoded(fragment.slice(MARK.length));
  history.replaceState(null, "", location.pathname);
}

/** The link that signs another device in. */
export function deviceLink(key: string): string {
  return `${location.origin}/you#${MARK}${encodeURIComponent(key)}`;
}
