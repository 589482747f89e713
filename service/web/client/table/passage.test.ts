import assert from "node:assert/strict";
import { test } from "node:test";
import type { Scene } from "../board/scene.ts";
import { anchorsOf, edgesOf, partOf, refsOfType } from "./passage.ts";

const place = (x: number, y: number) => ({ kind: "sea", x, y, label: "" });
const SCENE = {
  board: {
    size: [1600, 1000],
    places: { a: place(100, 100), b: place(300, 200), far: place(1500, 900) },
  },
  pieces: [{ type: "ship", id: "s1", owner: null, place: "far" }],
} as unknown as Scene;

test("the passage of the only type of move comes before that of the question", () => {
  assert.deepEqual(anchorsOf("auction", ["bid", "bid"]), ["move-bid", "decision-auction"]);
  assert.deepEqual(anchorsOf("auction", ["bid", "pass"]), ["decision-auction"]);
  assert.deepEqual(anchorsOf(undefined, []), []);
});

test("a part has its places around its middle, and stays within the board", () => {
  const near = partOf(SCENE, ["place:a", "place:b"]);
  assert.deepEqual(near, [0, 0, 720, 324]);
  const [x, y, width, height] = partOf(SCENE, ["piece:ship:s1"]) ?? [0, 0, 0, 0];
  assert.deepEqual([x + width, y + height], [1600, 1000]);
  assert.deepEqual(partOf(SCENE, ["place:a", "place:far"]), [0, 0, 1600, 1000]);
  assert.equal(partOf(SCENE, ["mat:0:a"]), null);
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
      pass: {},
    },
  };
  const pieces = ["a", "b"].map((id) => ({ type: "card", id, owner: null, place: "q1" }));
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
