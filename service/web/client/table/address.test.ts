import assert from "node:assert/strict";
import { test } from "node:test";
import { visit } from "../browser/node.ts";
import { fragmentOf, momentInAddress, PRESENT } from "./address.ts";

const moments = [
  ["", PRESENT],
  ["#v=123", { at: 123, eyes: null }],
  ["#v=7&seat=2", { at: 7, eyes: 2 }],
  ["#seat=spectator", { at: null, eyes: "spectator" }],
] as const;

test("a moment and its fragment", () => {
  for (const [fragment, moment] of moments) {
    visit(`/games/g${fragment}`);
    assert.deepEqual(momentInAddress(), moment);
    assert.equal(fragmentOf(moment), fragment);
  }
});

test("an event alone, as in links of an earlier release", () => {
  visit("/games/g#123");
  assert.deepEqual(momentInAddress(), { at: 123, eyes: null });
});

test("a fragment about something else names no moment", () => {
  for (const fragment of ["#check", "#main", "#vv=1", "#v=x", "#x1"]) {
    visit(`/games/g${fragment}`);
    assert.equal(momentInAddress(), null, fragment);
  }
});
