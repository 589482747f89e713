/** Who is better than whom on a ladder that never ends, how sure that is, and its other parts. */

import { Grid } from "../charts/frame.tsx";
import { fixed, whole } from "../phrases/numbers.ts";
import { ladderWords } from "./ladder_words.ts";
import type { Report } from "./shapes.ts";

type Ladder = NonNullable<Report["ladder"]>;

/** The number of entries up to which the table of probabilities has a row and a column for each. */
const WIDEST = 12;
/** Residuals of more standard deviations than this are shown. */
const ODD = 3;

export function LadderPanel({ report, ladder }: { report: Report; ladder: Ladder }) {
  const words = ladderWords.value;
  const { part } = report;
  const provisional = ladder.entries.filter((one) => one.provisional && one.games > 0);
  return (
    <section aria-labelledby="ladder">
      <h2 id="ladder">{words.ladder}</h2>
      {part && (
        <p>
          {words.part(part.number)}
          {part.before !== null && (
            <>
              {" "}
              <a href={`/tournaments/${part.before}`}>{words.before}</a>
            </>
          )}
          {part.next !== null && (
            <>
              {" "}
              <a href={`/tournaments/${part.next}`}>{words.next}</a>
            </>
          )}
        </p>
      )}
      <Sets sets={ladder.sets} />
      {provisional.length > 0 && (
        <p class="quiet">
          {words.provisional(
            whole(ladder.provisional_below),
            provisional.map(({ entry }) => entry).join(", "),
          )}
        </p>
      )}
      <Better report={report} ladder={ladder} />
      <Residuals ladder={ladder} />
    </section>
  );
}

/** The sets of entries that cannot be told apart, those of one entry left out. */
function Sets({ sets }: { sets: Ladder["sets"] }) {
  const words = ladderWords.value;
  const alike = sets.filter((set) => set.length > 1);
  if (sets.length === 0) return null;
  if (alike.length === 0) return <p>{words.allApart}</p>;
  return (
    <>
      <p>{words.alike}</p>
      <ul>
        {alike.map((set) => (
          <li key={set.join()}>{set.join(", ")}</li>
        ))}
      </ul>
    </>
  );
}

/** The probability that the entry of a row is better than that of a column, in percent. */
function Better({ report, ladder }: { report: Report; ladder: Ladder }) {
  const words = ladderWords.value;
  const number = new Map(report.plan.entries.map(({ name }, index) => [name, index]));
  const rated = report.table.filter(({ elo }) => elo !== null).slice(0, WIDEST);
  if (rated.length < 2) return null;
  const head = [
    words.better,
    ...rated.map(({ entry, place }) => (
      <abbr key={entry} title={entry}>
        {place}.<span class="sr"> {entry}</span>
      </abbr>
    )),
  ];
  const rows = rated.map((row) => [
    `${row.place}. ${row.entry}`,
    ...rated.map(({ entry }) => {
      const chance = ladder.better[number.get(row.entry) ?? 0]?.[number.get(entry) ?? 0] ?? null;
      if (chance === null) return <span class="self">×</span>;
      return (
        <span class="met" data-share={Math.round(10 * chance)}>
          {percent(chance)}
        </span>
      );
    }),
  ]);
  return (
    <>
      <p class="quiet">{words.betterIs}</p>
      <Grid class="cross-grid" label={words.better} head={head} rows={rows} />
    </>
  );
}

/** Nothing is certain, so there is neither 0 % nor 100 %. */
function percent(chance: number): string {
  if (chance > 0.999) return `> ${fixed(99.9, 1)} %`;
  if (chance < 0.001) return `< ${fixed(0.1, 1)} %`;
  return `${fixed(100 * chance, chance > 0.99 || chance < 0.01 ? 1 : 0)} %`;
}

/** How well one rating for each entry fits what happened, in pairs and in whole games. */
function Residuals({ ladder }: { ladder: Ladder }) {
  const words = ladderWords.value;
  const pairs = ladder.pairs.filter(({ z }) => Math.abs(z) > ODD);
  const winners = ladder.entries.filter(({ winning }) => Math.abs(winning?.z ?? 0) > ODD);
  if (ladder.pairs.length === 0) return null;
  return (
    <>
      {pairs.length + winners.length === 0 ? (
        <p class="quiet">{words.fits}</p>
      ) : (
        <ul class="quiet">
          {pairs.map(({ entries: [one = "", other = ""], games, ahead, promised }) => (
            <li key={`${one} ${other}`}>
              {words.pair(one, other, fixed(ahead, 1), whole(games), fixed(promised, 1))}
            </li>
          ))}
          {winners.map(({ entry, winning }) => (
            <li key={entry}>
              {words.winner(
                entry,
                fixed(winning?.wins ?? 0, 1),
                whole(winning?.games ?? 0),
                fixed(winning?.promised ?? 0, 1),
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
