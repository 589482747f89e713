/** Which tables have hints, and which of a hint's moves came out better than the bot's own. */

import type { Schemas } from "../api/client.ts";

export type HintMove = NonNullable<Schemas["Hint"]["result"]>["moves"][number];

/** The number of standard errors from which on a difference is more than chance. */
const SURE = 2;

/**
 * Whether a player of these seats may have hints: where the table has them, and where the player is
 * alone with bots, but not for ratings.
 */
export function hasHints(
  game: Pick<Schemas["Game"], "seats" | "table" | "tournament" | "hints">,
  own: readonly number[],
): boolean {
  const alone = game.seats.every(({ seat, holder }) => holder === "bot" || own.includes(seat));
  if (own.length === 0 || game.table.rated || game.tournament !== null) return false;
  return alone || game.hints;
}

/** Whether a move costs points, brings some, or shows no difference: 1, -1 or 0. */
export function differs({ cost: { mean, error } }: Pick<HintMove, "cost">): number {
  return mean !== 0 && Math.abs(mean) >= SURE * error ? Math.sign(mean) : 0;
}
