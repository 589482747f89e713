/** Opens tables; a table against bots starts at once. */

import { useState } from "preact/hooks";
import { rulesets } from "../browser/service.ts";
import { keep, kept } from "../browser/storage.ts";
import { FIRST_BOT, open, seatsFor } from "../identity/opening.ts";
import { guestName } from "../identity/signing.ts";
import { Failed } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";

/** Against whom one last played: a bot, with its name for people, on each of the other seats. */
export interface QuickChoice {
  readonly seats: number;
  readonly bot: string;
  readonly title: string;
}

const CHOICES = "opponents";
const FIRST_TITLE = "Lola";

/** The last choice for a game; otherwise one for a first game. */
export function lastChoice(game: string): QuickChoice {
  const known = kept<Record<string, Partial<QuickChoice>>>(CHOICES)?.[game];
  const seats = known?.seats ?? 2;
  if (known?.bot === undefined || known.bot === FIRST_BOT) {
    return { seats, bot: FIRST_BOT, title: FIRST_TITLE };
  }
  return { seats, bot: known.bot, title: known.title ?? known.bot };
}

export function remember(game: string, choice: QuickChoice): void {
  keep(CHOICES, { ...kept<Record<string, QuickChoice>>(CHOICES), [game]: choice });
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
