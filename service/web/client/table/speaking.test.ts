import assert from "node:assert/strict";
import { test } from "node:test";
import { Speaking } from "./speaking.ts";

const WORDS = {
  andMoreEffects: (count: number) => `${count} more`,
  moreEvents: (count: number) => `${count} more events`,
};

function all(speaking: Speaking): string[] {
  const said: string[] = [];
  while (!speaking.isDone) said.push(speaking.next() ?? "nothing");
  assert.equal(speaking.next(), null);
  return said;
}

test("what is urgent and the question come before what happened", () => {
  const speaking = new Speaking(() => WORDS);
  speaking.tell(["Bea rolls 3"]);
  speaking.ask("You: roll or hold, 2 choices", null);
  speaking.warn("Ana’s time is up");
  assert.deepEqual(all(speaking), [
    "Ana’s time is up.",
    "You: roll or hold, 2 choices.",
    "Bea rolls 3.",
  ]);
});

test("of many events the latest are told, and the others counted", () => {
  const speaking = new Speaking(() => WORDS);
  for (const number of [1, 2, 3, 4, 5]) speaking.tell([`Bea rolls ${number}`]);
  const told = ["Bea rolls 3.", "Bea rolls 4.", "Bea rolls 5.", "2 more events."];
  assert.deepEqual(all(speaking), told);
});

test("an event is one sentence, whatever it did", () => {
  const speaking = new Speaking(() => WORDS);
  speaking.tell(["a", "b", "c"]);
  speaking.tell(["d", "e", "f", "g", "h"]);
  speaking.tell([]);
  assert.deepEqual(all(speaking), ["a; b; c.", "d; e; f; 2 more."]);
});

test("of questions the latest counts, and that to others is told once", () => {
  const speaking = new Speaking(() => WORDS);
  speaking.ask("You: roll", null);
  speaking.ask(null, "Bea to roll");
  assert.deepEqual(all(speaking), ["Bea to roll."]);
  speaking.ask(null, "Bea to roll");
  assert.deepEqual(all(speaking), []);
  speaking.ask("You: roll", null);
  speaking.next();
  speaking.ask(null, "Bea to roll");
  assert.deepEqual(all(speaking), ["Bea to roll."]);
});

test("who looks elsewhere is not told the rest of what happened", () => {
  const speaking = new Speaking(() => WORDS);
  for (const number of [1, 2, 3, 4, 5]) speaking.tell([`Bea rolls ${number}`]);
  speaking.leave();
  speaking.tell(["Ana holds"]);
  assert.deepEqual(all(speaking), ["Ana holds."]);
});
