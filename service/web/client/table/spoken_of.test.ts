import assert from "node:assert/strict";
import { test } from "node:test";
import type { Board } from "../board/geometry.ts";
import { sceneOf, type View } from "../board/scene.ts";
import { spokenOf } from "./spoken_of.ts";

const place = (label: string) => ({ kind: "field", x: 0, y: 0, label });
const ship = { icon: "ship", placed: [{ each: "ships/*", at: "{at}", seat: "{seat}" }] };
const board = {
  ...{ size: [9, 9], colours: {}, icons: [], kinds: {}, moves: {}, catalogue: {}, seats: [] },
  places: { a: place("where.a"), b: place("where.b") },
  pieces: { ship },
  mat: {
    size: [9, 9],
    each: "players/*",
    kinds: {},
    places: { hold: place("where.hold") },
    pieces: {},
  },
} as unknown as Board;
const words = {
  "where.a": "Port A",
  "where.b": "Port B",
  "where.hold": "Hold",
  "piece.ship": "ship",
};
const view = {
  players: [{}, {}],
  ships: [
    { at: "b", seat: 0 },
    { at: "a", seat: 1 },
  ],
} as unknown as View;
const setting = { board, tables: {}, words, language: "en", names: ["Ana", "Ben"] };
const PANELS = { question: "your question" };

test("what a step speaks of has names: places, pieces where they stand, and panels", () => {
  const scene = sceneOf(
    { ...setting, words: { ...words, "seat.0": "red", "seat.1": "blue" } },
    view,
    0,
  );
  const names = (...at: string[]) => spokenOf(at, scene, PANELS);
  assert.deepEqual(names("place:b", "mat:hold"), ["Port B", "Hold"]);
  assert.deepEqual(names("piece:ship"), ["Port B: ship: Ana (red)", "Port A: ship: Ben (blue)"]);
  assert.deepEqual(names("question", "question"), ["your question"]);
  assert.deepEqual(spokenOf(["question", "place:a"], null, PANELS), ["your question"]);
});
