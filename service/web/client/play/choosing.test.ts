import assert from "node:assert/strict";
import { test } from "node:test";
import type { Move } from "../board/targets.ts";
import { besides, type Legal, type Pick, type Pointing, step, targets } from "./choosing.ts";

const harbours = (...names: string[]) => ({
  field: "to",
  label: "Where to?",
  choices: names.map((value) => ({ value, label: value.toUpperCase() })),
  then: null,
});
const legal: Legal = {
  version: 9,
  moves: [
    { type: "ship", good: "rum", to: "a" },
    { type: "ship", good: "rum", to: "b" },
    { type: "ship", good: "tea", to: "b" },
    { type: "pass" },
  ],
  labels: ["Rum to A", "Rum to B", "Tea to B", "Pass"],
  groups: [
    {
      rank: 1,
      type: "ship",
      label: "Ship a good",
      help: "For points",
      count: 3,
      choices: {
        field: "good",
        label: "What?",
        choices: [
          { value: "rum", label: "Rum" },
          { value: "tea", label: "Tea" },
        ],
        then: harbours("a", "b"),
      },
    },
    { rank: 2, type: "pass", label: "Pass the turn", help: "", count: 1, choices: null },
  ],
} as unknown as Legal;

/** The references of a move: its good and its harbour. */
const pointing: Pointing = ({ good, to }: Move, field) => [
  ...(good !== undefined && field !== "to" ? [`piece:good:${good}`] : []),
  ...(to !== undefined && field !== "good" ? [`place:${to}`] : []),
];
const asked = (...picks: Pick[]) => step(legal, picks, pointing);
const optionsOf = (...picks: Pick[]) =>
  asked(...picks).options.map(({ label, count }) => [label, count]);
const type = (name: string): Pick => ({ kind: "type", type: name, label: "" });
const field = (name: string, value: unknown): Pick => ({
  kind: "field",
  field: name,
  value,
  label: "",
});

test("first the type is asked; that of a single move is called as the move is", () => {
  assert.equal(asked().label, "");
  assert.deepEqual(optionsOf(), [
    ["Ship a good", 3],
    ["Pass", 1],
  ]);
});

test("then field by field, until one move is left", () => {
  assert.equal(asked(type("ship")).label, "What?");
  assert.deepEqual(optionsOf(type("ship")), [
    ["Rum", 2],
    ["Tea", 1],
  ]);
  const rum = [type("ship"), field("good", "rum")];
  assert.equal(asked(...rum).label, "Where to?");
  assert.deepEqual(asked(...rum).left, [0, 1]);
  assert.equal(asked(...rum, field("to", "b")).move, 1);
  assert.equal(asked(type("pass")).move, 3);
});

test("a field in which all that is left agree is not asked", () => {
  const found = asked({ kind: "element", ref: "piece:good:rum", label: "" });
  assert.equal(found.label, "Where to?");
  assert.deepEqual(found.left, [0, 1]);
});

test("a move that is legal alone is still to be chosen", () => {
  const [, , , pass] = legal.moves;
  const alone = {
    ...legal,
    moves: [pass],
    labels: ["Pass"],
    groups: legal.groups.slice(1),
  } as Legal;
  assert.equal(step(alone, [], pointing).move, null);
  assert.equal(step(alone, [type("pass")], pointing).move, 0);
});

test("moves that differ in nothing that is asked are listed whole", () => {
  const twice = {
    ...legal,
    moves: [
      { type: "take", nth: 0 },
      { type: "take", nth: 1 },
    ],
    labels: ["The first", "The second"],
    groups: [{ rank: 1, type: "take", label: "Take", help: "", count: 2, choices: null }],
  } as Legal;
  const { options } = step(twice, [], pointing);
  assert.deepEqual(
    options.map(({ label }) => label),
    ["The first", "The second"],
  );
});

test("a value that may be left out has a label of its own", () => {
  const optional = {
    ...legal,
    moves: [{ type: "bid" }, { type: "bid", amount: 2 }],
    labels: ["No bid", "Bid 2"],
    groups: [
      {
        rank: 1,
        type: "bid",
        label: "Bid",
        help: "",
        count: 2,
        choices: {
          field: "amount",
          label: "How much?",
          choices: [
            { omitted: true, label: "Nothing" },
            { value: 2, label: "Two" },
          ],
          then: null,
        },
      },
    ],
  } as unknown as Legal;
  const { options } = step(optional, [], pointing);
  assert.deepEqual(
    options.map(({ label }) => label),
    ["Nothing", "Two"],
  );
  const [nothing] = options;
  assert.equal(nothing && step(optional, [nothing.pick], pointing).move, 0);
});

test("an element is a button for the one option or move that it stands for", () => {
  const found = targets(legal, asked(), pointing, (ref) => `all of ${ref}`);
  assert.deepEqual(
    [...found].map(([ref, { pick, label }]) => [ref, pick.kind, label]),
    [
      ["piece:good:rum", "element", "Ship a good"],
      ["place:a", "move", "Rum to A"],
      ["place:b", "element", "Ship a good"],
      ["piece:good:tea", "move", "Tea to B"],
    ],
  );
});

test("what all that is left are about is no button: it would choose nothing", () => {
  const rum = asked(type("ship"), field("good", "rum"));
  assert.deepEqual([...targets(legal, rum, pointing, String).keys()], ["place:a", "place:b"]);
  const aboutAll: Pointing = (move, name) => [...pointing(move, name), "place:here"];
  const found = targets(legal, step(legal, [], aboutAll), aboutAll, String);
  assert.deepEqual(found.has("place:here"), false);
});

test("what is asked next may hang on what was chosen", () => {
  const price = { field: "price", label: "For how much?", choices: [], then: null };
  const trade = {
    ...legal,
    moves: [
      { type: "trade", what: "keep" },
      ...[2, 3].map((n) => ({ type: "trade", what: "sell", price: n })),
    ],
    labels: ["Keep it", "Sell for 2", "Sell for 3"],
    groups: [
      {
        rank: 1,
        type: "trade",
        label: "Trade",
        help: "",
        count: 3,
        choices: {
          field: "what",
          label: "What do you do?",
          choices: [
            { value: "keep", label: "Keep", then: null },
            { value: "sell", label: "Sell", then: price },
          ],
        },
      },
    ],
  } as unknown as Legal;
  const next = step(trade, [field("what", "sell")], pointing);
  assert.equal(next.label, "For how much?");
  assert.deepEqual(
    next.options.map(({ label }) => label),
    ["2", "3"],
  );
});

test("what the board leads to needs no button", () => {
  const besidesOf = (picks: Pick[], about: Pointing) => {
    const now = step(legal, picks, about);
    const shown = targets(legal, now, about, String);
    return besides(legal, now, shown, about).map(({ label }) => label);
  };
  assert.deepEqual(besidesOf([], pointing), ["Pass"]);
  assert.deepEqual(besidesOf([field("good", "rum")], pointing), []);
  const nowhere: Pointing = () => [];
  assert.deepEqual(besidesOf([], nowhere), ["Ship a good", "Pass"]);
  // The place of each move with tea stands for rum: a button remains for tea.
  const crossed: Pointing = (move, name) =>
    move.good === "rum" ? ["place:r"] : name === null && move.good === "tea" ? ["place:r"] : [];
  const ship: Pick = { kind: "type", type: "ship", label: "Ship a good" };
  assert.deepEqual(besidesOf([ship], crossed), ["Tea"]);
});
