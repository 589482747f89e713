import assert from "node:assert/strict";
import { test } from "node:test";
import type { Scene } from "../board/scene.ts";
import { anchorsOf, edgesOf, partOf } from "./passage.ts";

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
