import assert from "node:assert/strict";
import { test } from "node:test";
import { fill, nodes, root } from "./paths.ts";

const view = {
  players: [
    { cards: ["a", "b"], gold: 3 },
    { cards: [], gold: null },
  ],
  sea: { n: 1 },
};
const found = (path: string) => [...nodes(root(view), path)];

test("a path leads to members, and * to each of them", () => {
  assert.deepEqual(
    found("players/*/cards/*").map(({ value }) => value),
    ["a", "b"],
  );
  assert.deepEqual(
    found("players/*/gold").map(({ value }) => value),
    [3],
  );
  assert.deepEqual(found("nothing/*"), []);
});

test("a template that is one hole is the value itself, others are texts, null if a part is", () => {
  const [, second] = found("players/*/cards/*");
  assert.ok(second);
  assert.equal(fill("{.}", second), "b");
  assert.equal(fill("{#}", second), 1);
  assert.equal(fill("{#+1}", second), 2);
  assert.equal(fill("{../../gold}", second), 3);
  assert.equal(fill("card_{.}_{../../#}", second), "card_b_0");
  assert.equal(fill("card_{../../nothing}", second), null);
});
