import assert from "node:assert/strict";
import { test } from "node:test";
import type { Happening } from "../play/happenings.ts";
import type { Effect } from "../play/table.ts";
import { lastMoveOf, textOf, turnsOf } from "./turns.ts";

const line = (seq: number, text: string, type = "told") =>
  ({ seq, type, text, data: {} }) as unknown as Effect;
const event = (seq: number, seat: number | null, kind = "moved", to: number | null = null) =>
  ({
    seq,
    at: "",
    kind,
    seat,
    type: kind === "moved" ? `${seq}` : null,
    why: null,
    to,
  }) as Happening;
const saidOf = ({ kind }: Happening) => (["timed_out", "undone"].includes(kind) ? kind : null);
const turns = (log: Effect[], events: Happening[], until = 99) =>
  turnsOf(log, events, ["round"], until, saidOf);

const LOG = [line(2, "A sails"), line(2, "A gains 1"), line(3, ""), line(4, "B sails")];
const EVENTS = [event(1, null, "created"), event(2, 0), event(3, 0), event(4, 1)];

test("each turn has the events of which something is said", () => {
  const found = turns(LOG, EVENTS).map((turn) =>
    turn.map(({ seq, effects }) => [seq, effects.length]),
  );
  assert.deepEqual(found, [[[2, 2]], [[4, 1]]]);
  assert.equal(textOf(turns(LOG, EVENTS)[0]?.[0] as never, "By rules:"), "A sails. A gains 1.");
});

test("the log ends where the board is", () => {
  assert.equal(turns(LOG, EVENTS, 3).length, 1);
});

test("until the events are read, each line stands alone", () => {
  assert.deepEqual(
    turns(LOG, EVENTS.slice(2)).map((turn) => turn.map(({ seq }) => seq)),
    [[2], [4]],
  );
});

test("what happened since a player's last move begins after it, not after what the rules played", () => {
  const events = [...EVENTS, event(5, 0, "defaulted"), event(6, null, "chanced")];
  assert.equal(lastMoveOf(events, [0]), 3);
  assert.equal(lastMoveOf(events, [0, 1]), 4);
  assert.equal(lastMoveOf(events, [2]), null);
});

test("a time-out is said before what the rules played", () => {
  const [turn] = turns(
    [line(3, "A sails")],
    [event(1, null, "created"), event(2, 0, "timed_out"), event(3, 0, "defaulted")],
  );
  assert.deepEqual(
    turn?.map((entry) => textOf(entry, "By rules:")),
    ["timed_out.", "By rules: A sails."],
  );
});

test("what was taken back is marked", () => {
  const found = turns(LOG, [...EVENTS, event(5, 1, "undone", 3)]).flat();
  assert.deepEqual(
    found.map(({ seq, gone }) => [seq, gone]),
    [
      [2, false],
      [4, true],
      [5, false],
    ],
  );
});
