/** Lists of games. */

import type { Schemas } from "../api/client.ts";
import { rulesets } from "../browser/service.ts";
import { waiting } from "../identity/turns.ts";
import { Time, useAsked } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import { Holders } from "../table/holder.tsx";

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
        <li key={game.id} class={waiting.value.has(game.id) ? "waits" : undefined}>
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
