/** The table of a tournament with its bands, and the cross table. */

import { Grid } from "../charts/frame.tsx";
import { Time } from "../parts/parts.tsx";
import { fixed, spanOf, whole } from "../phrases/numbers.ts";
import { phrases } from "../phrases/phrases.ts";
import type { Report, Row } from "./shapes.ts";
import { isOver } from "./shapes.ts";
import { cupWords } from "./words.ts";

export function Standings({ report }: { report: Report }) {
  const words = cupWords.value;
  const has = {
    byes: report.table.some(({ byes }) => byes > 0),
    bands: report.table.some(({ points_band }) => points_band !== null),
    elo: report.table.some(({ elo_band }) => elo_band !== null),
  };
  const head = [
    words.entry,
    words.place,
    words.games,
    words.points,
    words.aGame,
    ...(has.bands ? [words.band] : []),
    words.wins,
    words.score,
    words.elo,
    ...(has.elo ? [`${words.elo}, ${words.band}`] : []),
    words.failures,
    ...(has.byes ? [words.byes] : []),
    words.cpu,
  ];
  const rows = report.table.map((row) => [
    <Entry key={row.entry} row={row} players={report.players} />,
    phrases.value.place(row.place),
    whole(row.games),
    fixed(row.points, 1),
    row.games > 0 ? <WithBar key="bar" row={row} /> : "–",
    ...(has.bands ? [spanOf(row.points_band, 3) || "–"] : []),
    fixed(row.wins, 1),
    row.games > 0 ? fixed(row.mean_score, 1) : "–",
    row.elo === null ? "–" : whole(Math.round(row.elo)),
    ...(has.elo ? [spanOf(row.elo_band, 0) || "–"] : []),
    row.failures > 0 ? <strong key="failures">{row.failures}</strong> : 0,
    ...(has.byes ? [row.byes] : []),
    fixed(report.measured.cpu_seconds[row.entry] ?? 0, 1),
  ]);
  return (
    <section>
      <h2>{words.standings}</h2>
      <Grid class="standings-grid" label={words.standings} head={head} rows={rows} />
      <AsOf report={report} />
    </section>
  );
}

function Entry({ row, players }: { row: Row; players: Report["players"] }) {
  const settings = Object.entries(row.settings).map(([name, value]) => `${name} ${value}`);
  const { player, owner } = row;
  return (
    <>
      <span class={row.disqualified ? "is-out" : ""}>{row.entry}</span>{" "}
      {row.disqualified && <em>({cupWords.value.disqualified})</em>}
      {player === undefined || owner === undefined ? (
        <small class="quiet">{[row.bot, ...settings].join(", ")}</small>
      ) : (
        <small class="quiet">
          <a href={`/players/${player}`}>{row.bot.slice(player.length + 1)}</a>,{" "}
          <a href={`/players/${owner}`}>{players[owner] || owner}</a>
        </small>
      )}
    </>
  );
}

/** The points per game as a number, and as a bar with the band on it. */
function WithBar({ row }: { row: Row }) {
  const [low, high] = row.points_band ?? [row.points_per_game, row.points_per_game];
  return (
    <span class="with-bar">
      {fixed(row.points_per_game, 3)}
      <svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-ground" width="100" height="12" />
        <rect class="bar" width={100 * row.points_per_game} height="12" />
        <rect class="bar-band" x={100 * low} width={100 * (high - low)} y="4" height="4" />
      </svg>
    </span>
  );
}

function AsOf({ report }: { report: Report }) {
  const words = cupWords.value;
  const { as_of: asOf, version } = report;
  const [before = "", after = ""] = words.asOf("\n").split("\n");
  return (
    <p class="quiet">
      {asOf.version === 0 && `${words.noFigures} `}
      {asOf.at !== null && asOf.version !== version && (
        <>
          {before}
          <Time at={asOf.at} />
          {after}{" "}
        </>
      )}
      {bandsOf(report)}
    </p>
  );
}

/** A line that says whether there are bands, or when there will be. */
function bandsOf(report: Report): string {
  const words = cupWords.value;
  if (report.samples === 0) return isOver(report) ? words.bandsSoon : words.bandsLater;
  return report.table.some((row) => row.points_band) ? words.bandsAre : words.bandsNever;
}

/** A cross table of more entries would be too wide to read. */
const WIDEST = 24;

export function CrossTable({ report }: { report: Report }) {
  const words = cupWords.value;
  const { plan, table, cross_table: cross } = report;
  const number = new Map(plan.entries.map(({ name }, index) => [name, index]));
  const shown = table.slice(0, WIDEST);
  if (table.length < 2 || report.games.played === 0) return null;
  const head = [
    words.against,
    ...shown.map(({ entry, place }) => (
      <abbr key={entry} title={entry}>
        {place}.<span class="sr"> {entry}</span>
      </abbr>
    )),
    words.inAll,
  ];
  const rows = shown.map((row) => [
    `${row.place}. ${row.entry}`,
    ...shown.map(({ entry }) => {
      const met = cross[number.get(row.entry) ?? 0]?.[number.get(entry) ?? 0];
      if (!met) return <span class="self">×</span>;
      if (met.games === 0) return "–";
      return (
        <span class="met" data-share={Math.round((10 * met.ahead) / met.games)}>
          <strong>{fixed(met.ahead, met.ahead % 1 ? 1 : 0)}</strong> / {whole(met.games)}
        </span>
      );
    }),
    <span key="all">
      {row.games > 0 ? fixed(row.points_per_game, 3) : "–"}{" "}
      {row.points_band && <small class="quiet">({spanOf(row.points_band, 3)})</small>}
    </span>,
  ]);
  return (
    <section>
      <h2>{words.cross}</h2>
      <p class="quiet">
        {words.crossIs} {table.length > WIDEST && words.firstOf(WIDEST, table.length)}
      </p>
      <Grid class="cross-grid" label={words.cross} head={head} rows={rows} />
    </section>
  );
}
