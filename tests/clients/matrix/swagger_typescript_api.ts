/** A program with the client that swagger-typescript-api makes (fetch). */

import { Api, type HttpResponse, type Move, type Problem } from "./generated/swagger_typescript_api.js";
import { key, playAll } from "./whole.js";

const baseUrl = process.argv[2]!;
const { data: robot } = await new Api({ baseUrl }).v1.createPlayer({ name: "Swagger", kind: "bot" });
const baseApiParams = { headers: { Authorization: `Bearer ${robot.key}` } };
const { v1 } = new Api({ baseUrl, baseApiParams });
const once = () => ({ headers: { "Idempotency-Key": key() } });

await playAll<Move>({
  rulesets: async () => (await v1.listRulesets()).data.rulesets,
  async open(ruleset, bots) {
    const seats = Array.from({ length: bots }, () => ({ holder: "bot" as const, bot: "greedy" }));
    const asked = { ruleset, seats: [{ holder: "me" as const }, ...seats] };
    return (await v1.createGame(asked, {}, once())).data.id;
  },
  status: async (gameId) => (await v1.getGame(gameId)).data.status,
  async look(gameId, after) {
    await v1.getState(gameId);
    const include = ["effects", "words", "state"] as const;
    const { events } = (await v1.listEvents(gameId, { after, include: [...include] })).data;
    const effects = events.flatMap((event) => event.effects ?? []).length;
    return { effects, after: events.at(-1)?.seq ?? after };
  },
  legal: async (gameId) => (await v1.listLegalMoves(gameId)).data,
  async play(gameId, move, expected_version) {
    try {
      await v1.playMove(gameId, { seat: 0, move, expected_version }, {}, once());
      return true;
    } catch (error) {
      const { status, error: problem } = error as HttpResponse<unknown, Problem>;
      if (status === 409) return false;
      throw new Error(JSON.stringify(problem));
    }
  },
});
