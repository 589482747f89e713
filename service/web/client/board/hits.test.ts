import assert from "node:assert/strict";
import { test } from "node:test";
import { hitAreas as hitAreasOn } from "./hits.ts";
import type { Area } from "./room.ts";

function around(x: number, y: number, size: number): Area {
  const half = size / 2;
  return { left: x - half, right: x + half, top: y - half, bottom: y + half };
}

const SHEET: Area = { left: -500, right: 500, top: -500, bottom: 500 };
const hitAreas = (drawn: readonly Area[], least: number) => hitAreasOn(drawn, least, SHEET);

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
      [21, 65], // and have on the other side what they lack
      [65, 109],
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

test("what a button leaves to a neighbour it has on the other side, if nobody is there", () => {
  const [one] = hitAreas([around(50, 50, 36), around(90, 90, 40)], 44);
  assert.equal((one?.right ?? 0) - (one?.left ?? 0), 44);
  const row = hitAreas(
    [20, 50, 80].map((x) => around(x, 50, 20)),
    44,
  );
  assert.deepEqual([row[1]?.left, row[1]?.right], [35, 65]);
});

test("a piece on a place takes of the place what it needs", () => {
  assert.deepEqual(hitAreas([around(50, 50, 80), around(60, 60, 10)], 24), [
    null,
    around(60, 60, 24),
  ]);
});

test("a button at the edge of the sheet has on the inside what it lacks outside", () => {
  const [area] = hitAreasOn([around(50, 8, 16)], 44, { ...SHEET, top: 0 });
  assert.deepEqual([area?.top, area?.bottom], [0, 44]);
});
