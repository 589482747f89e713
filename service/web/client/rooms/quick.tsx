/** Opens tables; a table against bots starts at once. */

import { useState } from "preact/hooks";
import { once, type Schemas, told } from "../api/client.ts";
import { codeOf } from "../api/problem.ts";
import { go } from "../browser/router.ts";
import { api, rulesets } from "../browser/service.ts";
import { keep, kept } from "../browser/storage.ts";
import { bringing, reveal } from "../identity/entropy.ts";
import { guestName, somebody } from "../identity/signing.ts";
import { Failed } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";

type Request = Schemas["GameRequest"];
type Seat = Schemas["SeatRequest"];

const FIRST_BOT = "greedy";

/** Against whom one last played: a bot on each of the other seats. */
export interface QuickChoice {
  readonly seats: number;
  readonly bot: string;
}

const CHOICES = "opponents";

/** The last choice for a game; otherwise one for a first game. */
export function lastChoice(game: string): QuickChoice {
  const known = kept<Record<string, QuickChoice>>(CHOICES)?.[game];
  return { seats: known?.seats ?? 2, bot: known?.bot ?? FIRST_BOT };
}

export function remember(game: string, choice: QuickChoice): void {
  keep(CHOICES, { ...kept<Record<string, QuickChoice>>(CHOICES), [game]: choice });
}

/** Open a table, with entropy of this browser, and go there. */
export async function open(request: Request, name: string): Promise<void> {
  await somebody(name);
  const ask = (body: Request) => told(api.POST("/v1/games", { body, params: { header: once() } }));
  const seats = await Promise.all(
    request.seats.map(async (seat, index) =>
      seat.holder === "me" ? { ...seat, ...(await bringing(null, index)) } : seat,
    ),
  );
  const game = await ask({ ...request, seats, entropy_mode: "lenient" }).catch((error) => {
    if (codeOf(error) !== "upgrade_unfinished") throw error;
    return ask(request); // an older release, which lacks this mode, still uses the same store
  });
  await reveal(game);
  go(`/games/${game.id}`);
}

/** A button that opens a table against the bots of the last choice, and goes there. */
export function OpenTable({ game, quick: _ }: { game: string; quick: true }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const begin = async () => {
    setBusy(true);
    try {
      const { summary } = await rulesets.read(game);
      const { seats: count, bot } = lastChoice(game);
      const least = Math.max(2, summary.min_seats);
      const seats = seatsFor(summary, Math.min(Math.max(count, least), summary.max_seats), bot);
      await open(
        {
          ruleset: game,
          options: {},
          seats,
          take_back: true,
          table: { visibility: "unlisted", seating: "fixed", rated: false },
        },
        guestName(),
      );
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" class="main" disabled={busy} onClick={begin}>
        {phrases.value.playNow}
      </button>
      {error !== null && <Failed error={error} />}
    </>
  );
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
