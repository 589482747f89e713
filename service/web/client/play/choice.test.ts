import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { signal } from "@preact/signals";
import { type Schemas, Service } from "../api/client.ts";
import { Choosing } from "./choice.ts";
import type { Legal } from "./choosing.ts";
import type { Game, Table, Viewer } from "./table.ts";

const legal = {
  version: 4,
  moves: [{ type: "roll" }, { type: "hold" }],
  labels: ["Roll", "Hold"],
  groups: [
    { rank: 1, type: "roll", label: "Roll", help: "", count: 1, choices: null },
    { rank: 2, type: "hold", label: "Hold", help: "", count: 1, choices: null },
  ],
} as unknown as Legal;

/** A service that notes the requests and sends the given answers. */
let asked: { path: string; body: unknown; key: string | undefined }[] = [];
let answers: [status: number, body: object][] = [];
let server: Server;

before(async () => {
  server = createServer(async (request: IncomingMessage, response) => {
    const key = request.headers["idempotency-key"] as string | undefined;
    asked.push({ path: String(request.url), body: await json(request), key });
    const [status, body] = answers.shift() ?? [500, {}];
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
});
after(() => server.close());

/** A table at which seat 1 has a decision, and functions that update the table. */
function opened({ confirms = true } = {}) {
  [asked, answers] = [[], []];
  const told: (number | "missed" | "rewound")[] = [];
  const kept: Record<string, Schemas["Receipt"]> = {};
  const { port } = server.address() as AddressInfo;
  const viewer = {
    service: new Service({ url: `http://127.0.0.1:${port}` }),
    confirms: () => confirms,
    keep: (game: string, receipt: Schemas["Receipt"]) => {
      kept[game] = receipt;
    },
    rewound: () => void told.push("rewound"),
    sign: undefined as Viewer["sign"],
  };
  const table = {
    id: "g1",
    viewer,
    game: signal<Partial<Game> | null>(null),
    ruleset: signal(null),
    frame: signal({
      hash: "5a",
      state: { seat: 1, state: {}, decisions: [] as { id: number; seat: number }[] },
    }),
    legal: signal<Legal | null>(legal),
    supposing: signal(false),
    played: (version: number) => told.push(version),
    missed: async () => void told.push("missed"),
  };
  return { table, told, kept, choice: new Choosing(table as unknown as Table) };
}
const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise((soon) => setTimeout(soon, 1));
};
const pick = (name: string) => ({ kind: "type", type: name, label: name }) as const;

test("a whole move is shown before it is sent, then sent once", async () => {
  const { choice, told, kept } = opened();
  answers = [
    [200, { effects: [] }],
    [200, { version: 5, receipt: { seq: 5 } }],
  ];
  choice.take(pick("hold"));
  await until(() => choice.preview.value !== null);
  assert.equal(asked[0]?.path, "/v1/games/g1/preview");
  await Promise.all([choice.send(), choice.send()]);
  assert.deepEqual(
    asked.slice(1).map(({ path, body }) => [path, body]),
    [
      [
        "/v1/games/g1/moves",
        { seat: 1, move: { type: "hold" }, expected_version: 4, expected_head: "5a" },
      ],
    ],
  );
  assert.match(asked[1]?.key ?? "", /^[0-9a-f]{32}$/);
  assert.deepEqual(told, [5]);
  assert.deepEqual(kept, { g1: { seq: 5 } });
  choice.close();
});

test("where players sign, a move is signed once, over what its player saw", async () => {
  const { choice, table } = opened();
  const game = { id: "g1", signatures: "required" } as Game;
  const signed: unknown[] = [];
  const decisions = [{ id: 7, seat: 1 }];
  table.game.value = game;
  table.frame.value.state.decisions = decisions;
  const signature = { decision: 7, sig: "5a" };
  table.viewer.sign = async (...told) => {
    signed.push(told);
    return { ...told[0], signature };
  };
  answers = [
    [503, {}],
    [200, { version: 5, receipt: {} }],
  ];
  choice.picks.value = [pick("hold")];
  await choice.send();
  const form = { seat: 1, move: { type: "hold" }, expected_version: 4, expected_head: "5a" };
  assert.deepEqual(signed, [[form, game, decisions]]);
  const body = { ...form, signature };
  assert.deepEqual(
    asked.map((each) => each.body),
    [body, body],
  );
  assert.equal(asked[0]?.key, asked[1]?.key);
  choice.close();
});

test("a move that cannot be signed is not sent", async () => {
  const { choice, table } = opened();
  table.game.value = { id: "g1", signatures: "required" } as Game;
  const why = new Error("the key is elsewhere");
  table.viewer.sign = () => Promise.reject(why);
  choice.picks.value = [pick("hold")];
  await choice.send();
  assert.equal(choice.error.value, why);
  assert.deepEqual(asked, []);
  choice.close();
});

test("the next question can be answered as soon as the move before it is", async () => {
  const { choice, table } = opened();
  answers = [[200, { version: 5, receipt: {} }]];
  choice.picks.value = [pick("hold")];
  const sent = choice.send();
  table.legal.value = { ...legal, version: 6 };
  const meanwhile = choice.besides.value;
  await sent;
  assert.deepEqual(meanwhile, []);
  assert.deepEqual(
    choice.besides.value.map(({ label }) => label),
    ["Roll", "Hold"],
  );
  choice.close();
});

test("who wants no confirming sends at once", async () => {
  const { choice, told } = opened({ confirms: false });
  answers = [[200, { version: 6, receipt: {} }]];
  choice.take(pick("roll"));
  await until(() => told.length > 0);
  assert.deepEqual(
    asked.map(({ path }) => path),
    ["/v1/games/g1/moves"],
  );
  choice.close();
});

test("a refusal is told; what came too late is told as that, and looked after", async () => {
  const { choice, told } = opened();
  answers = [[422, { code: "illegal_move", detail: "No." }]];
  choice.take(pick("roll"));
  await until(() => choice.error.value !== null);
  assert.deepEqual(choice.picks.value, []);
  answers = [[409, { code: "stale_version", detail: "Late." }]];
  choice.take(pick("roll"));
  await until(() => told.length > 0);
  assert.deepEqual([choice.stale.value, choice.error.value, told], [true, null, ["missed"]]);
  choice.close();
});

test("a service that has lost what was seen is looked at anew", async () => {
  const { choice, told } = opened();
  answers = [[422, { code: "unknown_head", detail: "Another history." }]];
  choice.take(pick("roll"));
  await until(() => told.length > 0);
  assert.deepEqual(told, ["rewound"]);
  choice.close();
});

test("what was begun is forgotten with its question, and taken back step by step", () => {
  const { choice, table } = opened();
  assert.equal(choice.takeBack(), false);
  choice.take({ kind: "element", ref: "place:a", label: "A" });
  choice.take({ kind: "element", ref: "place:b", label: "B" });
  assert.equal(choice.takeBack(), true);
  assert.deepEqual(
    choice.picks.value.map(({ label }) => label),
    ["A"],
  );
  table.legal.value = { ...legal, version: 7 };
  assert.deepEqual(choice.picks.value, []);
  choice.close();
});
