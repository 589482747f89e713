/** A program with the client that orval makes (fetch). */

import * as api from "./generated/orval.js";
import { key, playAll } from "./whole.js";

const url = process.argv[2]!;
const ask = globalThis.fetch; // the client sends requests to a path without a host
globalThis.fetch = (path, settings) => ask(url + path, settings);
const robot = await api.createPlayer({ name: "Orval", kind: "bot" });
if (robot.status !== 201) throw new Error(JSON.stringify(robot.data));
const headers = { Authorization: `Bearer ${robot.data.key}` };
const once = () => ({ headers: { ...headers, "Idempotency-Key": key() } });

function told<Answer extends { status: number; data: unknown }, Status extends number>(
  answer: Answer,
  status: Status,
): Extract<Answer, { status: Status }>["data"] {
  if (answer.status !== status) throw new Error(JSON.stringify(answer.data));
  return answer.data as Extract<Answer, { status: Status }>["data"];
}

await playAll<api.Move>({
  rulesets: async () => told(await api.listRulesets({}, { headers }), 200).rulesets,
  async open(ruleset, bots) {
    const seats = Array.from({ length: bots }, () => ({ holder: "bot" as const, bot: "greedy" }));
    const asked = { ruleset, seats: [{ holder: "me" as const }, ...seats] };
    return told(await api.createGame(asked, {}, once()), 201).id;
  },
  status: async (game) => told(await api.getGame(game, {}, { headers }), 200).status,
  async look(game, after) {
    told(await api.getState(game, {}, { headers }), 200);
    const include = ["effects", "words", "state"] as const;
    const answer = await api.listEvents(game, { after, include: [...include] }, { headers });
    if (!("stream" in answer)) throw new Error(JSON.stringify(answer)); // as if NDJSON
    const page: api.EventPage = JSON.parse(await answer.stream.text());
    const effects = page.events.flatMap((event) => event.effects ?? []).length;
    return { effects, after: page.events.at(-1)?.seq ?? after };
  },
  legal: async (game) => told(await api.listLegalMoves(game, {}, { headers }), 200),
  async play(game, move, expected_version) {
    const answer = await api.playMove(game, { seat: 0, move, expected_version }, {}, once());
    return answer.status !== 409 && told(answer, 201) !== undefined;
  },
});
