/** Tests this implementation with docs/table_vectors.json; tests/standard tests those in Python. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Board, Sheet } from "../board/geometry.ts";
import { nodes, root } from "../board/paths.ts";
import { type Piece, standing } from "../board/standing.ts";
import { type Move, refsOf } from "../board/targets.ts";
import { say, type Values, type Words } from "../words/labels.ts";
import { type Legal, type Option, type Pick, step } from "./choosing.ts";

interface Case {
  readonly name: string;
}
interface Vectors {
  readonly documents: {
    readonly words: Readonly<Record<string, Words>>;
    readonly boards: Readonly<Record<string, Board>>;
    readonly legal: Readonly<Record<string, Legal>>;
  };
  readonly labels: readonly (Case & { words: string; key: string; values: Values; says: string })[];
  readonly boards: readonly (Case & {
    board: string;
    view: object;
    pieces: readonly object[];
    shows: Readonly<Record<string, readonly unknown[]>>;
  })[];
  readonly targets: readonly (Case & {
    board: string;
    view: object;
    seat: number;
    move: Move;
    refers: Readonly<Record<string, readonly string[]>>;
  })[];
  readonly choices: readonly (Case & {
    legal: string;
    picks: readonly Readonly<Record<string, unknown>>[];
    asks?: string;
    options?: readonly object[];
    move?: number;
  })[];
}

const FILE = new URL("../../../../docs/table_vectors.json", import.meta.url);
const { documents, ...vectors } = JSON.parse(readFileSync(FILE, "utf8")) as Vectors;

function found<T>(documents: Readonly<Record<string, T>>, name: string): T {
  const document = documents[name];
  assert.ok(document !== undefined, name);
  return document;
}

for (const { name, words, key, values, says } of vectors.labels)
  test(`a sentence: ${name}`, () => {
    assert.equal(say(found(documents.words, words), key, values), says);
  });

function drawn({ type, place, mat, id, owner: seat, count, x, y }: Piece) {
  return { type, place, mat, id, seat, count, x, y };
}

function shown(sheet: Sheet, view: unknown, owner = ""): [string, unknown[]][] {
  return Object.entries(sheet.places).flatMap(([key, { shows }]): [string, unknown[]][] => {
    const values = shows ? [...nodes(root(view), shows)].map(({ value }) => value) : [];
    return values.length > 0 ? [[owner + key, values]] : [];
  });
}

/** The pieces in the order of their keys: those on one spot stand together here. */
function sorted(pieces: readonly object[]): string[] {
  return pieces.map((piece) => JSON.stringify(piece)).sort();
}

for (const { name, board, view, pieces, shows } of vectors.boards)
  test(`a board: ${name}`, () => {
    const sheet = found(documents.boards, board);
    const { pieces: own, mats } = standing(sheet, view);
    const all = [...own, ...mats.flatMap((mat) => mat.pieces)];
    assert.deepEqual(sorted(all.map(drawn)), sorted(pieces));
    const displayed = mats.flatMap((mat) =>
      sheet.mat ? shown(sheet.mat, mat.view, `${mat.owner}:`) : [],
    );
    assert.deepEqual(Object.fromEntries([...shown(sheet, view), ...displayed]), shows);
  });

for (const { name, board, view, seat, move, refers } of vectors.targets)
  test(`targets: ${name}`, () => {
    const refs = refsOf(found(documents.boards, board), view, seat, move);
    assert.deepEqual(refs, Object.values(refers).flat());
  });

function pick(picked: Readonly<Record<string, unknown>>): Pick {
  const [[field = "", value] = []] = Object.entries(picked);
  if (field === "type") return { kind: "type", type: String(value), label: "" };
  return { kind: "field", field, value, label: "" };
}

function offered({ pick, label, count: leaves }: Option): object {
  if (pick.kind === "type") return { value: pick.type, label, leaves };
  assert.ok(pick.kind === "field");
  return pick.value === undefined
    ? { omitted: true, label, leaves }
    : { value: pick.value, label, leaves };
}

for (const { name, legal, picks, asks, options, move } of vectors.choices)
  test(`a choice: ${name}`, () => {
    const now = step(found(documents.legal, legal), picks.map(pick), () => []);
    assert.equal(now.move, move ?? null);
    if (now.move !== null) return;
    assert.equal(now.label, asks);
    assert.deepEqual(now.options.map(offered), options);
  });
