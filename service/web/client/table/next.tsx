/** The way from a table to another game that waits for its player. */

import { waiting } from "../identity/turns.ts";
import { phrases } from "../phrases/phrases.ts";

/** A link to the next of the player's games that wait; nothing if no other game waits. */
export function NextGame({ after }: { after: string }) {
  // In the order of their ids, so that somebody who goes on and on comes through all of them.
  const others = [...waiting.value].filter((id) => id !== after).sort();
  const next = others.find((id) => id > after) ?? others[0];
  if (next === undefined) return null;
  return (
    <a class="button next-game" href={`/games/${next}`}>
      {phrases.value.nextGame(others.length)}
    </a>
  );
}
