import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { Service, told } from "./client.ts";
import { codeOf } from "./problem.ts";
import { follow } from "./stream.ts";

/**
 * Notes the keys of the requests. The service answers that the game of one key is over, and that
 * another key is unknown.
 */
let keys: (string | undefined)[] = [];
let server: Server;

before(async () => {
  server = createServer((request, response) => {
    const key = request.headers.authorization;
    keys.push(key);
    const refused = { "Bearer seat": "seat_key_over", "Bearer lost": "unknown_key" }[key ?? ""];
    if (refused !== undefined)
      response.writeHead(401).end(JSON.stringify({ code: refused, detail: "No." }));
    else if (request.headers.accept === "text/event-stream")
      response.writeHead(200).end("event: end\ndata: {}\n\n");
    else response.writeHead(200).end(JSON.stringify({ id: "g1" }));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
});
after(() => server.close());

function reached(key: string, onKeyLost = () => {}) {
  keys = [];
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  return new Service({ url, credentials: () => ({ key }), onKeyLost });
}
const read = ({ api }: Service) =>
  told(api.GET("/v1/games/{game_id}", { params: { path: { game_id: "g1" } } }));

test("after its game, what a key for one seat opened is read as everybody may", async () => {
  const service = reached("seat");
  assert.equal((await read(service)).id, "g1");
  assert.equal((await read(service)).id, "g1");
  assert.deepEqual(keys, ["Bearer seat", undefined, undefined]);
});

test("a stream that was cut at the end goes on without such a key", async () => {
  const ended: string[] = [];
  await follow(reached("seat"), {
    path: "/stream",
    after: 0,
    signal: new AbortController().signal,
    onEvent: () => {},
    onLast: (kind) => ended.push(kind),
  });
  assert.deepEqual([ended, keys], [["end"], ["Bearer seat", undefined]]);
});

test("a key that nobody knows is told, and not left out", async () => {
  let lost = 0;
  const service = reached("lost", () => {
    lost += 1;
  });
  await assert.rejects(read(service), (error) => codeOf(error) === "unknown_key");
  assert.deepEqual([lost, keys], [1, ["Bearer lost"]]);
});
