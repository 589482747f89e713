/** The first page: the games, those that the player plays, and those that run now. */

import { useState } from "preact/hooks";
import { type Schemas, told } from "../api/client.ts";
import { serviceNow } from "../api/clock.ts";
import { identity } from "../browser/identity.ts";
import { api, rulesets } from "../browser/service.ts";
import { useTitle } from "../browser/title.ts";
import { Time, useAsked, Wait } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import { Face } from "../table/face.tsx";
import { LearnByPlaying } from "../table/learning.tsx";
import { homeWords } from "./home_words.ts";
import { Live } from "./live.tsx";
import { Opponents } from "./opponents.tsx";
import { lastChoice, OpenTable } from "./quick.tsx";
import { GameRows } from "./rows.tsx";
import { YourGames } from "./yours.tsx";

const SHOWN = 6;

export function Home() {
  const words = phrases.value;
  useTitle();
  const [games, again] = useAsked(() => rulesets.list(), []);
  return (
    <>
      <section class="hero">
        <div>
          <h1>Lonja</h1>
          <p class="lead">{homeWords.value.tagline}</p>
        </div>
        {identity.value && <YourGames />}
        <Exhibition />
      </section>
      <section aria-labelledby="games">
        <h2 id="games">{words.games}</h2>
        <Wait for={games} again={again}>
          {(found) => (
            <ul class="cards games">
              {found.map((game) => (
                <GameCard key={game.id} game={game} />
              ))}
            </ul>
          )}
        </Wait>
      </section>
      <section aria-labelledby="now">
        <h2 id="now">{homeWords.value.now}</h2>
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
      <Picture game={game} />
      <h3>{game.title}</h3>
      <Facts game={game} />
      {game.about && <p>{game.about}</p>}
      <p class="quiet">{homeWords.value.by(game.designer, game.year)}</p>
      <p class="actions">
        <OpenTable game={game.id} quick />
        <LearnByPlaying game={game} />
        <a class="button plain" href={`/lobby#${game.id}`}>
          {words.openTable}
        </a>
        <a href={`/rules/${game.id}`}>{words.rules}</a>
      </p>
      <QuickChoice game={game} />
    </li>
  );
}

/** The board in the middle of a game; nothing if the ruleset has no picture. */
function Picture({ game: { id, picture } }: { game: Schemas["RulesetSummary"] }) {
  if (!picture) return null;
  const src = `/v1/rulesets/${id}/picture?digest=${picture}`;
  return <img class="picture" src={src} alt="" loading="lazy" decoding="async" />;
}

/** How many play, how long it takes, and how heavy it is. */
function Facts({ game }: { game: Schemas["RulesetSummary"] }) {
  const words = phrases.value;
  const { min_minutes: least, max_minutes: most, weight } = game;
  const facts = [words.seats(game.min_seats, game.max_seats)];
  if (least && most) facts.push(words.takes(least, most));
  return (
    <p>
      {facts.join(" · ")}
      {weight && (
        <>
          {" · "}
          <span class="weight">
            <span aria-hidden="true">
              {"●".repeat(weight)}
              {"○".repeat(5 - weight)}
            </span>{" "}
            {homeWords.value.weights[weight - 1]}
          </span>
        </>
      )}
    </p>
  );
}

/** Against whom "Play now" begins: the last choice, which one can change. */
function QuickChoice({ game }: { game: Schemas["RulesetSummary"] }) {
  const [open, setOpen] = useState(false);
  const [{ seats, bot, title }, setChoice] = useState(() => lastChoice(game.id));
  const count = Math.min(Math.max(seats, 2, game.min_seats), game.max_seats);
  return (
    <details class="quick" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Face of={bot} />
        {homeWords.value.quickly(count, title)}
      </summary>
      {open && <Opponents game={game.id} onChange={() => setChoice(lastChoice(game.id))} />}
    </details>
  );
}

const EXHIBITION = "exhibition";
/** How long a game that has ended may be the exhibition: the next one begins after half of it. */
const ENDED_MS = 60_000;

/** The exhibition game, small; nothing if there is none. */
function Exhibition() {
  const query = { tag: EXHIBITION, limit: 1 };
  const [asked, again] = useAsked(() => told(api.GET("/v1/games", { params: { query } })), []);
  const [shown] = asked.state === "here" ? asked.value.games : [];
  if (!shown) return null;
  const age = serviceNow() - Date.parse(shown.changed_at);
  if (shown.status !== "running" && age > ENDED_MS) return null;
  return (
    <div class="exhibition">
      <p class="actions">
        <a class="button main" data-exhibition href={`/games/${shown.id}`}>
          {homeWords.value.exhibition}
        </a>{" "}
        <span class="quiet">{homeWords.value.exhibitionIs}</span>
      </p>
      <Live key={shown.id} game={shown} onOver={again} />
    </div>
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
            <a href="/lobby">{words.lobby}</a> · <a href="/games">{words.playersGames}</a>
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
