/**
 * The player of this browser: a key that is created when it is first needed, and stored only here.
 */

import { signal } from "@preact/signals";
import { forget, keep, kept, namesOf } from "./storage.ts";

export interface Identity {
  readonly id: string;
  readonly name: string;
  /** The key. Whoever has it can act as the player, so it is in no query and no log. */
  readonly key: string;
}

export const identity = signal<Identity | null>(stored());

/** Whether the service rejects the key: it was revoked from another device. */
export const keyLost = signal(false);

/** Values that this browser stores only for its player. */
const OWN = ["identity", "receipts", "seen", "opponents", "first_games"];

export function become(player: Identity): void {
  keyLost.value = false;
  identity.value = player;
  keep("identity", player);
}

/**
 * Forgets the player, with the keys that signed moves. Without another device or a copy of the key,
 * the account is lost.
 */
export function signOut(): void {
  for (const name of [...OWN, ...namesOf("entropy:")]) forget(name);
  void globalThis.caches?.delete("public"); // the games that were opened in this browser
  globalThis.indexedDB?.deleteDatabase("lonja:signing_keys"); // signing/store.ts
  keyLost.value = false;
  identity.value = null;
}

// Notices when another tab of this browser signs in or out.
addEventListener("storage", (event) => {
  if (event.key === "lonja:identity") identity.value = stored();
});

/** The player that is stored; null if another program has damaged what was. */
function stored(): Identity | null {
  const { id, name, key } = kept<Partial<Identity>>("identity") ?? {};
  return id && key && name !== undefined ? { id, name, key } : null;
}
