/**
 * The program of play.ts with the client that @hey-api/openapi-ts makes, and its stream:
 *
 *     node hey.ts http://127.0.0.1:8000 [ruleset …]
 */

import { client } from "./generated/hey/client.gen.ts";
import {
  createGame, createPlayer, getGame, listRulesets, playMove, revealEntropy, streamEvents,
} from "./generated/hey/index.ts";
import { bring } from "./entropy.ts";
import { persistent } from "./stream.ts";
import type { Event } from "./generated/hey/index.ts";

const [baseUrl, ...wanted] = process.argv.slice(2);
const settings = { baseUrl, throwOnError: true, fetch: persistent } as const;
client.setConfig(settings);
const { data: robot } = await createPlayer({ body: { name: "Robot" }, throwOnError: true });
client.setConfig({ ...settings, auth: ({ type }) => (type === "http" ? robot.key : undefined) });

async function play(ruleset: string, bots: number) {
  const { entropy, commitment } = await bring(null, 0);
  const seats = [
    { holder: "me" as const, entropy_commitment: commitment },
    ...Array.from({ length: bots }, () => ({ holder: "bot" as const, bot: "greedy" })),
  ];
  const { data: opened } = await createGame({
    headers: { "Idempotency-Key": crypto.randomUUID() },
    body: { ruleset, seats, entropy_mode: "lenient" },
    throwOnError: true,
  });
  const path = { game_id: opened.id };
  await revealEntropy({
    path: { ...path, seat: 0 },
    headers: { "Idempotency-Key": commitment },
    body: { entropy },
    throwOnError: true,
  });
  let moves = 0;
  const { stream } = await streamEvents({
    path,
    query: { include: ["effects", "words", "state", "legal_moves"], after: 0 },
  });
  for await (const message of stream) {
    const { seq, last, legal_moves } = message as unknown as Event;
    const choices = legal_moves?.moves ?? [];
    if (seq === undefined) break; // the last message, which has only a version
    if (seq !== last || choices.length === 0) continue;
    const move = choices[Math.floor(Math.random() * choices.length)];
    const { error } = await playMove({
      path,
      headers: { "Idempotency-Key": `${opened.id}-${seq}` },
      body: { seat: 0, expected_version: seq, move },
      throwOnError: false,
    });
    if (error === undefined) moves += 1;
    else if (error.code !== "stale_version") throw new Error(JSON.stringify(error));
  }
  const { data: ended } = await getGame({ path, throwOnError: true });
  const { status, result, seats: sat } = ended;
  return { ruleset, id: opened.id, status, moves, entropy: sat[0]?.entropy?.revealed, result };
}

const { data: catalogue } = await listRulesets({ throwOnError: true });
for (const { id, min_seats } of catalogue.rulesets)
  if (wanted.length === 0 || wanted.includes(id))
    console.log(JSON.stringify(await play(id, Math.max(min_seats, 2) - 1)));
