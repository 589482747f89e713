import assert from "node:assert/strict";
import { test } from "node:test";
import { differs, hasHints } from "./hint.ts";

const seats = (...holders: string[]) => holders.map((holder, seat) => ({ seat, holder }));
const game = (holders: string[], rated = false, tournament: string | null = null, hints = false) =>
  ({ seats: seats(...holders), table: { rated }, tournament, hints }) as never;

test("who is alone with bots has hints, but not for ratings and in no tournament", () => {
  assert.equal(hasHints(game(["player", "bot"]), [0]), true);
  assert.equal(hasHints(game(["player", "player", "bot"]), [0, 1]), true);
  assert.equal(hasHints(game(["player", "player"]), [0]), false);
  assert.equal(hasHints(game(["bot", "bot"]), []), false);
  assert.equal(hasHints(game(["player", "player"], true), [0, 1]), false);
  assert.equal(hasHints(game(["player", "bot"], false, "t-1"), [0]), false);
});

test("who plays with others has hints where the table has them", () => {
  assert.equal(hasHints(game(["player", "player"], false, null, true), [0]), true);
  assert.equal(hasHints(game(["player", "player"], false, null, true), []), false);
});

test("what chance explains is no difference", () => {
  const cost = (mean: number, error: number) => differs({ cost: { mean, error } });
  assert.deepEqual([cost(0, 0), cost(500, 300), cost(600, 300), cost(-600, 300)], [0, 0, 1, -1]);
});
