/** The rules of each game, as its ruleset publishes them. */

import { told } from "../api/client.ts";
import { language } from "../browser/language.ts";
import { api, rulesets } from "../browser/service.ts";
import { useTitle } from "../browser/title.ts";
import { useAsked, Wait } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import { LearnByPlaying } from "../table/learning.tsx";
import { Markdown } from "../words/markdown.tsx";
import { OpenTable } from "./quick.tsx";

export function RulesList() {
  const words = phrases.value;
  useTitle(words.rules);
  const [asked, again] = useAsked(() => rulesets.list(), []);
  return (
    <>
      <h1>{words.rules}</h1>
      <Wait for={asked} again={again}>
        {(games) => (
          <ul class="rows">
            {games.map((game) => (
              <li key={game.id}>
                <a href={`/rules/${game.id}`}>{game.title}</a>
                <span class="quiet">{words.seats(game.min_seats, game.max_seats)}</span>
              </li>
            ))}
          </ul>
        )}
      </Wait>
    </>
  );
}

export function RulesOf({ id }: { id: string }) {
  const [asked, again] = useAsked(
    () =>
      told(
        api.GET("/v1/rulesets/{ruleset_id}/{document}", {
          params: { path: { ruleset_id: id, document: "rules" }, query: { lang: language.value } },
          parseAs: "text",
        }),
      ),
    [id, language.value],
  );
  const [games] = useAsked(() => rulesets.list(), [language.value]);
  const game = games.state === "here" ? games.value.find((game) => game.id === id) : undefined;
  const title = game?.title;
  useTitle(title ? `${phrases.value.rules}: ${title}` : phrases.value.rules);
  return (
    <Wait for={asked} again={again}>
      {(text) => (
        <article class="rules">
          <p class="actions">
            <OpenTable game={id} quick />
            {game && <LearnByPlaying game={game} />}
          </p>
          <Markdown text={String(text)} />
        </article>
      )}
    </Wait>
  );
}
