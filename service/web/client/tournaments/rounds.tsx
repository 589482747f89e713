/** Rounds and the bracket: pairings, results, and links to the replays of games. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Failed, useAsked, Wait } from "../parts/parts.tsx";
import { fixed } from "../phrases/numbers.ts";
import type { Cup } from "./cup.ts";
import type { GameRow, Report, Round, Table } from "./shapes.ts";
import { isOver } from "./shapes.ts";
import { cupWords } from "./words.ts";

const PAGE = 20;

/** The newest rounds come first; for a knock-out, all rounds are shown, and a bracket. */
export function Rounds({ cup, report }: { cup: Cup; report: Report }) {
  const words = cupWords.value;
  const [pages, setPages] = useState(1);
  const bracket = report.plan.format.type === "knockout";
  const after = bracket ? 0 : Math.max(0, report.rounds - pages * PAGE);
  const [rounds, setRounds] = useState<readonly Round[]>([]);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    let current = true;
    cup.rounds(after, Math.max(1, report.rounds - after)).then(
      (found) => current && setRounds(found),
      (problem) => current && setError(problem),
    );
    return () => {
      current = false;
    };
  }, [cup, after, report.rounds, report.version]);
  // In some formats, many rounds are paired before they are played.
  const reached = rounds.findLastIndex((round) => playedIn(round) > 0);
  const begun = rounds.slice(0, Math.max(1, reached + 1));
  const ahead = rounds.slice(begun.length);
  return (
    <>
      {bracket && rounds.length > 0 && <Bracket rounds={rounds} report={report} />}
      <section aria-labelledby="rounds">
        <h2 id="rounds">{words.rounds}</h2>
        {error !== null && <Failed error={error} />}
        {report.rounds === 0 && <p class="quiet">{words.noRounds}</p>}
        {ahead.length > 0 && (
          <details class="round">
            <summary>{words.ahead(ahead.length)}</summary>
            {ahead.map((round) => (
              <RoundPanel key={round.round} cup={cup} round={round} open={false} />
            ))}
          </details>
        )}
        {begun.toReversed().map((round, index) => (
          <RoundPanel key={round.round} cup={cup} round={round} open={index === 0} />
        ))}
        {after > 0 && (
          <button type="button" onClick={() => setPages(pages + 1)}>
            {words.earlier}
          </button>
        )}
      </section>
    </>
  );
}

function playedIn({ tables }: Round): number {
  return tables.reduce((sum, { games }) => sum + games.played, 0);
}

function RoundPanel({ cup, round, open }: { cup: Cup; round: Round; open: boolean }) {
  const words = cupWords.value;
  const [shown, setShown] = useState(open);
  const played = playedIn(round);
  const planned = round.tables.reduce((sum, { games }) => sum + games.planned, 0);
  return (
    <details
      class="round"
      open={shown}
      data-round={round.round}
      onToggle={(event) => setShown(event.currentTarget.open)}
    >
      <summary>
        <strong>{words.round(round.round)}</strong>{" "}
        <span class="quiet">{planned > 0 ? words.gamesOf(played, planned) : words.void}</span>
      </summary>
      {shown && (
        <ul class="pairings">
          {round.tables.map((table) => (
            <li key={table.first_block}>
              <Pairing table={table} />
              {table.games.planned > 0 ? (
                <Games cup={cup} table={table} />
              ) : (
                <small class="quiet">{words.void}</small>
              )}
            </li>
          ))}
          {round.byes.length > 0 && (
            <li>
              <span class="quiet">{words.bye}:</span> {round.byes.join(", ")}
            </li>
          )}
        </ul>
      )}
    </details>
  );
}

/** The entries of a table with their points; once there are points, the best comes first. */
function Pairing({ table, note }: { table: Table; note?: (entry: string) => ComponentChildren }) {
  const entries = [...table.entries].sort((one, other) => other.points - one.points);
  return (
    <ol class="pairing">
      {entries.map(({ entry, points }) => (
        <li key={entry}>
          <span>
            {entry} {note?.(entry)}
          </span>
          <span class="score">
            {table.games.played > 0 ? fixed(points, points % 1 ? 2 : 0) : "–"}
          </span>
        </li>
      ))}
    </ol>
  );
}

/**
 * The games of a table. They are read when somebody unfolds them, and again when another game has
 * been played.
 */
function Games({ cup, table }: { cup: Cup; table: Table }) {
  const words = cupWords.value;
  const [shown, setShown] = useState(false);
  return (
    <details class="games-of" onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>
        {words.showGames}{" "}
        <span class="quiet">{words.gamesOf(table.games.played, table.games.planned)}</span>
      </summary>
      {shown && <GameList key={table.games.played} cup={cup} table={table} />}
    </details>
  );
}

function GameList({
  cup,
  table: { first_block: first, last_block: last },
}: {
  cup: Cup;
  table: Table;
}) {
  const [asked, again] = useAsked(() => cup.games(first, last), [cup, first, last]);
  return (
    <Wait for={asked} again={again}>
      {(games) => (
        <ul class="game-list">
          {games.map((game) => (
            <li key={game.id}>
              <GameLine game={game} />
            </li>
          ))}
        </ul>
      )}
    </Wait>
  );
}

/** A line for a game: a link to its replay, ranks, and failures. */
function GameLine({ game }: { game: GameRow }) {
  const words = cupWords.value;
  const { result } = game;
  if (result === null)
    return (
      <>
        {words.gameOf(game.block, game.rotation)}: {game.seating.join(", ")}{" "}
        <small class="quiet">({words.notYet})</small>
      </>
    );
  return (
    <>
      <a href={`/games/${game.id}`}>{words.gameOf(game.block, game.rotation)}</a>{" "}
      {rankedOf(game).join(", ")}
      {!game.counts && <small class="quiet"> ({words.void})</small>}
      {result.failures.map(([seat, decision, why]) => (
        <small key={`${seat} ${decision}`} class="failure">
          {game.seating[seat]}: {why}
        </small>
      ))}
    </>
  );
}

/** The ranks with the scores; the first place comes first. */
export function rankedOf({ seating, result }: GameRow): string[] {
  if (result === null) return [...seating];
  return seating
    .map((name, seat) => ({ name, rank: result.ranks[seat] ?? 0, score: result.scores[seat] ?? 0 }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ name, rank, score }) => `${cupWords.value.rank(rank)} ${name} (${score})`);
}

/** The bracket of a knock-out: its rounds side by side, and who advances from each table. */
function Bracket({ rounds, report }: { rounds: readonly Round[]; report: Report }) {
  const words = cupWords.value;
  const won = report.status === "ended" ? report.leaders : [];
  return (
    <section aria-labelledby="bracket">
      <h2 id="bracket">{words.bracket}</h2>
      <div class="wide" tabIndex={0} role="region" aria-labelledby="bracket">
        <ol class="bracket">
          {rounds.map((round, index) => {
            const next = rounds[index + 1];
            const on = new Set(
              next
                ? [...next.byes, ...next.tables.flatMap(({ entries }) => entries)].map((one) =>
                    typeof one === "string" ? one : one.entry,
                  )
                : won,
            );
            const note = (entry: string) =>
              on.has(entry) && (
                <small class="goes-on">
                  ▸ {next || !isOver(report) ? words.goesOn : words.wonIt}
                </small>
              );
            return (
              <li key={round.round}>
                <h3>{words.round(round.round)}</h3>
                {round.tables.map((table, nth) => (
                  <div key={table.first_block} class="match">
                    <span class="sr">{words.table(nth + 1)}</span>
                    <Pairing table={table} note={note} />
                  </div>
                ))}
                {round.byes.map((entry) => (
                  <div key={entry} class="match quiet">
                    {entry} <small>({words.bye.toLowerCase()})</small>
                  </div>
                ))}
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );
}
