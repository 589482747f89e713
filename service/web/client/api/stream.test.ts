import assert from "node:assert/strict";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, test } from "node:test";
import { signal } from "@preact/signals";
import { Service } from "./client.ts";
import { Refusal } from "./problem.ts";
import { follow } from "./stream.ts";

const cutSince = signal<number | null>(null);

/**
 * A server that sends these messages one after the other, and notes after which event each
 * connection starts.
 */
let answers: ((response: ServerResponse) => void)[] = [];
let from: (string | undefined)[] = [];
let server: Server;

before(async () => {
  server = createServer((request, response) => {
    from.push(request.headers["last-event-id"] as string | undefined);
    (answers.shift() ?? ((last) => sent(last, "event: end\ndata: {}\n\n")))(response);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
});
afterEach(() => {
  [answers, from, cutSince.value] = [[], [], null];
});
after(() => server.close());

function sent(response: ServerResponse, ...pieces: string[]): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  for (const piece of pieces) response.write(piece);
  response.end();
}
const event = (seq: number) => `id: ${seq}\ndata: {"seq":${seq}}\n\n`;

async function followed(after: number, stop = new AbortController()) {
  const told: string[] = [];
  const { port } = server.address() as AddressInfo;
  await follow(new Service({ url: `http://127.0.0.1:${port}` }), {
    path: "/stream",
    after,
    signal: stop.signal,
    cutSince,
    onEvent: (data) => told.push(data),
    onLast: (kind) => told.push(kind),
  });
  return told;
}

test("events come in order, however they are cut into pieces", async () => {
  const whole = `: hello\n\n${event(1)}${event(2)}event: end\ndata: {}\n\n`;
  answers = [
    (response) => sent(response, whole.slice(0, 17), whole.slice(17, 40), whole.slice(40)),
  ];
  assert.deepEqual(await followed(0), ['{"seq":1}', '{"seq":2}', "end"]);
  assert.deepEqual(from, ["0"]);
});

test("data of several lines are one text", async () => {
  answers = [(response) => sent(response, "id: 1\ndata: one\ndata: two\n\n")];
  assert.deepEqual(await followed(0), ["one\ntwo", "end"]);
});

test("a stream that was cut goes on behind what is known, and tells nothing twice", async () => {
  answers = [
    (response) => sent(response, event(4), "id: 5\nda"),
    (response) => response.writeHead(503).end("{}"),
    (response) => sent(response, event(4), event(5)),
  ];
  assert.deepEqual(await followed(3), ['{"seq":4}', '{"seq":5}', "end"]);
  assert.deepEqual(from, ["3", "4", "4", "5"]);
  assert.equal(cutSince.value, null);
});

test("who was displaced by a newer stream asks again", async () => {
  answers = [(response) => sent(response, event(1), "event: displaced\ndata: {}\n\n", event(2))];
  assert.deepEqual(await followed(0), ['{"seq":1}', "end"]);
  assert.deepEqual(from, ["0", "1"]);
});

test("a refusal ends it", async () => {
  const refusal = { code: "private_game", detail: "Not yours." };
  answers = [(response) => response.writeHead(403).end(JSON.stringify(refusal))];
  await assert.rejects(followed(0), (error) => error instanceof Refusal && error.status === 403);
});

test("who has gone away is told nothing more", async () => {
  const stop = new AbortController();
  answers = [(response) => response.writeHead(200).write(event(1), () => stop.abort())];
  const told = await followed(0, stop);
  assert.ok(told.length <= 1);
  assert.equal(cutSince.value, null);
});

test("a signal ends the connection even in WebKit, which can lose what combines two signals", {
  timeout: 5_000,
}, async (context) => {
  context.mock.method(AbortSignal, "any", () => new AbortController().signal);
  const stop = new AbortController();
  const closed = new Promise((tell) => {
    answers = [
      (response) => {
        response.on("close", tell);
        response.writeHead(200).write(event(1), () => stop.abort());
      },
    ];
  });
  await followed(0, stop);
  await closed;
});
