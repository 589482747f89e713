/** A bot's analysis of a finished game: requested, awaited, and shown beside the replay. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { once, type Schemas, told } from "../api/client.ts";
import { codeOf } from "../api/problem.ts";
import type { Ruleset } from "../board/rulesets.ts";
import { identity } from "../browser/identity.ts";
import { language } from "../browser/language.ts";
import { api } from "../browser/service.ts";
import { Grid } from "../charts/frame.tsx";
import { Doing, Failed, useAsked } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import { seatName } from "../play/names.ts";
import type { Table } from "../play/table.ts";
import { Graph } from "./graph.tsx";
import { LISTED, type Result } from "./result.ts";
import { Thoughts } from "./thoughts.tsx";
import { analysisWords, measured, points } from "./words.ts";

type Found = Schemas["Analysis"];
type Judged = Result["decisions"][number];

const LOOK_EVERY = 1500;
/** The first version of analyses (`analysis`) whose leads are in points. */
const POINTS = 2;

export function Analysis({ table, ruleset }: { table: Table; ruleset: Ruleset }) {
  const words = analysisWords.value;
  const [opened, setOpened] = useState(false);
  const game = table.game.value;
  const names = game?.seats.map(({ seat }) => seatName(game, ruleset, seat, language.value)) ?? [];
  return (
    <section class="analysis" aria-labelledby="analysis">
      <h2 id="analysis">{words.title}</h2>
      {opened ? (
        <Opened table={table} names={names} />
      ) : (
        <>
          <p class="quiet">{words.lead}</p>
          <Ask game={table.id} then={() => setOpened(true)} />
        </>
      )}
      <Thoughts table={table} ruleset={ruleset} names={names} />
    </section>
  );
}

function Opened({ table, names }: { table: Table; names: readonly string[] }) {
  const words = analysisWords.value;
  const [asked, again] = useAsked(() => read(table.id), [table.id]);
  const found = asked.state === "here" ? asked.value : null;
  const going = found?.state === "queued" || found?.state === "running";
  useEffect(() => {
    if (!going) return;
    const timer = setTimeout(again, LOOK_EVERY);
    return () => clearTimeout(timer);
  }, [found]);
  if (asked.state === "asking") return <p class="quiet">{phrases.value.loading}</p>;
  if (asked.state === "failed") return <Failed error={asked.error} again={again} />;
  if (!found)
    return (
      <p>
        {words.nobodyAsked} <a href="/you">{words.needsName}</a>
      </p>
    );
  if (found.state === "failed")
    return (
      <>
        <p role="alert">{words.failed(found.detail ?? "")}</p>
        <Ask game={table.id} then={again} />
      </>
    );
  if (!found.result) return <Progress found={found} />;
  return <Shown found={found} result={found.result} names={names} table={table} />;
}

/** The progress of the analysis; null if nobody has requested it. */
async function read(game: string): Promise<Found | null> {
  try {
    return await told(
      api.GET("/v1/games/{game_id}/analysis", { params: { path: { game_id: game } } }),
    );
  } catch (error) {
    if (codeOf(error) === "no_analysis") return null;
    throw error;
  }
}

/** Requests an analysis; a visitor without a key can only read an existing one. */
function Ask({ game, then }: { game: string; then: () => void }) {
  const ask = async () => {
    if (identity.value)
      await told(
        api.POST("/v1/games/{game_id}/analysis", {
          params: { path: { game_id: game }, header: once() },
          body: { bot: "lookahead" },
        }),
      );
    then();
  };
  return (
    <p>
      <Doing does={ask}>{analysisWords.value.ask}</Doing>
    </p>
  );
}

function Progress({ found: { state, rows, steps } }: { found: Found }) {
  const words = analysisWords.value;
  const told = state === "queued" ? words.queued : words.running(rows, steps);
  return (
    <p class="so-far" role="status">
      <progress max={steps} value={rows} aria-label={words.title} /> {told}
    </p>
  );
}

function Shown({
  found,
  result,
  names,
  table,
}: {
  found: Found;
  result: Result;
  names: readonly string[];
  table: Table;
}) {
  const words = analysisWords.value;
  return (
    <>
      {result.analysis < POINTS && <p>{words.earlier}</p>}
      <Graph
        result={result}
        bot={found.bot}
        names={names}
        shown={table.wanted.value}
        go={(seq) => table.go(seq)}
      />
      <Here result={result} bot={found.bot} names={names} shown={table.shown.value} />
      <h3>{words.seats}</h3>
      <p class="quiet">{words.note}</p>
      <Grid
        label={words.seats}
        head={[words.seat, words.luck, words.allCost]}
        rows={result.seats.map(({ seat, luck, cost }) => [
          names[seat],
          measured(luck, true),
          measured(cost),
        ])}
      />
      <h3>{words.costly}</h3>
      <div class="costliest">
        {result.seats.map(({ seat, costly }) => (
          <Costliest
            key={seat}
            name={names[seat] ?? ""}
            bot={found.bot}
            moves={costly.slice(0, LISTED).flatMap((seq) => moveAt(result, seq) ?? [])}
          />
        ))}
      </div>
    </>
  );
}

function Costliest({ name, bot, moves }: { name: string; bot: string; moves: readonly Judged[] }) {
  const words = analysisWords.value;
  return (
    <section>
      <h4>{name}</h4>
      {moves.length === 0 ? (
        <p class="quiet">{words.none}</p>
      ) : (
        <ol>
          {moves.map((move) => (
            <li key={move.seq}>
              <a href={`#v=${move.seq}`}>{words.eventNumber(move.seq)}</a>:{" "}
              <strong>{measured({ mean: move.cost, error: move.error })}</strong>{" "}
              {spoken(move).played}
              <small>{words.instead(bot, spoken(move).best)}</small>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** Remarks about the shown event. */
function Here({
  result,
  bot,
  names,
  shown,
}: {
  result: Result;
  bot: string;
  names: readonly string[];
  shown: number;
}) {
  const words = analysisWords.value;
  const move = moveAt(result, shown);
  const draw = result.draws.find(({ seq }) => seq === shown);
  let told: ComponentChildren = null;
  if (move) told = <Move move={move} bot={bot} name={names[move.seat] ?? ""} />;
  else if (draw)
    told = (
      <p>
        {words.draw}{" "}
        {draw.luck.map((luck, seat) => `${names[seat]} ${measured(luck, true)}`).join(" · ")}
      </p>
    );
  if (!told) return null;
  return (
    <div class="here">
      <h3>{words.here}</h3>
      {told}
    </div>
  );
}

function Move({ move, bot, name }: { move: Judged; bot: string; name: string }) {
  const words = analysisWords.value;
  const { played, best } = spoken(move);
  const cost = measured({ mean: move.cost, error: move.error });
  const same = JSON.stringify(move.played) === JSON.stringify(move.best);
  return (
    <>
      <p>{words.played(name, played)}</p>
      {same ? (
        <p>{words.same(bot)}</p>
      ) : (
        <p>
          {words.other(bot, best)}.{" "}
          {words.leads(points(move.lead, true), points(move.best_lead, true))}{" "}
          <strong>{move.costly ? words.cost(cost) : words.noCost(cost)}</strong>
        </p>
      )}
    </>
  );
}

function moveAt({ decisions }: Result, at: number): Judged | undefined {
  return decisions.find(({ seq }) => seq === at);
}

/** The labels of both moves: the played one and the bot's own. */
function spoken({ words }: Judged): { played: string; best: string } {
  return (
    (words as Record<string, { played: string; best: string }>)[language.value] ?? {
      played: "",
      best: "",
    }
  );
}
