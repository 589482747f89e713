/** The result of a game and what to do next; before the end, the button with which to resign. */

import { useEffect, useState } from "preact/hooks";
import { once, told } from "../api/client.ts";
import type { Ruleset } from "../board/rulesets.ts";
import { saveAs } from "../browser/files.ts";
import { identity } from "../browser/identity.ts";
import { language } from "../browser/language.ts";
import { go } from "../browser/router.ts";
import { api } from "../browser/service.ts";
import { Doing, useAsked } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import { seatName } from "../play/names.ts";
import type { Game, Table } from "../play/table.ts";
import { say } from "../words/labels.ts";
import { rematch } from "./rematch.ts";
import { tableWords } from "./words.ts";

export function Result({ table, game, ruleset }: { table: Table; game: Game; ruleset: Ruleset }) {
  const words = phrases.value;
  const labels = ruleset.words[language.value];
  const result = game.result as { reason: string } | null;
  // The result appears with the last event, even if the viewer looks back or has not seen the last
  // moves yet.
  if (!table.over.value || table.shown.value !== table.newest.value) return null;
  const nameOf = (side: string) => {
    const [kind, which = ""] = side.split(":");
    return kind === "seat"
      ? seatName(game, ruleset, Number(which), language.value)
      : say(labels, `side.${which}`);
  };
  return (
    <section class="result" tabIndex={-1} aria-labelledby="result">
      <h2 id="result">{words.result}</h2>
      <p>{result ? say(labels, `reason.${result.reason}`) : words.status[game.status]}</p>
      <ol class="standings">
        {game.standings.map(({ side, rank, text, parts, notes }) => {
          const standing = (
            <span class="standing">
              <span class="rank">{words.place(rank)}</span> <strong>{nameOf(side)}</strong>{" "}
              <span class="score">{text}</span>
              {notes.length > 0 && <small class="quiet"> {notes.join("; ")}</small>}
            </span>
          );
          // A single part of the score is left out, because it equals the score.
          if (parts.length < 2) return <li key={side}>{standing}</li>;
          return (
            <li key={side}>
              <details>
                <summary>{standing}</summary>
                <ul>
                  {parts.map(({ label, value }) => (
                    <li key={label}>
                      {label}: {value}
                    </li>
                  ))}
                </ul>
              </details>
            </li>
          );
        })}
      </ol>
      {game.table.tags.includes("exhibition") && <NextShow />}
      <p>
        <Doing class="plain" does={() => save(game.id)}>
          {words.record}
        </Doing>
      </p>
      <p class="again">
        <Rematch game={game} />
        {game.standings.length > 0 && <a href="#score-sheet">{tableWords.value.sheet}</a>}
      </p>
    </section>
  );
}

/** Save the record of a finished game. */
async function save(id: string): Promise<void> {
  const path = { game_id: id };
  const record = await told(
    api.GET("/v1/games/{game_id}/record", { params: { path }, parseAs: "blob" }),
  );
  saveAs(`${id}.ndjson`, record);
}

/** A link to the exhibition's next game, once that has begun. */
function NextShow() {
  const [asked, again] = useAsked(
    () =>
      told(
        api.GET("/v1/games", {
          params: { query: { tag: "exhibition", status: "running", limit: 1 } },
        }),
      ),
    [],
  );
  const [next] = asked.state === "here" ? asked.value.games : [];
  useEffect(() => {
    if (asked.state !== "here" || next) return;
    const timer = setTimeout(again, 2000);
    return () => clearTimeout(timer);
  }, [asked]);
  if (!next) return null;
  return (
    <p>
      <a class="button main" href={`/games/${next.id}`}>
        {tableWords.value.nextShow}
      </a>
    </p>
  );
}

function Rematch({ game }: { game: Game }) {
  const played = game.seats.some(
    ({ player }) => player !== undefined && player === identity.value?.id,
  );
  if (!played) return null;
  const again = async () => {
    const next = await rematch(game);
    go(`/games/${next.id}`);
  };
  return (
    <Doing does={again} class="main">
      {tableWords.value.rematch}
    </Doing>
  );
}

export function Resign({ table, seat }: { table: Table; seat: number }) {
  const words = phrases.value;
  const [asking, setAsking] = useState(false);
  const resign = async () => {
    await told(
      api.POST("/v1/games/{game_id}/resignations", {
        params: { path: { game_id: table.id }, header: once() },
        body: { seat },
      }),
    );
    await table.refresh();
  };
  if (!asking)
    return (
      <button type="button" class="plain" onClick={() => setAsking(true)}>
        {words.resign}
      </button>
    );
  return (
    <span class="sure">
      {tableWords.value.resignSure} <Doing does={resign}>{words.yes}</Doing>{" "}
      <button type="button" onClick={() => setAsking(false)}>
        {words.no}
      </button>
    </span>
  );
}
