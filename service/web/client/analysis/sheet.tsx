/** The score sheet of a finished game: the sides beside each other, and what decided. */

import { Grid } from "../charts/frame.tsx";
import { whole } from "../phrases/numbers.ts";
import { phrases } from "../phrases/phrases.ts";
import type { Game } from "../play/table.ts";
import { scoreWords, signed } from "./score_words.ts";
import { decisive, type Line, sheetOf } from "./scores.ts";

/** The name of each side of a result. */
export type Names = (side: string) => string;

export function ScoreSheet({ game, nameOf }: { game: Game; nameOf: Names }) {
  const words = scoreWords.value;
  const { standings } = game;
  const lines = sheetOf(standings);
  const decided = decisive(lines);
  const totals = standings.map(({ side }) => scoreOf(game, side));
  return (
    <section class="score-sheet" aria-labelledby="score-sheet">
      <h2 id="score-sheet">{words.title}</h2>
      <Decision game={game} nameOf={nameOf} lines={lines} totals={totals} />
      <Grid
        label={words.part}
        head={[
          words.part,
          ...standings.map(({ side, rank }) => (
            <>
              <span class="quiet">{phrases.value.place(rank)}</span> {nameOf(side)}
            </>
          )),
        ]}
        rows={[
          // A single part equals the total.
          ...(lines.length > 1 ? lines : []).map(({ label, values }) => [
            decided.some((one) => one.label === label) ? <mark>{label}</mark> : label,
            ...values.map((value) => best(value, values)),
          ]),
          [
            <strong key="total">{words.total}</strong>,
            ...standings.map(({ side }, nth) => (
              <strong key={side}>{whole(totals[nth] ?? 0)}</strong>
            )),
          ],
        ]}
      />
    </section>
  );
}

function scoreOf({ result }: Game, side: string): number {
  const found = result as { standings?: readonly { side: string; score: number }[] } | null;
  return found?.standings?.find((one) => one.side === side)?.score ?? 0;
}

/** The best value of a line is emphasised, unless all are equal. */
function best(value: number, values: readonly number[]) {
  const isBest = value === Math.max(...values) && value !== Math.min(...values);
  return isBest ? <strong>{whole(value)}</strong> : whole(value);
}

/** By how much the first is ahead of the second, and in which parts; ties are told, too. */
function Decision({
  game: { standings },
  nameOf,
  lines,
  totals,
}: {
  game: Game;
  nameOf: Names;
  lines: readonly Line[];
  totals: readonly number[];
}) {
  const words = scoreWords.value;
  const [first, second] = standings;
  if (!first || !second) return null;
  const [one, other] = [nameOf(first.side), nameOf(second.side)];
  const by = (totals[0] ?? 0) - (totals[1] ?? 0);
  const parts = decisive(lines).map(({ label, more }) => `${label} ${signed(more)}`);
  return (
    <p>
      {by > 0 ? words.wins(one, other, by) : words.tied(one, other)}{" "}
      {first.notes.length > 0 && `${one}: ${first.notes.join("; ")}. `}
      {parts.length > 0 && lines.length > 1 && words.decided(parts.join(", "))}
    </p>
  );
}
