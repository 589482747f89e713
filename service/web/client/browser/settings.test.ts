import assert from "node:assert/strict";
import { test } from "node:test";
import "./node.ts";
import { understood } from "./settings.ts";

const BY_DEFAULT = understood(null);

test("settings of an earlier release are kept", () => {
  const earlier = { language: "es", theme: "dark", confirm: false, motion: false, pace: 300 };
  assert.deepEqual(understood(earlier), { ...BY_DEFAULT, ...earlier });
});

test("what is not understood is as by default", () => {
  const others = { theme: "sepia", pace: "slow", language: "de", sound: 1, larger: "yes", new: 3 };
  assert.deepEqual(understood(others), BY_DEFAULT);
  assert.deepEqual(understood("none"), BY_DEFAULT);
});
