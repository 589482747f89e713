/** Who plays in this browser: a player's key, made when it is first needed and kept here alone. */

import { signal } from "@preact/signals";
import { forget, keep, kept } from "../app/storage.ts";

export interface Identity {
  readonly id: string;
  readonly name: string;
  /** Whoever has it is the player: it never stands in a query or a log. */
  readonly key: string;
}

export const identity = signal<Identity | null>(kept<Identity>("identity"));

export function become(player: Identity): void {
  identity.value = player;
  keep("identity", player);
}

/** Forget the key: without another device or a copy of it, this player is lost to everybody. */
export function signOut(): void {
  identity.value = null;
  forget("identity");
}

// Another tab of this browser may sign in or out.
addEventListener("storage", (event) => {
  if (event.key === "lonja:identity") identity.value = kept<Identity>("identity");
});
