import assert from "node:assert/strict";
import { test } from "node:test";
import type { Board } from "./geometry.ts";
import { standing } from "./standing.ts";

const place = (x: number) => ({ kind: "field", x, y: 0, label: "" });
const board = {
  kinds: {},
  places: { a: place(0), b: place(10), c: place(20) },
  pieces: {
    ship: { placed: [{ each: "ships/*", at: "{at}", seat: "{seat}" }] },
    card: { placed: [{ each: "cards/*", at: "c", id: "{.}", offset: [5, 5], if: "{../../open}" }] },
  },
  mat: {
    each: "players/*",
    kinds: {},
    places: { hold: place(3) },
    pieces: { good: { placed: [{ each: "goods/*", at: "hold", id: "{#}", count: "{.}" }] } },
  },
} as unknown as Board;
const view = (ships: [string, number][], extra: object = {}) => ({
  ships: ships.map(([at, seat]) => ({ at, seat })),
  ...extra,
});

test("pieces stand on their places, several of a spot in order; nobody stands nowhere", () => {
  const { pieces } = standing(board, view([["a", 0], ["a", 1], ["nowhere", 1]])); // biome-ignore format: one line
  assert.deepEqual(
    pieces.map(({ key, x, nth, among }) => [key, x, nth, among]),
    [
      ["ship::0:1", 0, 0, 2],
      ["ship::1:1", 0, 1, 2],
    ],
  );
});

test("a condition leaves out, an offset moves", () => {
  assert.deepEqual(standing(board, view([], { cards: ["x"], open: false })).pieces, []);
  const [card] = standing(board, view([], { cards: ["x"], open: true })).pieces;
  assert.deepEqual([card?.id, card?.x, card?.y], ["x", 25, 5]);
});

test("a mat is its player's, by the seat that the player says or the index", () => {
  const players = [{ goods: { rum: 2 } }, { seat: 4, goods: {} }];
  const { mats } = standing(board, view([], { players }));
  assert.deepEqual(
    mats.map(({ owner, pieces }) => [owner, pieces.map(({ id, count }) => [id, count])]),
    [
      [0, [["rum", 2]]],
      [4, []],
    ],
  );
});

test("who stays keeps its key first; who moves takes what is free; who comes has a new one", () => {
  const before = standing(board, view([["a", 0], ["b", 0]])); // biome-ignore format: one line
  const now = standing(board, view([["b", 0], ["c", 0], ["a", 1]]), before); // biome-ignore format: one line
  const [stayed, moved] = [before.pieces[1]?.key, before.pieces[0]?.key];
  assert.deepEqual(
    now.pieces.map(({ key, place: at }) => [at, key]),
    [
      ["b", stayed],
      ["c", moved],
      ["a", "ship::1:1"],
    ],
  );
});
