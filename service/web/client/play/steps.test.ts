import assert from "node:assert/strict";
import { test } from "node:test";
import { type Happening, happeningOf } from "./happenings.ts";
import { stepsOf } from "./steps.ts";

/** Events from words such as "0:bid", where "-:chanced" is nobody's. */
function events(...told: string[]): Happening[] {
  return told.map((one, index) => {
    const [seat = "", type = "", kind = "moved"] = one.split(":");
    const none = seat === "-";
    return {
      seq: index + 1,
      at: "",
      kind: none ? type : kind,
      seat: none ? null : Number(seat),
      type: kind === "moved" ? type : null,
      why: null,
      to: null,
    };
  });
}

function steps(told: string[], rounds: number[] = []): number[][] {
  return stepsOf(events(...told), new Set(rounds)).map((step) => step.map(({ seq }) => seq));
}

test("a turn is a step, with what it draws", () => {
  const told = ["0:drive", "0:walk", "-:chanced", "0:use", "1:drive", "1:walk"];
  assert.deepEqual(steps(told), [
    [1, 2, 3, 4],
    [5, 6],
  ]);
});

test("moves of one kind are a step, and what is drawn after them is another", () => {
  const told = ["0:bid", "1:bid", "2:bid", "0:pass", "1:pass", "-:chanced", "2:load"];
  assert.deepEqual(steps(told), [[1, 2, 3], [4, 5], [6], [7]]);
});

test("who goes on after a move among others of its kind is in a turn", () => {
  const told = ["0:drive", "1:drive", "1:walk", "1:use", "2:drive"];
  assert.deepEqual(steps(told), [[1], [2, 3, 4], [5]]);
});

test("what begins a round begins a step, and after what ends one another begins", () => {
  assert.deepEqual(steps(["0:build", "-:chanced", "0:build"], [2]), [[1], [2], [3]]);
  assert.deepEqual(steps(["0:build", "0:build", "1:build"], [1, 2]), [[1], [2], [3]]);
});

test("a time-out and the move of the rules are a step; what stops everybody is one, too", () => {
  const told = ["0:use", "1::timed_out", "1::defaulted", "-:suspended", "-:resumed", "1:use"];
  assert.deepEqual(steps(told), [[1], [2, 3], [4], [5], [6]]);
});

test("secret moves are of one kind", () => {
  assert.deepEqual(steps(["0:", "1:", "2:"]), [[1, 2, 3]]);
});

test("an event tells whom it is about", () => {
  const event = { seq: 7, at: "2026-11-27T20:00:00Z", body: {} } as never as Parameters<
    typeof happeningOf
  >[0];
  const made = (kind: string, by: object, body: object = {}) => {
    const { seq, at, kind: _, ...rest } = happeningOf({ ...event, kind, by, body } as never);
    return rest;
  };
  const nothing = { seat: null, type: null, why: null, to: null };
  assert.deepEqual(made("moved", { seat: 2 }, { move: { type: "bid" } }), {
    ...nothing,
    seat: 2,
    type: "bid",
  });
  assert.deepEqual(made("timed_out", { service: "clock" }, { time_out: { seat: 1 } }), {
    ...nothing,
    seat: 1,
  });
  assert.deepEqual(made("defaulted", { seat: 1, service: "timed_out" }), {
    ...nothing,
    seat: 1,
    why: "timed_out",
  });
  assert.deepEqual(made("undone", { seat: 0 }, { undo: { to: 4 } }), {
    ...nothing,
    seat: 0,
    to: 4,
  });
  assert.deepEqual(made("suspended", { admin: "root" }), nothing);
});
