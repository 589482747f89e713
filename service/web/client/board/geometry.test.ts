import assert from "node:assert/strict";
import { test } from "node:test";
import { extentOf, type Shape, type Sheet, shapeOf } from "./geometry.ts";

test("the room that a shape takes", () => {
  const extents: [Shape, number[]][] = [
    [{ rect: [60, 90] }, [60, 90]],
    [{ circle: 20 }, [40, 40]],
    [{ ellipse: [30, 10] }, [60, 20]],
    [{ hex: 10 }, [Math.sqrt(3) * 10, 20]],
    [{ polygon: [[-10, 0], [30, 5], [0, -20]] }, [40, 25]], // biome-ignore format: corners
    [{}, [0, 0]],
  ];
  for (const [shape, extent] of extents) assert.deepEqual(extentOf(shape), extent);
});

test("a place has its own shape, that of its kind, or a small circle", () => {
  const sheet = {
    kinds: { stop: { shape: { rect: [9, 9] }, colour: "paper" } },
  } as unknown as Sheet;
  const place = { kind: "stop", x: 0, y: 0, label: "" };
  assert.deepEqual(shapeOf(sheet, place), { rect: [9, 9] });
  assert.deepEqual(shapeOf(sheet, { ...place, shape: { hex: 3 } }), { hex: 3 });
  assert.deepEqual(shapeOf(sheet, { ...place, kind: "other" }), { circle: 20 });
});
