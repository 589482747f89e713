/** A tournament: its status, table, charts, rounds and newest games, updated while it runs. */

import { useEffect, useMemo } from "preact/hooks";
import { told } from "../api/client.ts";
import { useCut } from "../browser/connection.ts";
import { saveAs } from "../browser/files.ts";
import { identity } from "../browser/identity.ts";
import { loading } from "../browser/release.ts";
import { api, rulesets } from "../browser/service.ts";
import { useTitle } from "../browser/title.ts";
import { CheckThis } from "../checking/button.tsx";
import { Doing, Failed, Time, useAsked, Wait } from "../parts/parts.tsx";
import { fixed } from "../phrases/numbers.ts";
import { phrases } from "../phrases/phrases.ts";
import { BotMark } from "../table/holder.tsx";
import { Boards } from "../tournaments/boards.tsx";
import { Cup } from "../tournaments/cup.ts";
import { Charts } from "../tournaments/figures.tsx";
import { Rounds } from "../tournaments/rounds.tsx";
import {
  isOpenForEntries,
  isOver,
  placesTaken,
  type Report,
  statusOf,
} from "../tournaments/shapes.ts";
import { CrossTable, Standings } from "../tournaments/standings.tsx";
import { cupWords } from "../tournaments/words.ts";
import "./style.ts";

export function TournamentRoom({ id }: { id: string }) {
  const cup = useMemo(() => new Cup(id), [id]);
  useEffect(() => {
    void cup.open();
    return () => cup.close();
  }, [cup]);
  const report = cup.report.value;
  useCut(cup.cutSince.value !== null);
  useTitle(report?.name ?? cupWords.value.title);
  if (cup.error.value !== null)
    return <Failed error={cup.error.value} again={() => location.reload()} />;
  if (!report) return <p class="quiet">{phrases.value.loading}</p>;
  const me = isOver(report) ? undefined : identity.value?.id;
  const hosts = me !== undefined && me === report.created_by;
  return (
    <div class="cup" data-status={report.status} data-version={report.version}>
      <Head report={report} />
      {hosts && <OfHost cup={cup} report={report} />}
      {me !== undefined && report.plan.places !== undefined && (
        <OfOwner key={me} cup={cup} report={report} owner={me} />
      )}
      <Standings report={report} />
      {report.ladder && <OfLadder report={report} ladder={report.ladder} />}
      <Boards cup={cup} game={report.plan.ruleset} />
      <CrossTable report={report} />
      <Charts report={report} />
      <Rounds cup={cup} report={report} />
      <Proof report={report} />
    </div>
  );
}

/** What its host may do, which nobody else needs. */
function OfHost(own: { cup: Cup; report: Report }) {
  const [asked, again] = useAsked(() => loading(() => import("../tournaments/hosting.tsx")), []);
  return (
    <Wait for={asked} again={again}>
      {({ Hosting }) => <Hosting {...own} />}
    </Wait>
  );
}

/** What an owner of bots may do, which is loaded where bots of owners are entered. */
function OfOwner(own: { cup: Cup; report: Report; owner: string }) {
  const [asked, again] = useAsked(() => loading(() => import("../tournaments/entering.tsx")), []);
  return (
    <Wait for={asked} again={again}>
      {({ Entering }) => <Entering {...own} />}
    </Wait>
  );
}

/** Who is better than whom, which is loaded for ladders that never end. */
function OfLadder(own: { report: Report; ladder: NonNullable<Report["ladder"]> }) {
  const [asked, again] = useAsked(() => loading(() => import("../tournaments/ladder.tsx")), []);
  return (
    <Wait for={asked} again={again}>
      {({ LadderPanel }) => <LadderPanel {...own} />}
    </Wait>
  );
}

function Head({ report }: { report: Report }) {
  const words = cupWords.value;
  const [games] = useAsked(() => rulesets.list(), []);
  const { plan, games: counts, created_by: host } = report;
  const kinds = report.player_kinds as Readonly<Record<string, string>>;
  const title =
    (games.state === "here" && games.value.find(({ id }) => id === plan.ruleset)?.title) ||
    plan.ruleset;
  const format = [
    words.formats[plan.format.type] ?? plan.format.type,
    ...Object.entries(plan.format)
      .filter(([name]) => name === "rounds" || name === "blocks")
      .map(([name, value]) => `${words.option[name] ?? name}: ${value}`),
  ];
  const reason = report.reason === null ? "" : `: ${words.reason[report.reason] ?? report.reason}`;
  return (
    <header class="cup-head">
      <p>
        <a href="/tournaments">{words.title}</a>
      </p>
      <h1>{report.name}</h1>
      <p>
        <a href={`/rules/${plan.ruleset}`}>{title}</a> · {words.seatsOf(plan.seats)} ·{" "}
        {format.join(" · ")}
      </p>
      <p class="so-far">
        <progress
          max={Math.max(1, counts.planned)}
          value={counts.played}
          aria-label={words.gamesOf(counts.played, counts.planned)}
        />{" "}
        {words.gamesOf(counts.played, counts.planned)} ·{" "}
        <strong class={`status ${report.status}`} role="status">
          {words.status[statusOf(report)]}
          {reason}
        </strong>
      </p>
      <p class="quiet">
        {host !== null && (
          <>
            {words.heldBy} <a href={`/players/${host}`}>{hostName(report)}</a>
            <BotMark of={kinds[host]} /> ·{" "}
          </>
        )}
        <Time at={report.created_at} /> · {plan.rated ? words.rated : words.unrated}
        {report.chance.scope !== report.id && ` · ${words.seeded}`} ·{" "}
        {words.lucks[plan.luck ?? "block"]}
      </p>
      {isOpenForEntries(report) && (
        <p class="banner">
          {words.openFor(placesTaken(report), plan.places ?? 0)}{" "}
          <a href="/docs/tournaments#open-for-entries">{words.howToEnter}</a>
        </p>
      )}
      {report.waits_for !== null && <p class="banner">{words.waits(report.waits_for)}</p>}
      {report.imported && <p class="banner">{words.imported(String(report.imported.by))}</p>}
      {report.disqualified.map(({ entry, after_block: block, reason: why }) => (
        <p key={entry} class="banner">
          {words.out(entry, block, why)}
        </p>
      ))}
      <Abandoned report={report} />
      {report.verdict && <Verdict report={report} />}
    </header>
  );
}

/** The page shows a warning if the share of abandoned blocks of an entry is larger than this. */
const OFTEN = 0.01;

/** The entries whose bots were stopped without a fault of their own. */
function Abandoned({ report }: { report: Report }) {
  const words = cupWords.value;
  return (report.abandoned ?? []).map(({ entry, tries, share }) => (
    <p key={entry} class={share > OFTEN ? "banner" : "quiet"}>
      {words.abandoned(entry, tries, fixed(100 * share, 1))} {share > OFTEN && words.abandonedOften}
    </p>
  ));
}

function hostName({ players, created_by: host }: Report): string {
  const names = players as Readonly<Record<string, string>>;
  return (host !== null && names[host]) || host || "?";
}

function Verdict({ report }: { report: Report }) {
  const words = cupWords.value;
  const { verdict, plan } = report;
  const [first, second] = plan.entries;
  if (!verdict || !first || !second) return null;
  const say = words.verdict[verdict.verdict] ?? words.verdict.undecided;
  return (
    <p class="verdict">
      <strong>{say?.(first.name, second.name, fixed(verdict.margin, 2))}</strong>{" "}
      <span class="quiet">
        {words.evidence(
          fixed(verdict.evidence_better, 2),
          fixed(verdict.evidence_not_better, 2),
          fixed(1 / verdict.alpha, 0),
          fixed(1 / verdict.beta, 0),
        )}
      </span>
    </p>
  );
}

/** The check of the record, and downloads of the figures. */
function Proof({ report }: { report: Report }) {
  const words = cupWords.value;
  const { id } = report;
  return (
    <section aria-labelledby="proof">
      <h2 id="proof">{words.proof}</h2>
      <p class="actions">
        <Doing does={() => save(id, "report")}>{words.saveTable}</Doing>
        <Doing does={() => save(id, "games")}>{words.saveGames}</Doing>
        <a class="button" href={`/v1/tournaments/${id}/record`} download={`${id}.ndjson`}>
          {phrases.value.record}
        </a>
      </p>
      <CheckThis kind="tournament" id={id} over={isOver(report)} />
      <p>{words.proofIs}</p>
      <pre class="wide" tabIndex={0}>
        <code>
          lonja tournament export {id} --url {location.origin} --output cup.ndjson.gz{"\n"}lonja
          verify cup.ndjson.gz --bots
        </code>
      </pre>
      <p class="quiet commitment">
        {words.commitment}: <code>{report.chance.commitment}</code>
      </p>
    </section>
  );
}

/**
 * Saves figures as CSV: reads all pages from the API, and keeps only the first page's header line.
 */
async function save(id: string, what: "report" | "games"): Promise<void> {
  const asked = { headers: { Accept: "text/csv" }, parseAs: "text" } as const;
  const path = { tournament_id: id };
  const parts: string[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: { data?: unknown; error?: unknown; response: Response } =
      what === "report"
        ? await api.GET("/v1/tournaments/{tournament_id}/report", { ...asked, params: { path } })
        : await api.GET("/v1/tournaments/{tournament_id}/games", {
            ...asked,
            params: { path, query: { after, limit: GAMES } },
          });
    const text = String(await told(Promise.resolve(page)));
    parts.push(after === 0 ? text : text.slice(text.indexOf("\n") + 1));
    const more: boolean = page.response.headers.get("Link")?.includes('rel="next"') ?? false;
    after = more ? after + GAMES : null;
  }
  saveAs(`${id}-${what}.csv`, new Blob(parts, { type: "text/csv" }));
}

const GAMES = 1000;
