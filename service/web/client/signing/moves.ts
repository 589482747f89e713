/** Signing the moves of a seat at a table: what a page loads to sign. */

import type { Schemas } from "../api/client.ts";
import type { Game } from "../play/table.ts";
import type { Language } from "../words/languages.ts";
import { SigningKey } from "./key.ts";
import { CannotSign } from "./refusals.ts";

export { SigningKey };

/**
 * The key with which a seat signs, if it is `own`, or one that this browser keeps for the page's
 * origin; otherwise null.
 */
export async function keyOf(
  game: Game,
  seat: number,
  own: SigningKey | null = null,
): Promise<SigningKey | null> {
  const bound = game.seats[seat]?.signing_key;
  if (own?.public === bound) return own;
  return bound === undefined ? null : await SigningKey.find(bound);
}

/** Returns the request of a move with its signature. Throws `CannotSign` if the key is elsewhere. */
export async function signed(
  asked: Schemas["MoveRequest"],
  game: Game,
  decisions: Schemas["GameState"]["decisions"],
  language: Language,
  own: SigningKey | null = null,
): Promise<Schemas["MoveRequest"]> {
  const { seat, move, expected_head: head } = asked;
  const decision = decisions.find((one) => one.seat === seat)?.id;
  if (move === undefined || head === undefined || decision === undefined) return asked;
  const key = await keyOf(game, seat, own);
  if (key === null) throw new CannotSign("elsewhere", language);
  const signature = await key.move({ game_id: game.id, seat, decision, head, move });
  return { ...asked, signature };
}
