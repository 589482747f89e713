/** A program with the client that openapi-generator makes (typescript-fetch). */

import {
  Configuration, EventsApi, GamesApi, type Move, PlayApi, PlayersApi, ResponseError, RulesetsApi,
} from "./generated/openapi_generator/index.js";
import { key, playAll } from "./whole.js";

const basePath = process.argv[2]!;
const { key: accessToken } = await new PlayersApi(new Configuration({ basePath })).createPlayer({
  playerRequest: { name: "Fetch", kind: "bot" },
});
const settings = new Configuration({ basePath, accessToken });
const games = new GamesApi(settings);
const api = new PlayApi(settings);
const events = new EventsApi(settings);

await playAll<Move>({
  async rulesets() {
    const { rulesets } = await new RulesetsApi(settings).listRulesets();
    return rulesets.map(({ id, minSeats }) => ({ id, min_seats: minSeats }));
  },
  async open(ruleset, bots) {
    const seats = Array.from({ length: bots }, () => ({ holder: "bot" as const, bot: "greedy" }));
    const gameRequest = { ruleset, seats: [{ holder: "me" as const }, ...seats] };
    return (await games.createGame({ gameRequest, idempotencyKey: key() })).id;
  },
  status: async (gameId) => (await games.getGame({ gameId })).status,
  async look(gameId, after) {
    await api.getState({ gameId });
    const page = await events.listEvents({ gameId, after, include: ["effects", "words", "state"] });
    const effects = page.events.flatMap((event) => event.effects ?? []).length;
    return { effects, after: page.events.at(-1)?.seq ?? after };
  },
  legal: (gameId) => api.listLegalMoves({ gameId }),
  async play(gameId, move, expectedVersion) {
    const moveRequest = { seat: 0, move, expectedVersion };
    try {
      await api.playMove({ gameId, moveRequest, idempotencyKey: key() });
      return true;
    } catch (error) {
      if (error instanceof ResponseError && error.response.status === 409) return false;
      if (error instanceof ResponseError) throw new Error(await error.response.text());
      throw error;
    }
  },
});
