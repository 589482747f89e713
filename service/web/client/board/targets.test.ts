import assert from "node:assert/strict";
import { test } from "node:test";
import type { Board } from "./geometry.ts";
import type { Piece } from "./standing.ts";
import { changed, elementsOf, refsOf, touchedBy } from "./targets.ts";

const board = {
  kinds: { site: { table: "sites", key: "site_{.}" } },
  places: { site_x: {}, s0: {}, s1: {}, s2: {} },
  pieces: { card: { table: "cards" }, pawn: {} },
  tracks: { street: { places: ["s0", "s1", "s2"], closed: true } },
  moves: {
    build: { site: { place: "site_{.}" }, "cards/*": { piece: "card" } },
    keep: { good: { mat: "hold_{.}" } },
    walk: { steps: { along: "street", from: "{position}" } },
    rest: { type: { own: "pawn" } },
  },
} as unknown as Board;
const refs = (move: { type: string }, field: string | null = null) =>
  refsOf(board, { position: 2 }, 1, move, field);

test("a move points to places, pieces, its seat's mat and pieces, and along tracks", () => {
  const build = { type: "build", site: "x", cards: ["c1", "c2"] };
  assert.deepEqual(refs(build), ["place:site_x", "piece:card:c1", "piece:card:c2"]);
  assert.deepEqual(refs(build, "site"), ["place:site_x"]);
  assert.deepEqual(refs({ type: "keep", good: "rum" } as { type: string }), ["mat:1:hold_rum"]);
  assert.deepEqual(refs({ type: "walk", steps: 2 } as { type: string }), ["place:s1"]);
  assert.deepEqual(refs({ type: "rest" }), ["piece:pawn:1"]);
  assert.deepEqual(refs({ type: "unknown" }), []);
});

test("an effect touches what the ids in its data name", () => {
  const elements = elementsOf(board, {
    sites: [{ id: "x" }, { id: "gone" }],
    cards: [{ id: "c1" }],
  });
  const data = { site: "x", paid: { c1: 2 }, n: 3, none: null };
  assert.deepEqual(touchedBy(elements, data), ["place:site_x", "piece:card:c1"]);
});

test("what came, went or counts otherwise is told by its place", () => {
  const piece = (key: string, place: string, count = 1) =>
    ({ key, place, mat: null, count }) as Piece;
  const before = [piece("1", "a"), piece("2", "b"), piece("3", "c"), piece("4", "d")];
  const now = [piece("1", "a"), piece("2", "e"), piece("3", "c", 2)];
  assert.deepEqual([...changed(before, now)], ["place:e", "place:c", "place:d"]);
});
