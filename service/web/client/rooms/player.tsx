/** A player: games and ratings are what others see of one. */

import { api, told } from "../api/client.ts";
import { useAsked, Wait } from "../app/parts.tsx";
import { useTitle } from "../app/title.ts";
import { phrases } from "../words/phrases.ts";
import { GameRows } from "./home.tsx";

const SHOWN = 30;

export function Player({ id }: { id: string }) {
  const words = phrases.value;
  const [asked, again] = useAsked(
    () =>
      Promise.all([
        told(api.GET("/v1/players/{player_id}", { params: { path: { player_id: id } } })),
        told(api.GET("/v1/games", { params: { query: { player: id, limit: SHOWN } } })),
      ]),
    [id],
  );
  useTitle((asked.state === "here" && asked.value[0].name) || id);
  return (
    <Wait for={asked} again={again}>
      {([player, { games }]) => (
        <>
          <h1>{player.name || id}</h1>
          <h2>{words.playersGames}</h2>
          <GameRows games={games} />
        </>
      )}
    </Wait>
  );
}
