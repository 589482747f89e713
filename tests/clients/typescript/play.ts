/**
 * A stranger's program: plays every game that a service hosts, knowing no rule of any.
 *
 * It knows what openapi-typescript made of the description, and asks by openapi-fetch:
 *
 *     node play.ts http://127.0.0.1:8000 [ruleset …]
 *
 * It prints a line of JSON for each game: its ruleset, id, moves made, effects seen, breaks mended
 * and the result.
 */

import createClient from "openapi-fetch";
import type { components, paths } from "./generated/schema.d.ts";
import { drawn, type Effect, type Event, moved } from "./board.ts";
import { follow, persistent } from "./stream.ts";

type Problem = components["schemas"]["Problem"];
const [url, ...wanted] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl: url, fetch: persistent });

function told<T>({ data, error }: { data?: T; error?: Problem }): T {
  if (data === undefined) throw new Error(`the service says ${JSON.stringify(error)}`);
  return data;
}

async function play(ruleset: string, headers: { Authorization: string }) {
  const { min_seats } = told(
    await api.GET("/v1/rulesets/{ruleset_id}", { params: { path: { ruleset_id: ruleset } } }),
  );
  const bots = Array.from({ length: Math.max(min_seats, 2) - 1 }, () => ({
    holder: "bot" as const,
    bot: "greedy",
  }));
  const opened = told(
    await api.POST("/v1/games", {
      params: { header: { "Idempotency-Key": crypto.randomUUID() } },
      headers,
      body: { ruleset, seats: [{ holder: "me" }, ...bots] },
    }),
  );
  const seen: Effect["type"][] = [];
  let moves = 0;
  const answer = async ({ seq, last, effects, state, legal_moves }: Event) => {
    seen.push(...(effects ?? []).map(moved));
    if (state?.state) drawn(state.state);
    const choices = legal_moves?.moves ?? [];
    if (seq !== last || choices.length === 0) return;
    const move = choices[Math.floor(Math.random() * choices.length)];
    const { error } = await api.POST("/v1/games/{game_id}/moves", {
      params: { path: { game_id: opened.id }, header: { "Idempotency-Key": `${opened.id}-${seq}` } },
      headers,
      body: { seat: 0, expected_version: seq, move },
    });
    if (error === undefined) moves += 1;
    else if (error.code !== "stale_version") throw new Error(JSON.stringify(error));
  };
  const breaks = await follow(`${url}/v1/games/${opened.id}/stream`, headers, answer);
  const { status, result } = told(
    await api.GET("/v1/games/{game_id}", { params: { path: { game_id: opened.id } } }),
  );
  return { ruleset, id: opened.id, status, moves, effects: seen.length, breaks, result };
}

const { key } = told(await api.POST("/v1/players", { body: { name: "Robot" } }));
const headers = { Authorization: `Bearer ${key}` };
const { rulesets } = told(await api.GET("/v1/rulesets"));
for (const { id } of rulesets.filter(({ id }) => wanted.length === 0 || wanted.includes(id)))
  console.log(JSON.stringify(await play(id, headers)));
