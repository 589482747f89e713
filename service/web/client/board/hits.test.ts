import assert from "node:assert/strict";
import { test } from "node:test";
import { hitAreas } from "./hits.ts";
import type { Area } from "./room.ts";

function around(x: number, y: number, size: number): Area {
  const half = size / 2;
  return { left: x - half, right: x + half, top: y - half, bottom: y + half };
}

test("a small button has the least area, a large one needs none", () => {
  assert.deepEqual(hitAreas([around(50, 50, 18), around(150, 50, 34)], 24), [
    around(50, 50, 24),
    null,
  ]);
});

test("a circle has the square around it", () => {
  assert.deepEqual(hitAreas([around(50, 50, 26)], 24), [around(50, 50, 26)]);
});

test("neighbours share the gap between them by what they need", () => {
  const alike = hitAreas([around(50, 50, 20), around(80, 50, 20)], 44);
  assert.deepEqual(
    alike.map((area) => [area?.left, area?.right]),
    [
      [28, 65],
      [65, 102],
    ],
  );
  const [small] = hitAreas([around(50, 50, 16), around(78, 50, 30)], 24);
  assert.equal(small?.right, 62); // the neighbour is large enough
  const [nearer] = hitAreas([around(50, 50, 16), around(75, 50, 30)], 24);
  assert.equal(nearer?.right, 60);
});

test("neighbours across a corner share the wider gap", () => {
  const [one, other] = hitAreas([around(0, 0, 20), around(30, 24, 20)], 44);
  assert.equal(one?.right, 15);
  assert.equal(other?.left, 15);
  assert.equal(one?.bottom, 22);
});

test("a piece on a place takes of the place what it needs", () => {
  assert.deepEqual(hitAreas([around(50, 50, 80), around(60, 60, 10)], 24), [
    null,
    around(60, 60, 24),
  ]);
});
