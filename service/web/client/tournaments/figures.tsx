/** The charts of a tournament: ratings over time, distributions of ranks, advantages of seats. */

import { SERIES } from "../charts/frame.tsx";
import { Lines } from "../charts/lines.tsx";
import { Shares } from "../charts/shares.tsx";
import { Whiskers } from "../charts/whiskers.tsx";
import type { Report } from "./shapes.ts";
import { cupWords } from "./words.ts";

/** Number of drawn rows; the table has all. */
const ROWS = 16;

export function Charts({ report }: { report: Report }) {
  const words = cupWords.value;
  if (report.games.played === 0) return null;
  const { table, plan, rating_curve: curve } = report;
  const first = table.slice(0, ROWS);
  const noteOf = (shown: number) =>
    table.length > shown ? { note: words.firstOf(shown, table.length) } : {};
  return (
    <section aria-labelledby="charts">
      <h2 id="charts">{words.charts}</h2>
      <div class="charts">
        <Lines
          caption={words.ratingsOver}
          {...noteOf(SERIES)}
          across={words.afterGames}
          along={curve.games}
          series={table
            .slice(0, SERIES)
            .map(({ entry }) => ({ name: entry, values: curve.elo[entry] ?? [] }))}
        />
        <Whiskers
          caption={words.pointsWithBands}
          {...noteOf(ROWS)}
          head={[words.entry, words.aGame, words.band]}
          rows={first
            .filter(({ games }) => games > 0)
            .map((row) => ({
              name: row.entry,
              value: row.points_per_game,
              band: row.points_band,
            }))}
          fair={plan.points === "wins" ? 1 / plan.seats : 0.5}
          digits={3}
        />
        <Shares
          caption={words.ranks}
          {...noteOf(ROWS)}
          head={words.entry}
          kinds={Array.from({ length: plan.seats }, (_, rank) => words.rank(rank + 1))}
          rows={first.map(({ entry, ranks }) => ({ name: entry, parts: ranks }))}
        />
        <Whiskers
          caption={words.seatsChart}
          note={words.seatsAre}
          head={[words.seats, words.aGame, words.band]}
          rows={report.seats.map(({ seat, advantage, points_per_game, band }) => {
            const fair = points_per_game - (advantage ?? 0);
            return {
              name: words.seat(seat),
              value: advantage ?? 0,
              band: band && [band[0] - fair, band[1] - fair],
            };
          })}
          fair={0}
          digits={3}
        />
      </div>
    </section>
  );
}
