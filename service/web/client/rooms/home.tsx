/** The first page: what Lonja is, which games run now, and links with which to begin. */

import { type Schemas, told } from "../api/client.ts";
import { identity } from "../browser/identity.ts";
import { api, rulesets } from "../browser/service.ts";
import { useTitle } from "../browser/title.ts";
import { waiting } from "../identity/turns.ts";
import { Time, useAsked, Wait } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import { Holders } from "../table/holder.tsx";
import { OpenTable } from "./quick.tsx";

const SHOWN = 6;

export function Home() {
  const words = phrases.value;
  useTitle();
  const [games, again] = useAsked(() => rulesets.list(), []);
  return (
    <>
      <section class="hero">
        <h1>Lonja</h1>
        <p class="lead">{words.tagline}</p>
        <Exhibition />
      </section>
      {identity.value && <YourGames />}
      <section aria-labelledby="games">
        <h2 id="games">{words.games}</h2>
        <Wait for={games} again={again}>
          {(found) => (
            <ul class="cards">
              {found.map((game) => (
                <GameCard key={game.id} game={game} />
              ))}
            </ul>
          )}
        </Wait>
      </section>
      <section aria-labelledby="now">
        <h2 id="now">{words.now}</h2>
        <Now />
      </section>
      <UnderWay />
      <p class="quiet">
        {words.noChat} <a href="/docs">{words.api}</a>
      </p>
    </>
  );
}

function GameCard({ game }: { game: Schemas["RulesetSummary"] }) {
  const words = phrases.value;
  return (
    <li class="card">
      <h3>{game.title}</h3>
      <p class="quiet">
        {words.by(game.designer, game.year)} · {words.seats(game.min_seats, game.max_seats)}
      </p>
      <p class="actions">
        <OpenTable game={game.id} quick />
        <a class="button plain" href={`/lobby#${game.id}`}>
          {words.openTable}
        </a>
        <a href={`/rules/${game.id}`}>{words.rules}</a>
      </p>
    </li>
  );
}

const EXHIBITION = "exhibition";

/** The link to the exhibition game; nothing if there is none. */
export function Exhibition() {
  const words = phrases.value;
  const query = { tag: EXHIBITION, status: "running" as const, limit: 1 };
  const [asked] = useAsked(() => told(api.GET("/v1/games", { params: { query } })), []);
  const [shown] = asked.state === "here" ? asked.value.games : [];
  if (!shown) return null;
  return (
    <p class="actions">
      <a class="button main" data-exhibition href={`/games/${shown.id}`}>
        {words.exhibition}
      </a>{" "}
      <span class="quiet">{words.exhibitionIs}</span>
    </p>
  );
}

function YourGames() {
  const words = phrases.value;
  const [asked, again] = useAsked(
    () => told(api.GET("/v1/games", { params: { query: { player: "me", limit: SHOWN } } })),
    [identity.value?.id],
  );
  return (
    <section aria-labelledby="yours">
      <h2 id="yours">{words.yourGames}</h2>
      <Wait for={asked} again={again}>
        {({ games }) => <GameRows games={games} />}
      </Wait>
    </section>
  );
}

function Now() {
  const words = phrases.value;
  const [asked, again] = useAsked(
    () => told(api.GET("/v1/games", { params: { query: { status: "running", limit: SHOWN } } })),
    [],
  );
  return (
    <Wait for={asked} again={again}>
      {({ games }) => (
        <>
          <GameRows games={games} />
          <p>
            <a href="/lobby">{words.lobby}</a>
          </p>
        </>
      )}
    </Wait>
  );
}

/** The newest running tournaments; nothing if there are none. */
function UnderWay() {
  const words = phrases.value;
  const [asked] = useAsked(
    () => told(api.GET("/v1/tournaments", { params: { query: { over: false, limit: SHOWN } } })),
    [],
  );
  if (asked.state !== "here" || asked.value.tournaments.length === 0) return null;
  return (
    <section aria-labelledby="cups">
      <h2 id="cups">{words.tournaments}</h2>
      <ul class="rows">
        {asked.value.tournaments.map(({ id, name, games, at }) => (
          <li key={id}>
            <a href={`/tournaments/${id}`}>{name}</a>
            <span>
              {games.played} / {games.planned}
            </span>
            <Time at={at} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A list of games with their ruleset, players and status. */
export function GameRows({ games }: { games: readonly Schemas["GameSummary"][] }) {
  const words = phrases.value;
  const [titles] = useAsked(() => rulesets.list(), []);
  const titleOf = (id: string) =>
    (titles.state === "here" && titles.value.find((known) => known.id === id)?.title) || id;
  if (games.length === 0) return <p class="quiet">{words.noGames}</p>;
  return (
    <ul class="rows">
      {games.map((game) => (
        <li key={game.id}>
          <a href={`/games/${game.id}`}>{game.title ?? titleOf(game.ruleset)}</a>
          <span>{game.title ? titleOf(game.ruleset) : ""}</span>
          <span class="who">
            <Holders seats={game.seats} />
          </span>
          <span class={`status ${game.status}`}>
            {waiting.value.has(game.id) ? (
              <strong>{words.yourTurn}</strong>
            ) : (
              (words.status[game.status] ?? game.status)
            )}
          </span>
          <Time at={game.changed_at} />
        </li>
      ))}
    </ul>
  );
}
