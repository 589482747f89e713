import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import type { Happening, Past } from "./happenings.ts";
import { nextOf, restOf, strideFrom, timeOf } from "./pace.ts";

const event = (seq: number, seat: number, type: string) =>
  ({ seq, at: "", kind: "moved", seat, type, why: null, to: null }) as Happening;
const past = ({ seq, seat, type }: Happening): Past => ({
  ...{ seq, at: "", kind: "moved", by: { seat } as never },
  body: { move: { type } } as never,
});
const TURNS = [event(2, 0, "go"), event(3, 0, "end"), event(4, 1, "bid"), event(5, 2, "bid")];

test("the way on leads to the end of a step", () => {
  const from = (shown: number, newest = 5) => {
    const { before, ...way } = strideFrom(shown, newest, TURNS, new Set());
    assert.ok(before.includes(shown));
    return way;
  };
  assert.deepEqual(from(1), { to: 3, goesOn: false, left: 2 });
  assert.deepEqual(from(2), { to: 3, goesOn: true, left: 2 });
  assert.deepEqual(from(3), { to: 5, goesOn: false, left: 1 });
  assert.deepEqual(from(3, 4), { to: 4, goesOn: false, left: 1 });
});

test("an event that nothing is known of is a step", () => {
  assert.deepEqual(strideFrom(7, 9, TURNS, new Set()), {
    ...{ to: 8, goesOn: false, left: 2 },
    before: [7],
  });
});

test("what was done by others stays for its time, and what asks the viewer for none", () => {
  const at = (wanted: number, legal: unknown = null, own: number[] = [3]) => ({
    ...{
      frame: signal({ legal }),
      wanted: signal(wanted),
      newest: signal(5),
      past: signal(TURNS.map(past)),
    },
    ...{ log: signal([{ seq: 3, type: "done", text: "A goes" }]), ruleset: signal(null) },
    ...{ own: signal(own), viewer: { pace: () => 700 } },
  });
  assert.equal(restOf(at(3), 0), 700);
  assert.equal(restOf(at(3), 4200), 0);
  assert.equal(restOf(at(3, null, []), 4200), 700);
  assert.equal(restOf(at(2), 0), 0);
  assert.equal(restOf(at(3, {}), 0), 0);
});

test("who plays sees the newest event when all the time has passed, and all do without a pace", () => {
  const at = (own: number[], pace: number) => ({
    ...{ frame: signal(null), wanted: signal(1), newest: signal(5), past: signal(TURNS.map(past)) },
    ...{ log: signal([]), ruleset: signal(null), own: signal(own), viewer: { pace: () => pace } },
  });
  assert.equal(nextOf(at([3], 700), 4200), 3);
  assert.equal(nextOf(at([3], 700), 4201), 5);
  assert.equal(nextOf(at([], 700), 4201), 3);
  assert.equal(nextOf(at([3], 0), 0), 5);
  assert.equal(nextOf(at([], 0), 0), 5);
});

/** The time for which `count` steps are shown, if `known` of them are known at a time. */
function shown(pace: number, count: number, known: number): number {
  let spent = 0;
  for (let left = count; left > 0; left--) spent += timeOf(pace, spent, Math.min(left, known));
  return spent;
}

test("between two questions, showing takes six times the pace at most, however much happens", () => {
  for (const count of [1, 3, 8, 40, 1000])
    for (const known of [1, 4, count]) {
      assert.ok(shown(700, count, known) <= 4200 + 1e-6);
      assert.ok(shown(1500, count, known) <= 9000 + 1e-6);
    }
  assert.equal(shown(700, 3, 3), 2100);
  assert.equal(shown(0, 9, 3), 0);
});
