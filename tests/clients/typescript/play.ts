/**
 * A stranger's program: it plays all games of a service at the same time, and knows no rules.
 *
 * It uses the types that openapi-typescript makes from `openapi.yaml`, and sends requests by
 * openapi-fetch:
 *
 *     node play.ts http://127.0.0.1:8000 [ruleset …]
 *
 * A host opens private tables and invites; the guest sits down, and follows all of these games on
 * one connection. It prints a line of JSON for each game that ends: its ruleset, id, moves made,
 * effects seen, the result, and how often the connection broke until then.
 */

import createClient from "openapi-fetch";
import type { components, paths } from "./generated/schema.d.ts";
import { drawn, type Event, moved } from "./board.ts";
import { bring } from "./entropy.ts";
import { follow, persistent } from "./stream.ts";

type Problem = components["schemas"]["Problem"];
type EventPage = components["schemas"]["EventPage"];
const [url, ...wanted] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl: url, fetch: persistent });

function told<T>({ data, error }: { data?: T; error?: Problem }): T {
  if (data === undefined) throw new Error(`the service says ${JSON.stringify(error)}`);
  return data;
}

async function player(name: string) {
  const { key } = told(await api.POST("/v1/players", { body: { name, kind: "bot" } }));
  return { Authorization: `Bearer ${key}` };
}

const host = await player("Host");
const guest = await player("Guest");

/** Open a private table as the host, and sit down there as the guest, by an invitation. */
async function seated(ruleset: string, count: number): Promise<Game> {
  const bots = Array.from({ length: count }, () => ({ holder: "bot" as const, bot: "greedy" }));
  const { id } = told(
    await api.POST("/v1/games", {
      params: { header: { "Idempotency-Key": crypto.randomUUID() } },
      headers: host,
      body: {
        ruleset,
        seats: [{ holder: "open" }, ...bots],
        table: { visibility: "private" },
        entropy_mode: "lenient",
      },
    }),
  );
  const path = { game_id: id };
  const { token } = told(
    await api.POST("/v1/games/{game_id}/invitations", { params: { path }, headers: host }),
  );
  const invited = { params: { path, header: { Invitation: token } }, headers: guest };
  const { seats } = told(await api.GET("/v1/games/{game_id}", invited));
  const { seat } = seats.find(({ holder }) => holder === "open")!;
  const { entropy, commitment } = await bring(id, seat);
  told(
    await api.PUT("/v1/games/{game_id}/seats/{seat}", {
      params: { path: { ...path, seat } },
      headers: guest,
      body: { invitation: token, entropy_commitment: commitment },
    }),
  );
  told(
    await api.POST("/v1/games/{game_id}/seats/{seat}/entropy", {
      params: { path: { ...path, seat }, header: { "Idempotency-Key": commitment } },
      headers: guest,
      body: { entropy },
    }),
  );
  return new Game(id, ruleset, seat);
}

/** A game of the guest, and the version up to which the guest has followed it. */
class Game {
  readonly id: string;
  readonly #ruleset: string;
  readonly #seat: number;
  #seen = 0;
  #moves = 0;
  #effects = 0;

  constructor(id: string, ruleset: string, seat: number) {
    this.id = id;
    this.#ruleset = ruleset;
    this.#seat = seat;
  }

  /** Read what happened; if the guest has a decision, play a random legal move. */
  async answer(): Promise<void> {
    for (;;) {
      const last = await this.#follow();
      const choices = last?.legal_moves?.moves ?? [];
      if (last === undefined || choices.length === 0) return;
      const move = choices[Math.floor(Math.random() * choices.length)];
      const key = `${this.id}-${last.seq}`;
      const { error } = await api.POST("/v1/games/{game_id}/moves", {
        params: { path: { game_id: this.id }, header: { "Idempotency-Key": key } },
        headers: guest,
        body: { seat: this.#seat, expected_version: last.seq, move },
      });
      if (error === undefined) {
        this.#moves += 1;
        return; // a new question comes with a new notice
      }
      if (error.code !== "stale_version") throw new Error(JSON.stringify(error));
    }
  }

  /** Show what happened since; return the newest event, if there is one that was not shown. */
  async #follow(): Promise<Event | undefined> {
    let last: Event | undefined;
    for (let after: number | null = this.#seen; after !== null; ) {
      const page: EventPage | string = told(
        await api.GET("/v1/games/{game_id}/events", {
          params: {
            path: { game_id: this.id },
            query: { after, include: ["effects", "words", "state", "legal_moves"] },
          },
          headers: guest,
        }),
      );
      if (typeof page === "string") throw new TypeError("a page of JSON was expected");
      for (const event of page.events) {
        if (event.seq !== this.#seen + 1) throw new RangeError(`${event.seq} after ${this.#seen}`);
        this.#seen = event.seq;
        this.#effects += (event.effects ?? []).map(moved).length;
        if (event.state?.state) drawn(event.state.state);
        last = event;
      }
      after = page.next_after;
    }
    return last;
  }

  /** Print the result. */
  async summary() {
    const asked = { params: { path: { game_id: this.id } }, headers: guest };
    const { status, result, seats } = told(await api.GET("/v1/games/{game_id}", asked));
    const counted = { moves: this.#moves, effects: this.#effects };
    const entropy = seats[this.#seat]?.entropy?.revealed;
    return { ruleset: this.#ruleset, id: this.id, status, ...counted, entropy, result };
  }
}

const { rulesets } = told(await api.GET("/v1/rulesets"));
const games = new Map<string, Game>();
for (const { id, min_seats } of rulesets)
  if (wanted.length === 0 || wanted.includes(id)) {
    const game = await seated(id, Math.max(min_seats, 2) - 1);
    games.set(game.id, game);
  }
await follow(`${url}/v1/players/me/stream`, guest, async ({ type, data }, breaks) => {
  if (type === "resync") for (const game of games.values()) await game.answer();
  if (type !== "asked" && type !== "ended") return false;
  const game = games.get(data.game_id)!;
  await game.answer();
  if (type === "ended") {
    console.log(JSON.stringify({ ...(await game.summary()), breaks }));
    games.delete(game.id);
  }
  return games.size === 0;
});
