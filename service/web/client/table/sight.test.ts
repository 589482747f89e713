import assert from "node:assert/strict";
import { test } from "node:test";
import { fit, scrolled } from "./sight.ts";

const ROOM = { from: 0, to: 400 };
const at = (...tops: number[]) => tops.map((top) => ({ from: top, to: top + 40 }));

test("nothing moves where all is in sight, or nothing can be chosen", () => {
  assert.equal(scrolled(at(10, 200, 350), ROOM), 0);
  assert.equal(scrolled([], ROOM), 0);
});

test("what is below comes up by no more than it must, with some space", () => {
  assert.equal(scrolled(at(300, 500), ROOM), 148);
});

test("what is above comes down", () => {
  assert.equal(scrolled(at(-100, 30), ROOM), -108);
});

test("if not all have room, the most come into sight", () => {
  assert.equal(scrolled(at(0, 500, 600, 700), ROOM), 348);
});

test("of what is higher than the room, the most is shown by the shortest way", () => {
  assert.equal(scrolled([{ from: -50, to: 900 }], ROOM), 0);
  assert.equal(scrolled([{ from: 300, to: 900 }], ROOM), 292);
});

test("all have room at once or not, wherever they are", () => {
  assert.equal(fit(at(-900, -600), ROOM), true);
  assert.equal(fit(at(-900, -400), ROOM), false);
  assert.equal(fit([], ROOM), true);
});
