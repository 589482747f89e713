import assert from "node:assert/strict";
import { test } from "node:test";
import { leads, scaleAt } from "./scale.ts";

test("a factor is that of a third in its middle, and goes over to the next evenly", () => {
  const thirds = [500, 700, 1000];
  const at = (done: number) => scaleAt(thirds, done, 600);
  assert.deepEqual([at(0), at(100), at(200), at(300)], [0.5, 0.5, 0.6, 0.7]);
  assert.deepEqual([at(500), at(600), scaleAt(undefined, 3, 9)], [1, 1, 1]);
});

test("a lead is over the mean of the others", () => {
  assert.deepEqual(leads([10, 4, 1]), [7.5, -1.5, -6]);
  assert.deepEqual(leads([3]), [0]);
});
