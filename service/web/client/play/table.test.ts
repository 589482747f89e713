import assert from "node:assert/strict";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { effect } from "@preact/signals";
import { Service } from "../api/client.ts";
import type { Rulesets } from "../board/rulesets.ts";
import { holderName, Table, type Viewer } from "./table.ts";

/** A game in which seat `askedAt[seq]` is asked after event `seq`; each seat has its own view. */
let askedAt: readonly number[] = [];
let version = 1;
/** The open streams, by the seat that they are for. */
const streams = new Map<string, ServerResponse>();
/** Answers of pages for these seats wait until somebody calls the function. */
const held = new Map<string, (() => void)[]>();
let server: Server;

function event(seq: number, seat: number) {
  const asked = askedAt[seq] as number;
  const moves = asked === seat ? [{ type: `move ${seq} of ${seat}` }] : [];
  return {
    ...{ seq, kind: "moved", by: { seat: 0 }, body: {}, effects: [] },
    state: { version: seq, seat, decisions: [{ seat: asked }], state: { seen: seat } },
    legal_moves: { version: seq, moves, labels: moves.map(({ type }) => type) },
    groups: [],
  };
}

function answered(path: string, query: URLSearchParams, response: ServerResponse): void {
  const seat = query.get("seat") ?? "";
  if (path.endsWith("/stream")) {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(": open\n\n");
    streams.set(seat, response);
    const from = Number(query.get("after") ?? version);
    for (let seq = from + 1; seq <= version; seq++) told(seat, seq);
    return;
  }
  response.writeHead(200, { "Content-Type": "application/json" });
  const found = Array.from({ length: version }, (_, n) => event(n + 1, Number(seat)));
  const send = (answer: unknown) => response.end(JSON.stringify(answer));
  if (path.endsWith("/log")) send({ effects: [], version, next_after: null });
  else if (!path.endsWith("/events"))
    send({ id: "g", version, status: "running", seats: [], decisions: [{ seat: askedAt[1] }] });
  else if (held.has(seat)) held.get(seat)?.push(() => send({ events: found, next_after: null }));
  else send({ events: found, next_after: null });
}

function told(seat: string, seq: number): void {
  streams.get(seat)?.write(`id: ${seq}\ndata: ${JSON.stringify(event(seq, Number(seat)))}\n\n`);
}

before(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://table");
    const last = request.headers["last-event-id"] as string | undefined;
    if (last !== undefined) searchParams.set("after", last);
    answered(pathname, searchParams, response);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
});
after(() => {
  server.close();
  server.closeAllConnections();
});

function opened(): Table {
  const { port } = server.address() as AddressInfo;
  const viewer: Viewer = {
    service: new Service({ url: `http://127.0.0.1:${port}` }),
    rulesets: { read: async () => ({}) } as unknown as Rulesets,
    own: () => [0, 1],
    pace: () => 0,
    confirms: () => false,
    rewound: () => {},
  };
  const table = new Table("g", viewer);
  void table.open(() => ({ at: null, eyes: null }));
  return table;
}

/** Waits until a condition of signals is true; the test's own time limit ends it otherwise. */
function until(condition: () => boolean): Promise<void> {
  return new Promise((done) => {
    const stop = effect(() => {
      if (condition()) setTimeout(() => [stop(), done()]);
    });
  });
}

async function came(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((soon) => setTimeout(soon, 5));
}

test("a player on two seats sees the view of the one that is asked, however answers cross", {
  timeout: 20_000,
}, async () => {
  askedAt = [-1, 0, 1, 1];
  const table = opened();
  await until(() => table.shown.value === 1);
  await came(() => streams.has("0"));
  assert.equal(table.legal.value?.labels[0], "move 1 of 0");
  held.set("1", []);
  version = 2;
  told("0", 2); // seat 1 is asked now: its page is read, which takes a while
  await came(() => held.get("1")?.length === 1);
  version = 3;
  told("0", 3); // the stream is still that of seat 0
  await until(() => table.newest.value === 3);
  const [late] = held.get("1") ?? [];
  held.delete("1");
  late?.();
  await until(() => table.shown.value === 3);
  await came(() => streams.has("1"));
  assert.equal(table.eyes.value, 1);
  assert.equal(table.frame.value?.state.seat, 1);
  assert.equal(table.legal.value?.labels[0], "move 3 of 1");
  table.close();
});

test("a name that is read from the right keeps its direction to itself", () => {
  const called = (name: string) =>
    holderName({ holder: "player", name } as Parameters<typeof holderName>[0]);
  assert.equal(called("Ana"), "Ana");
  assert.equal(called("علي"), "\u2068علي\u2069");
  assert.equal(called("Ana (חנה)"), "\u2068Ana (חנה)\u2069");
});
