/** Opens tables; a table against bots starts at once. */

import { once, type Schemas, told } from "../api/client.ts";
import { codeOf } from "../api/problem.ts";
import { go } from "../browser/router.ts";
import { api } from "../browser/service.ts";
import { bringing, reveal } from "./entropy.ts";
import { somebody } from "./signing.ts";
import { signing } from "./signing_key.ts";

type Request = Schemas["GameRequest"];
type Seat = Schemas["SeatRequest"];

/** The bot of a first game. */
export const FIRST_BOT = "greedy";

/**
 * Open a table, with entropy of this browser, and go there. `before` gets the id of the game before
 * its table is shown.
 */
export async function open(
  request: Request,
  name: string,
  before?: (game: string) => void,
): Promise<void> {
  await somebody(name);
  const ask = (body: Request) => told(api.POST("/v1/games", { body, params: { header: once() } }));
  const key = await signing(request.signatures);
  const own = (seat: Seat) => (seat.holder === "me" ? { ...seat, ...key } : seat);
  const signed = { ...request, seats: request.seats.map(own) };
  const seats = await Promise.all(
    signed.seats.map(async (seat, index) =>
      seat.holder === "me" ? { ...seat, ...(await bringing(null, index)) } : seat,
    ),
  );
  const game = await ask({ entropy_mode: "lenient", ...signed, seats }).catch((error) => {
    if (request.entropy_mode || codeOf(error) !== "upgrade_unfinished") throw error;
    return ask(signed); // an older release, which lacks this mode, still uses the same store
  });
  await reveal(game);
  before?.(game.id);
  go(`/games/${game.id}`);
}

/** Seats for the player and for bots, which are `wanted` if they play this game. */
export function seatsFor(
  { bots }: Schemas["Ruleset"],
  count: number,
  wanted: string = FIRST_BOT,
): Seat[] {
  const named = (sought: string) => bots.find(({ name }) => name === sought)?.name;
  const bot = named(wanted) ?? named(FIRST_BOT) ?? bots[0]?.name;
  return Array.from({ length: count }, (_, index): Seat => {
    if (index === 0) return { holder: "me" };
    return bot === undefined ? { holder: "open" } : { holder: "bot", bot };
  });
}
