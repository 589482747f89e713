/** Opens tables; a table against bots starts at once. */

import { useState } from "preact/hooks";
import { once, type Schemas, told } from "../api/client.ts";
import { codeOf } from "../api/problem.ts";
import { go } from "../browser/router.ts";
import { api, rulesets } from "../browser/service.ts";
import { bringing, reveal } from "../identity/entropy.ts";
import { guestName, somebody } from "../identity/signing.ts";
import { Failed } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";

type Request = Schemas["GameRequest"];
type Seat = Schemas["SeatRequest"];

const FIRST_BOT = "greedy";

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

/** A button that opens a table against bots, and goes there. */
export function OpenTable({ game, quick: _ }: { game: string; quick: true }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const begin = async () => {
    setBusy(true);
    try {
      const { summary } = await rulesets.read(game);
      const seats = seatsFor(summary, Math.max(2, summary.min_seats));
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

export function seatsFor(summary: Schemas["Ruleset"], count: number): Seat[] {
  const bot = summary.bots.find(({ name }) => name === FIRST_BOT)?.name ?? summary.bots[0]?.name;
  return Array.from({ length: count }, (_, index): Seat => {
    if (index === 0) return { holder: "me" };
    return bot === undefined ? { holder: "open" } : { holder: "bot", bot };
  });
}
