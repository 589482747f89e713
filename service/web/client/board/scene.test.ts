import assert from "node:assert/strict";
import { test } from "node:test";
import type { Board } from "./geometry.ts";
import { laidOut, sceneOf } from "./scene.ts";

const place = { kind: "field", x: 0, y: 0, label: "where.field", says: { n: 2 } };
const board = {
  size: [100, 100],
  colours: {},
  icons: [],
  kinds: {},
  places: { a: place },
  pieces: {},
  moves: {},
  seats: [{ colour: "red", shape: "circle", pattern: "solid" }],
  catalogue: { cards: { name: "card", text: "does" }, tiles: { name: "tile", row_text: "words" } },
} as unknown as Board;
const setting = {
  board,
  tables: { tiles: [{ id: "t", words: { en: "Take one", es: "Toma una" } }] },
  words: {
    "where.field": "field {n}",
    "card.c": "Castle",
    "does.c": "Scores",
    "seat.0": "red",
    "seat.1": "blue",
    "piece.ship": "{count:ship|ships}",
  },
  language: "es",
  names: ["Ana"],
};

test("a scene says names and texts, of tables and of rows, in the language of the page", () => {
  const { says } = sceneOf(setting, {}, 0);
  assert.deepEqual(
    [says.name("cards", "c"), says.text("cards", "c"), says.text("cards", "x")],
    ["Castle", "Scores", ""],
  );
  assert.deepEqual([says.text("tiles", "t"), says.text("tiles", "x")], ["Toma una", ""]);
  assert.deepEqual([says.place("a"), says.place("nowhere")], ["field 2", "nowhere"]);
  assert.deepEqual([says.owner(0), says.owner(1)], ["Ana (red)", "blue"]);
  assert.deepEqual([says.piece("ship", { count: 2 }), says.piece("other")], ["2 ships", ""]);
});

test("who has no sign has that of nobody", () => {
  const scene = sceneOf(setting, {}, null);
  assert.deepEqual([scene.sign(0).colour, scene.sign(7).colour], ["red", "ink"]);
});

test("a layout is for narrow screens, where a renderer has one", () => {
  const narrow = (wide: Board): Board => ({ ...wide, size: [60, 200] });
  assert.deepEqual(laidOut({ narrow }, board, true).board.size, [60, 200]);
  assert.deepEqual(laidOut({ narrow }, board, false), { board, narrow: false });
  assert.deepEqual(laidOut({}, board, true), { board, narrow: false });
});
