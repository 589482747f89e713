/** A list of tournaments, running ones first, and a form that creates one. */

import { useState } from "preact/hooks";
import { told } from "../api/client.ts";
import { identity } from "../browser/identity.ts";
import { api, rulesets } from "../browser/service.ts";
import { useTitle } from "../browser/title.ts";
import { RulesetFilter } from "../parts/filters.tsx";
import { Pages } from "../parts/pages.tsx";
import { Time, useAsked, Wait } from "../parts/parts.tsx";
import { HoldForm } from "../tournaments/form.tsx";
import { isOver, statusOf, type Tournament } from "../tournaments/shapes.ts";
import { cupWords } from "../tournaments/words.ts";
import "./style.ts";

const PAGE = 20;

interface Filter {
  readonly ruleset: string;
  readonly mine: boolean;
}

export function Tournaments() {
  const words = cupWords.value;
  useTitle(words.title);
  const [games, again] = useAsked(() => rulesets.list(), []);
  const [ruleset, setRuleset] = useState("");
  const [mine, setMine] = useState(false);
  const filter = { ruleset, mine };
  return (
    <>
      <h1>{words.title}</h1>
      <p class="lead">{words.lead}</p>
      <Wait for={games} again={again}>
        {(found) => (
          <>
            <details class="card">
              <summary class="button main">{words.hold}</summary>
              <HoldForm games={found} />
            </details>
            <div class="filters">
              <RulesetFilter games={found} value={ruleset} set={setRuleset} />
              {identity.value && (
                <button type="button" aria-pressed={mine} onClick={() => setMine(!mine)}>
                  {words.mine}
                </button>
              )}
            </div>
            {[false, true].map((over) => (
              <section key={String(over)} aria-labelledby={over ? "over" : "under-way"}>
                <h2 id={over ? "over" : "under-way"}>{over ? words.over : words.underWay}</h2>
                <Cups
                  key={JSON.stringify(filter)}
                  over={over}
                  filter={filter}
                  titleOf={(id) => found.find((game) => game.id === id)?.title ?? id}
                />
              </section>
            ))}
          </>
        )}
      </Wait>
    </>
  );
}

function Cups({
  over,
  filter,
  titleOf,
}: {
  over: boolean;
  filter: Filter;
  titleOf: (ruleset: string) => string;
}) {
  const words = cupWords.value;
  const read = async (cursor?: string) => {
    const { ruleset, mine } = filter;
    const query = {
      over,
      limit: PAGE,
      ...(ruleset ? { ruleset } : {}),
      ...(mine ? { host: "me" } : {}),
      ...(cursor ? { cursor } : {}),
    };
    const page = await told(api.GET("/v1/tournaments", { params: { query } }));
    return { rows: page.tournaments as unknown as Tournament[], next: page.next_cursor };
  };
  const none = filter.mine ? words.noneYours : over ? words.noneOver : words.noneUnderWay;
  return (
    <Pages read={read}>
      {(cups, areAll) => (
        <>
          {cups.length === 0 && areAll && <p class="quiet">{none}</p>}
          <ul class="cups">
            {cups.map((cup) => (
              <CupLine key={cup.id} cup={cup} title={titleOf(cup.plan.ruleset)} />
            ))}
          </ul>
        </>
      )}
    </Pages>
  );
}

function CupLine({ cup, title }: { cup: Tournament; title: string }) {
  const words = cupWords.value;
  const { games, leaders, plan } = cup;
  const one = leaders.length === 1;
  const first = isOver(cup)
    ? one
      ? words.winner
      : words.winners
    : one
      ? words.leader
      : words.leaders;
  return (
    <li>
      <a href={`/tournaments/${cup.id}`}>{cup.name}</a>
      <span class="quiet">
        {title} · {words.formats[plan.format.type] ?? plan.format.type} ·{" "}
        {words.seatsOf(plan.seats)}
      </span>
      <span class="so-far">
        <progress
          max={Math.max(1, games.planned)}
          value={games.played}
          aria-label={words.gamesOf(games.played, games.planned)}
        />{" "}
        {words.gamesOf(games.played, games.planned)}
      </span>
      <span class={`status ${cup.status}`}>{words.status[statusOf(cup)]}</span>
      {leaders.length > 0 && (
        <span>
          {first}: <strong>{leaders.join(", ")}</strong>
        </span>
      )}
      <Time at={cup.at} />
    </li>
  );
}
