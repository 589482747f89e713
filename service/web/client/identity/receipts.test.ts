import assert from "node:assert/strict";
import { test } from "node:test";
import "../browser/node.ts";
import type { Schemas } from "../api/client.ts";
import { forget } from "../browser/storage.ts";
import { keepReceipt, receipts } from "./receipts.ts";

const receipt = (seq: number) => ({ seq }) as Schemas["Receipt"];

test("the newest receipt of each game is kept, of the 200 games that were played last", () => {
  forget("receipts");
  for (let game = 1; game <= 200; game++) keepReceipt(`g${game}`, receipt(1));
  keepReceipt("g1", receipt(2));
  keepReceipt("g201", receipt(1));
  const kept = receipts();
  assert.equal(Object.keys(kept).length, 200);
  assert.deepEqual([kept.g1, kept.g2, kept.g201], [receipt(2), undefined, receipt(1)]);
  assert.deepEqual(Object.keys(kept).slice(-2), ["g1", "g201"]);
});
