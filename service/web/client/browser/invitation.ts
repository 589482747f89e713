/** The invitation in a link's fragment, which no server sees. */

import { signal } from "@preact/signals";
import { decoded } from "./decoded.ts";

const MARK = "invitation=";

export const invitation = signal<string | null>(null);

/** Remove the token from the address, so that it stays in no history. */
export function takeInvitation(): void {
  const parts = location.hash.slice(1).split("&");
  const found = parts.find((part) => part.startsWith(MARK));
  if (found === undefined) return;
  invitation.value = decoded(found.slice(MARK.length));
  const rest = parts.filter((part) => part !== found).join("&");
  history.replaceState(null, "", `${location.pathname}${rest ? `#${rest}` : ""}`);
}

/** The link that invites to a game. */
export function invitationLink(game: string, token: string): string {
  return `${location.origin}/games/${game}#${MARK}${encodeURIComponent(token)}`;
}
