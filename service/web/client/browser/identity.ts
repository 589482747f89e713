/** Who plays in this browser: a player's key, made when it is first needed and kept here alone. */

import { signal } from "@preact/signals";
import { forget, keep, kept, namesOf } from "./storage.ts";

export interface Identity {
  readonly id: string;
  readonly name: string;
  /** Whoever has it is the player: it never stands in a query or a log. */
  readonly key: string;
}

export const identity = signal<Identity | null>(kept<Identity>("identity"));

/** Whether the service knows the key no more: it was revoked from another device. */
export const keyLost = signal(false);

/** What this browser remembers for its player alone. */
const OWN = ["identity", "receipts", "seen"];

export function become(player: Identity): void {
  keyLost.value = false;
  identity.value = player;
  keep("identity", player);
}

/** Forget the player: without another device or a copy of the key, it is lost to everybody. */
export function signOut(): void {
  for (const name of [...OWN, ...namesOf("entropy:")]) forget(name);
  keyLost.value = false;
  identity.value = null;
}

// Another tab of this browser may sign in or out.
addEventListener("storage", (event) => {
  if (event.key === "lonja:identity") identity.value = kept<Identity>("identity");
});
