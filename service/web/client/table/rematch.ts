/** Rematches, with entropy if the previous game had entropy. */

import { once, told } from "../api/client.ts";
import { codeOf, type Refusal } from "../api/problem.ts";
import { identity } from "../browser/identity.ts";
import { api } from "../browser/service.ts";
import { bringing, reveal } from "../identity/entropy.ts";
import { signing } from "../identity/signing_key.ts";
import type { Game } from "../play/table.ts";

/**
 * Requests the rematch of a game. The commitment is for the rematch that is open already, or for
 * the one that this request opens.
 */
export async function rematch(game: Game): Promise<Game> {
  const own = game.seats.find(({ player }) => player === identity.peek()?.id)?.seat ?? 0;
  const seat = game.table.seating === "random" ? null : (own + 1) % game.seats.length;
  const key = await signing(game.signatures);
  const ask = async (open: string | null) => {
    const brings = game.entropy_mode === "reveal" ? {} : await bringing(open, seat);
    return await told(
      api.POST("/v1/games/{game_id}/rematch", {
        params: { path: { game_id: game.id }, header: once() },
        body: "entropy_commitment" in brings ? { ...brings, ...key, rematch: open } : key,
      }),
    );
  };
  const next = await ask(game.table.rematch).catch((error) => {
    if (codeOf(error) !== "other_rematch") throw error;
    // Another player was first to open the rematch.
    return ask((error as Refusal).problem.rematch as string | null);
  });
  await reveal(next);
  return next;
}
