import assert from "node:assert/strict";
import { test } from "node:test";
import { modulesIn, strays, upward } from "./floors.mjs";

test("no module of the page imports what stands above it", async () => {
  const modules = await modulesIn(import.meta.dirname);
  assert.ok(modules["main.tsx"].includes("rooms/later.ts"), "what is loaded later counts");
  assert.ok(modules["play/choosing.ts"].includes("board/targets.ts"), "types count");
  assert.deepEqual(upward(modules), []);
});

test("up, across, and out of the verifier is refused; down, inside, and into it is not", () => {
  const modules = {
    "table/log.tsx": [
      "rooms/later.ts",
      "tournaments/cup.ts",
      "phrases/phrases.ts",
      "play/names.ts",
    ],
    "embed/game.tsx": ["play/table.ts", "browser/service.ts"],
    "verify/chain.ts": ["api/client.ts", "verify/json.ts"],
    "checking/check.ts": ["verify/worker.ts"],
  };
  assert.deepEqual(upward(modules), [
    "table/log.tsx imports rooms/later.ts",
    "table/log.tsx imports tournaments/cup.ts",
    "embed/game.tsx imports browser/service.ts",
    "verify/chain.ts imports api/client.ts",
  ]);
  assert.throws(() => upward({ "attic/box.ts": ["api/client.ts"] }), /attic is on no floor/);
});

test("a renderer imports what the shell lends, and what lies beside it", () => {
  const lent = ["lonja", "preact", "./mat.tsx", "./art/icons/*.svg", "./board.css"];
  const others = [
    "../../pig/aids/board.tsx",
    "../../../service/web/client/board/scene.ts",
    "chart.js",
  ];
  assert.deepEqual(
    strays({ "pig/aids/board.tsx": [...lent, ...others] }),
    others.map((name) => `pig/aids/board.tsx imports ${name}`),
  );
});
