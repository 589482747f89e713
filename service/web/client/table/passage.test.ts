import assert from "node:assert/strict";
import { test } from "node:test";
import type { Scene } from "../board/scene.ts";
import { anchorsOf, edgesOf, partOf, refsOfType } from "./passage.ts";

const place = (x: number, y: number) => ({ kind: "sea", x, y, label: "" });
const SCENE = {
  board: {
    size: [1600, 1000],
    kinds: { sea: { shape: { circle: 50 } } },
    places: { a: place(100, 100), b: place(300, 200), c: place(560, 150), far: place(1500, 900) },
  },
  pieces: [{ type: "ship", id: "s1", owner: null, place: "far" }],
} as unknown as Scene;

test("the passage of the only type of move comes before that of the question", () => {
  assert.deepEqual(anchorsOf("auction", ["bid", "bid"]), ["move-bid", "decision-auction"]);
  assert.deepEqual(anchorsOf("auction", ["bid", "pass"]), ["decision-auction"]);
  assert.deepEqual(anchorsOf(undefined, []), []);
});

test("a part has the whole of its places, and stays within the board", () => {
  assert.deepEqual(partOf(SCENE, ["place:a"]), [0, 2, 480, 252]);
  const [x, y, width, height] = partOf(SCENE, ["piece:ship:s1"]) ?? [0, 0, 0, 0];
  assert.deepEqual([x + width, y + height], [1600, 998]);
  assert.deepEqual(partOf(SCENE, ["place:a", "place:far"]), [2, 2, 1596, 996]);
  assert.equal(partOf(SCENE, ["mat:0:a"]), null);
});

test("the edges of a part cut no other place that is near", () => {
  assert.deepEqual(partOf(SCENE, ["place:b"]), [46, 46, 568, 267.6]);
});

test("a type of move refers to all places that it may name", () => {
  const places = ["row_1", "row_2", "row_10", "q1", "q2", "start_a_1", "start_b_2", "bulls", "t1"];
  const kindOf = (key: string) => key.replace(/\d+$/, "");
  const board = {
    places: Object.fromEntries(places.map((key) => [key, { kind: kindOf(key), x: 0, y: 0 }])),
    tracks: { street: { places: ["t1", "q1"] } },
    moves: {
      take: { row: { place: "row_{.}" }, type: { piece: "card" } },
      claim: { quarter: { place: "{.}" } },
      set: { "starts/*": { place: "start_{#}_{.}" } },
      buy: { type: { place: "bulls" } },
      drive: { steps: { along: "street" } },
      play: { card: { piece: "card" } },
      use: { type: { piece: "card", id: "b" } },
      sail: { ship: { piece: "ship" } },
      pass: {},
    },
    mat: { pieces: { card: {} } },
    pieces: { ship: { placed: [{ each: "ships/*", at: "row_{row}" }] } },
  };
  const onBoard = ["a", "b"].map((id) => ({ type: "card", id, owner: null, place: "q1" }));
  const pieces = [...onBoard, { type: "ship", id: "s", owner: null, place: "t1" }];
  const scene = { board, pieces } as unknown as Scene;
  const of = (type: string, properties: object = {}) => refsOfType(scene, type, { properties });
  assert.deepEqual(of("take", { row: { minimum: 1, maximum: 2 } }), ["place:row_1", "place:row_2"]);
  assert.deepEqual(of("claim", { quarter: { examples: ["q1"] } }), ["place:q1", "place:q2"]);
  assert.deepEqual(of("claim", { quarter: { anyOf: [{ enum: ["q2"] }, {}] } }), ["place:q2"]);
  const starts = { starts: { properties: { x: { enum: [1, 2] } } } };
  assert.deepEqual(of("set", starts), ["place:start_a_1", "place:start_b_2"]);
  assert.deepEqual(of("buy", { type: { const: "buy" } }), ["place:bulls"]);
  assert.deepEqual(of("drive"), ["place:t1", "place:q1"]);
  const cards = { card: { enum: ["a", "b", "c"] } };
  assert.deepEqual(of("play", cards), ["piece:card:a", "piece:card:b"]);
  assert.deepEqual(of("play", { card: { examples: ["a"] } }), []);
  assert.deepEqual(of("use"), ["piece:card:b"]);
  assert.deepEqual(of("sail"), ["piece:ship:s"]);
  const before = refsOfType({ ...scene, pieces: onBoard } as unknown as Scene, "sail", {});
  assert.deepEqual(before, ["place:row_1", "place:row_2", "place:row_10"]);
  assert.deepEqual([of("pass"), of("unknown")], [[], []]);
});

test("the drawer leaves the question in sight", () => {
  const desk = [1280, 800] as const;
  assert.deepEqual(edgesOf({ top: 80, bottom: 300, right: 1270 }, desk), { top: "308px" });
  assert.deepEqual(edgesOf({ top: 500, bottom: 790, right: 1270 }, desk), { bottom: "308px" });
  assert.deepEqual(edgesOf({ top: 80, bottom: 300, right: 400 }, desk), {});
  assert.deepEqual(edgesOf({ top: 200, bottom: 700, right: 1270 }, desk), {});
  const phone = edgesOf({ top: 608, bottom: 844, right: 390 }, [390, 844]);
  assert.deepEqual(phone, { bottom: "236px", height: "420px" });
  assert.deepEqual(edgesOf(undefined, desk), {});
});
