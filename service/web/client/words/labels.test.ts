import assert from "node:assert/strict";
import { test } from "node:test";
import { say, wordOf } from "./labels.ts";

const words = {
  "good.rum": "rum",
  "good.tea": "tea",
  "good.none": "nothing",
  "seat.0": "red",
  "seat.1": "blue",
  took: "{who:seat} takes {goods:good}[ and pays {price:peso|pesos}]",
  change: "{points:+}",
  all: "{points:each seat}",
  plain: "{list}",
};
const said = (key: string, values = {}) => say(words, key, values);
const counted = {
  ...words,
  "unit.tea": "tea|teas",
  "unit.rum": "ron|rones",
  "list.and": "y",
  "list.and_i": "e",
  paid: "[{amount:{good:unit}}]",
  goods: "{goods:unit}",
};

test("names, counts, parts that are left out", () => {
  const values = { who: 0, goods: ["rum", "rum", "tea"], price: 1 };
  assert.equal(said("took", values), "red takes 2 × rum, tea and pays 1 peso");
  assert.equal(said("took", { ...values, price: 2 }), "red takes 2 × rum, tea and pays 2 pesos");
  assert.equal(said("took", { who: 1, goods: { tea: 3 }, price: 0 }), "blue takes 3 × tea");
  assert.equal(said("took", { who: 1, goods: [] }), "blue takes nothing");
  assert.equal(said("took", { who: 1, goods: "gold" }), "blue takes gold");
});

test("words that count, and lists with the word for and", () => {
  const say2 = (key: string, values = {}) => say(counted, key, values);
  assert.equal(say2("paid", { good: "tea", amount: 1 }), "1 tea");
  assert.equal(say2("paid", { good: "tea", amount: 2 }), "2 teas");
  assert.equal(say2("paid", { good: "tea", amount: 0 }), "");
  assert.equal(say2("goods", { goods: ["rum", "tea", "tea"] }), "1 ron y 2 teas");
  assert.equal(say2("plain", { list: ["a", "b", "higos"] }), "a, b e higos");
  assert.equal(say2("plain", { list: ["a", "hielo"] }), "a y hielo");
  assert.equal(say2("plain", { list: ["a", "Iglesia"] }), "a e Iglesia");
});

test("signs, lists, each seat's, and what has no label", () => {
  assert.deepEqual([said("change", { points: 2 }), said("change", { points: -2 })], ["+2", "-2"]);
  assert.equal(said("all", { points: [3, 4, 5] }), "red 3, blue 4, 2 5");
  assert.equal(said("plain", { list: ["a", 1] }), "a, 1");
  assert.equal(said("no.label"), "no.label");
});

test("an id goes by its word wherever it stands, if one vocabulary has it", () => {
  const some = {
    "good.wine": "vino",
    "good.salt": "sal",
    "load.wine": "cuba|cubas",
    "where.salt": "La sal",
    "help.wine": "Vende.",
    "price.wine": "{n} por vino",
  };
  assert.equal(wordOf(some, "wine"), "vino");
  assert.equal(wordOf(some, "salt"), null);
  assert.equal(wordOf(some, "salt", "prices", "good"), "sal");
  assert.equal(wordOf(some, "wine", "load"), "cuba");
  assert.equal(wordOf(some, "rum", "good"), null);
});
