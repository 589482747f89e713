import assert from "node:assert/strict";
import { test } from "node:test";
import { after, BEGUN, finish, type Step, stepNow } from "./steps.ts";

const step = (more: Partial<Step>): Step => ({ text: { en: "", es: "" }, at: ["log"], ...more });
const STEPS = [
  step({}),
  step({ question: "act", moves: ["sail"] }),
  step({}),
  step({ question: "act", moves: ["pay"] }),
  step({ question: "bid" }),
];
const act = (...types: string[]) => ({ name: "act", types });
const sail = (type: string | null) => ({ question: act("sail", "pay"), type });
const read = finish(BEGUN, 0);

test("a step without a question follows the step before it", () => {
  assert.equal(stepNow(STEPS, BEGUN, null), 0);
  assert.equal(stepNow(STEPS, read, null), null);
  assert.equal(stepNow(STEPS, finish(read, 1), null), 2);
});

test("a step comes with its question, when one of its moves is legal", () => {
  assert.equal(stepNow(STEPS, read, act("sail", "pay")), 1);
  assert.equal(stepNow(STEPS, read, act("pay")), 3);
  assert.equal(stepNow(STEPS, read, act("rest")), null);
  assert.equal(stepNow(STEPS, read, { name: "bid", types: [] }), 4);
});

test("a step waits for its move, and lets others come first when something else was done", () => {
  const other = after(STEPS, read, 1, sail("pay"));
  assert.deepEqual(other, { done: [0], passed: [1] });
  assert.equal(stepNow(STEPS, other, act("sail", "pay")), 3);
  assert.equal(stepNow(STEPS, finish(other, 3), act("sail", "pay")), 1);
  assert.deepEqual(after(STEPS, read, 1, sail("sail")).done, [0, 1]);
  assert.deepEqual(after(STEPS, read, 4, sail("anything")).done, [0, 4]);
  assert.deepEqual(after(STEPS, read, 1, sail(null)).done, [0, 1], "a sealed move");
});

test("a player may go on without reading", () => {
  const other = after(STEPS, BEGUN, 0, sail("rest"));
  assert.deepEqual(other, { done: [], passed: [0, 1] });
  assert.equal(stepNow(STEPS, other, act("sail")), 0);
  assert.equal(stepNow(STEPS, other, null), 0);
});

test("a move that a step waits for counts, though a step before it is not read", () => {
  const once = [step({}), step({ question: "first" }), step({ question: "first" })];
  const first = { question: { name: "first", types: ["take"] }, type: "take" };
  assert.deepEqual(after(once, BEGUN, 0, first), { done: [1], passed: [0] });
});

test("nothing is left at the end", () => {
  const all = { done: [...STEPS.keys()], passed: [] };
  assert.equal(stepNow(STEPS, all, act("sail")), null);
});
