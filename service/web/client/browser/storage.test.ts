import assert from "node:assert/strict";
import { test } from "node:test";
import { forget, keep, keepForGood, kept, namesOf } from "./storage.ts";

test("without a storage the tab remembers, and says that nothing is kept for good", () => {
  keep("name", { at: 1 });
  assert.deepEqual(kept("name"), { at: 1 });
  forget("name");
  assert.equal(kept("name"), null);
  assert.equal(keepForGood("name", 1), false);
  assert.deepEqual(namesOf(""), []);
});

test("what is in the storage outlives the tab; what somebody else wrote there is passed over", () => {
  const stored = new Map([
    ["lonja:broken", "{"],
    ["elsewhere", "1"],
  ]);
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) =>
      Object.assign(storage, { [name]: text }) && stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  };
  Object.assign(globalThis, { localStorage: storage });
  try {
    assert.equal(kept("broken"), null);
    assert.equal(keepForGood("entropy:1", [2]), true);
    assert.deepEqual(kept("entropy:1"), [2]);
    assert.deepEqual(namesOf("entropy:"), ["entropy:1"]);
    forget("entropy:1");
    assert.equal(kept("entropy:1"), null);
  } finally {
    Reflect.deleteProperty(globalThis, "localStorage");
  }
});

test("where the storage is full, the tab remembers what is newer than what is stored", () => {
  let room = 1;
  const stored = new Map<string, string>();
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => {
      if (room-- < 1) throw new Error("QuotaExceededError");
      stored.set(name, text);
    },
  };
  Object.assign(globalThis, { localStorage: storage });
  try {
    keep("seen", 1);
    keep("seen", 2);
    assert.equal(kept("seen"), 2);
    room = 1;
    keep("seen", 3);
    stored.set("lonja:seen", "4"); // by another tab
    assert.equal(kept("seen"), 4);
  } finally {
    Reflect.deleteProperty(globalThis, "localStorage");
  }
});
