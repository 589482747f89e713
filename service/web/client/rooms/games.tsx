/** All games: one's own, those that are being played, and those that have ended. */

import { identity } from "../browser/identity.ts";
import { useTitle } from "../browser/title.ts";
import { phrases } from "../phrases/phrases.ts";
import { GameList } from "./list.tsx";
import { YourGames } from "./yours.tsx";

export function Games() {
  const words = phrases.value;
  useTitle(words.playersGames);
  return (
    <>
      <h1>{words.playersGames}</h1>
      <p>
        <a href="/lobby">{words.openTables}</a>
      </p>
      {identity.value && <YourGames />}
      <section aria-labelledby="running">
        <h2 id="running">{words.runningGames}</h2>
        <GameList status="running" />
      </section>
      <section aria-labelledby="ended">
        <h2 id="ended">{words.endedGames}</h2>
        <GameList status="ended" />
      </section>
    </>
  );
}
