/** The key with which this browser's player signs moves, at tables where players do. */

import { identity } from "../browser/identity.ts";
import { language } from "../browser/language.ts";
import { loading } from "../browser/release.ts";
import type { Game } from "../play/table.ts";
import type { SigningKey } from "../signing/key.ts";

/** The key that this browser keeps for its player; a new one if there is none. */
export async function ownSigningKey(): Promise<SigningKey> {
  const { SigningKey } = await loading(() => import("../signing/moves.ts"));
  return await SigningKey.kept(identity.peek()?.id ?? "", language.peek());
}

/** The field of a request that takes a seat, if players sign at the table. */
export async function signing(signatures: Game["signatures"] | undefined) {
  return signatures ? { signing_key: (await ownSigningKey()).public } : {};
}
