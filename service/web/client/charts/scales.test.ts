import assert from "node:assert/strict";
import { test } from "node:test";
import { scale } from "./scales.ts";

test("ticks are round numbers around all values, and stand evenly", () => {
  const { ticks, at } = scale([-3, 41], [0, 600]);
  assert.deepEqual(ticks, [-10, 0, 10, 20, 30, 40, 50]);
  assert.deepEqual([at(-10), at(20), at(50)], [0, 300, 600]);
  assert.deepEqual(scale([0.1, 0.9], [0, 1]).ticks.length, 6);
});

test("equal values have a scale, too", () => {
  for (const value of [0, 7, -0.3]) {
    const { ticks, at } = scale([value, value], [100, 0]);
    assert.ok(ticks.length >= 2, String(value));
    assert.ok(Number.isFinite(at(value)));
  }
});
