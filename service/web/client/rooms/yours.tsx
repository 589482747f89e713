/** The games of the player of this browser. */

import { useState } from "preact/hooks";
import { type Schemas, told } from "../api/client.ts";
import { identity } from "../browser/identity.ts";
import { api } from "../browser/service.ts";
import { waiting } from "../identity/turns.ts";
import { Doing, useAsked, Wait } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import { GameRows } from "./rows.tsx";

const PAGE = 20;
/** The most games that are shown first because they wait for the player. */
const MOST_WAITING = 50;

type Games = readonly Schemas["GameSummary"][];

/** All games of the player; those that wait for the player come first. */
export function YourGames() {
  const words = phrases.value;
  const waits = [...waiting.value].sort().join();
  const read = (query: { asked?: "true"; limit: number; cursor?: string }) =>
    told(api.GET("/v1/games", { params: { query: { player: "me", ...query } } }));
  const [asked, again] = useAsked(
    () => Promise.all([read({ asked: "true", limit: MOST_WAITING }), read({ limit: PAGE })]),
    [identity.value?.id, waits],
  );
  const [more, setMore] = useState<{ games: Games; next: string | null } | null>(null);
  return (
    <section aria-labelledby="yours">
      <h2 id="yours">{words.yourGames}</h2>
      <Wait for={asked} again={again}>
        {([first, newest]) => {
          const next = more ? more.next : newest.next_cursor;
          return (
            <>
              <GameRows
                games={inOrder([...first.games, ...newest.games, ...(more?.games ?? [])])}
              />
              {next !== null && (
                <Doing
                  does={async () => {
                    const page = await read({ limit: PAGE, cursor: next });
                    const games = [...(more?.games ?? []), ...page.games];
                    setMore({ games, next: page.next_cursor });
                  }}
                >
                  {words.more}
                </Doing>
              )}
            </>
          );
        }}
      </Wait>
    </section>
  );
}

const ORDER = ["running", "lobby", "closed", "suspended"];

/** Each game once: those that wait for the player, those that are not over, and the rest. */
function inOrder(games: Games): Games {
  const rank = ({ id, status }: Schemas["GameSummary"]) => {
    const at = ORDER.indexOf(status);
    return waiting.value.has(id) ? -1 : at < 0 ? ORDER.length : at;
  };
  const once = new Map(games.map((game) => [game.id, game]));
  return [...once.values()].sort((one, other) => rank(one) - rank(other));
}
