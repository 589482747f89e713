/** What stands at an address of which there is nothing: it says so, and leads on. */

import { useTitle } from "../browser/title.ts";
import { phrases } from "../phrases/phrases.ts";

export function Nothing({ title, why = null }: { title: string; why?: string | null }) {
  const words = phrases.value;
  useTitle(title);
  return (
    <>
      <h1>{title}</h1>
      {why !== null && <p class="quiet">{why}</p>}
      <p>{words.notFoundHow}</p>
      <p class="actions">
        <a class="button main" href="/">
          {words.games}
        </a>{" "}
        <a class="button" href="/games">
          {words.runningGames}
        </a>{" "}
        <a class="button" href="/docs">
          {words.api}
        </a>
      </p>
    </>
  );
}
