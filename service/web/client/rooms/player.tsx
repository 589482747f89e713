/**
 * A player's page: the player's games, by status and ruleset, and ratings with their history. For
 * a bot account, which plays no rated games, it has the account and its record.
 */

import { useState } from "preact/hooks";
import { type Schemas, told } from "../api/client.ts";
import { identity } from "../browser/identity.ts";
import { api, rulesets } from "../browser/service.ts";
import { useTitle } from "../browser/title.ts";
import { Lines } from "../charts/lines.tsx";
import { RulesetFilter, type Rulesets, StatusFilter } from "../parts/filters.tsx";
import { Pages } from "../parts/pages.tsx";
import { Time, useAsked, Wait } from "../parts/parts.tsx";
import { whole } from "../phrases/numbers.ts";
import { phrases } from "../phrases/phrases.ts";
import { Face } from "../table/face.tsx";
import { BotMark, Holders } from "../table/holder.tsx";
import { BotAccount, botAccount } from "./bot_account.tsx";
import { playerWords } from "./player_words.ts";

const PAGE = 20;
/** How many of the newest rated games are drawn. */
const HISTORY = 200;
type State = "" | "running" | "ended" | "lobby";
type Game = Schemas["GameSummary"];
type Rating = Schemas["PlayerRating"];

export function Player({ id }: { id: string }) {
  const words = playerWords.value;
  const [asked, again] = useAsked(async () => {
    const [player, games] = await Promise.all([
      told(api.GET("/v1/players/{player_id}", { params: { path: { player_id: id } } })),
      rulesets.list(),
    ]);
    return [player, games, player.kind === "bot" ? await botAccount(id) : null] as const;
  }, [id]);
  useTitle((asked.state === "here" && asked.value[0].name) || id);
  return (
    <Wait for={asked} again={again}>
      {([player, games, bot]) => {
        const titleOf = (ruleset: string) =>
          games.find((game) => game.id === ruleset)?.title ?? ruleset;
        return (
          <>
            <h1>
              {player.kind === "bot" && <Face of={id} />}
              {player.name || id}
              <BotMark of={player.kind} />
            </h1>
            <p class="quiet">
              {words.since} <Time at={player.created_at} />
              {identity.value?.id === id && ` · ${phrases.value.you}`}
            </p>
            {bot === null ? (
              <section aria-labelledby="ratings">
                <h2 id="ratings">{words.ratings}</h2>
                {player.ratings.length === 0 && <p class="quiet">{words.unrated}</p>}
                <div class="charts">
                  {player.ratings.map((rating) => (
                    <RatingPanel key={rating.ruleset} rating={rating} titleOf={titleOf} />
                  ))}
                </div>
              </section>
            ) : (
              <BotAccount bot={bot} titleOf={titleOf} />
            )}
            <section aria-labelledby="players-games">
              <h2 id="players-games">{phrases.value.playersGames}</h2>
              <Games id={id} rulesets={games} titleOf={titleOf} />
            </section>
          </>
        );
      }}
    </Wait>
  );
}

function RatingPanel({
  rating,
  titleOf,
}: {
  rating: Rating;
  titleOf: (ruleset: string) => string;
}) {
  const words = playerWords.value;
  const title = titleOf(rating.ruleset);
  const [asked, again] = useAsked(
    () =>
      told(
        api.GET("/v1/players/{player_id}/ratings/{ruleset_id}", {
          params: {
            path: { player_id: rating.player, ruleset_id: rating.ruleset },
            query: { after: Math.max(0, rating.games - HISTORY), limit: HISTORY },
          },
        }),
      ),
    [rating.player, rating.ruleset],
  );
  return (
    <article class="card rating" data-ruleset={rating.ruleset}>
      <h3>{title}</h3>
      <p>
        <strong>{words.ratingOf(Math.round(rating.rating), Math.round(rating.deviation))}</strong>{" "}
        {rating.provisional && <abbr title={words.provisionalIs}>{words.provisional}</abbr>}{" "}
        <span class="quiet">{words.ratedGames(rating.games)}</span>
      </p>
      <Wait for={asked} again={again}>
        {({ games }) => {
          const first = rating.games - games.length;
          return (
            <Lines
              caption={words.history(title)}
              across={words.ratedGames(2).replace(/^\S+ /, "")}
              along={[first, ...games.map((_, index) => first + index + 1)]}
              series={[
                {
                  name: words.rating,
                  values: [games[0]?.before ?? null, ...games.map((game) => game.rating)],
                },
              ]}
            />
          );
        }}
      </Wait>
    </article>
  );
}

function Games({
  id,
  rulesets: all,
  titleOf,
}: {
  id: string;
  rulesets: Rulesets;
  titleOf: (ruleset: string) => string;
}) {
  const words = phrases.value;
  const about = playerWords.value;
  const [status, setStatus] = useState<State>("");
  const [ruleset, setRuleset] = useState("");
  const names: Record<State, string> = {
    "": about.allStates,
    running: words.runningGames,
    ended: words.endedGames,
    lobby: words.openTables,
  };
  const own = identity.value?.id === id;
  const read = async (cursor?: string) => {
    const query = {
      player: id,
      limit: PAGE,
      ...(status ? { status } : {}),
      ...(ruleset ? { ruleset } : {}),
      ...(cursor ? { cursor } : {}),
    };
    const page = await told(api.GET("/v1/games", { params: { query } }));
    return { rows: page.games, next: page.next_cursor };
  };
  return (
    <>
      <div class="filters">
        <StatusFilter label={words.playersGames} names={names} value={status} set={setStatus} />
        <RulesetFilter games={all} value={ruleset} set={setRuleset} />
      </div>
      <Pages key={`${id} ${status} ${ruleset}`} read={read}>
        {(games, areAll) => (
          <>
            {games.length === 0 && areAll && (
              <p class="quiet">{own ? about.noGamesOfYours : about.noGamesOf}</p>
            )}
            <ul class="rows">
              {games.map((game) => (
                <GameLine key={game.id} game={game} player={id} title={titleOf(game.ruleset)} />
              ))}
            </ul>
          </>
        )}
      </Pages>
      <p class="quiet">{about.hiddenNote}</p>
    </>
  );
}

function GameLine({ game, player, title }: { game: Game; player: string; title: string }) {
  const words = phrases.value;
  return (
    <li>
      <a href={`/games/${game.id}`}>{game.title ?? title}</a>
      <span>{game.title ? title : ""}</span>
      <span class="who">
        <Holders seats={game.seats.filter((seat) => seat.player !== player)} />
      </span>
      <span class={`status ${game.status}`}>
        {resultOf(game, player) ?? words.status[game.status] ?? game.status}
        {game.rated && " · ★"}
        {game.rated && <span class="sr"> {playerWords.value.ratedGames(1)}</span>}
      </span>
      <Time at={game.changed_at} />
    </li>
  );
}

/** The player's rank, and the number of seats; null while unknown. */
function resultOf(game: Game, player: string): string | null {
  const result = game.result as {
    standings: { side: string; rank: number; score: number }[];
  } | null;
  const sides = game.seats
    .filter((seat) => seat.player === player)
    .map(({ seat }) => `seat:${seat}`);
  const own = result?.standings.filter(({ side }) => sides.includes(side)) ?? [];
  if (!result || own.length === 0) return null;
  return own
    .map(
      ({ rank, score }) =>
        `${playerWords.value.result(rank, result.standings.length)} (${whole(score)})`,
    )
    .join(", ");
}
