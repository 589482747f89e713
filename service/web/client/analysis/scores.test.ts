import assert from "node:assert/strict";
import { test } from "node:test";
import { aheadSince, decisive, leadsOf, sheetOf, turningPoints } from "./scores.ts";

const part = (label: string, value: number) => ({ label, value });
const STANDINGS = [
  { parts: [part("prestige", 30), part("chain", 8)] },
  { parts: [part("prestige", 21), part("cards", 12), part("punishments", -3)] },
  { parts: [part("cards", 1), part("chain", 4), part("punishments", -6)] },
];
const COURSE = [
  { seq: 1, scores: [0, 0, 0] },
  { seq: 4, scores: [2, 5, 0] },
  { seq: 9, scores: [2, 5, 6] },
  { seq: 11, scores: [10, 5, 6] },
  { seq: 15, scores: [10, 9, 6] },
];

test("a sheet has each part once, in the order of the score, with 0 for who has none", () => {
  assert.deepEqual(sheetOf(STANDINGS), [
    { label: "prestige", values: [30, 21, 0] },
    { label: "cards", values: [0, 12, 1] },
    { label: "chain", values: [8, 0, 4] },
    { label: "punishments", values: [0, -3, -6] },
  ]);
  assert.deepEqual(sheetOf([{ parts: [] }]), []);
});

test("what decided is where the first two differ most", () => {
  assert.deepEqual(decisive(sheetOf(STANDINGS), 2), [
    { label: "cards", more: -12 },
    { label: "prestige", more: 9 },
  ]);
  assert.deepEqual(decisive([{ label: "same", values: [3, 3] }]), []);
});

test("a lead is over the best of the others", () => {
  assert.deepEqual(leadsOf([10, 4, 1]), [6, -6, -9]);
  assert.deepEqual(leadsOf([3]), [0]);
});

test("turning points are the largest changes of a lead, in the order of the game", () => {
  assert.deepEqual(turningPoints(COURSE, 0, 2), [
    { seq: 4, change: -3, lead: -3 },
    { seq: 11, change: 8, lead: 4 },
  ]);
  assert.deepEqual(turningPoints([{ seq: 1, scores: [0, 0] }], 0), []);
});

test("somebody is ahead since the event after the last one with others ahead", () => {
  assert.equal(aheadSince(COURSE, 0), 11);
  assert.equal(aheadSince(COURSE, 1), null);
  assert.equal(aheadSince([{ seq: 1, scores: [1, 0] }], 0), null);
});
