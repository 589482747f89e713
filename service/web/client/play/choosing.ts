/**
 * Choosing a move in steps, called picks: its type, then one field after the other, or elements of
 * the board. Only legal moves can be chosen: after each step those remain that fit the picks.
 */

import type { Schemas } from "../api/client.ts";
import type { Move, Ref } from "../board/targets.ts";

type Group = Schemas["MoveGroup"];
type Field = Schemas["MoveField"];

/** A seat's legal moves at a version. */
export interface Legal {
  readonly version: number;
  readonly moves: readonly Move[];
  readonly labels: readonly string[];
  readonly groups: readonly Group[];
}

/** One pick: an element, a type, a value of a field, or a whole move from the list. */
export type Pick =
  | { readonly kind: "element"; readonly ref: Ref; readonly label: string }
  | { readonly kind: "type"; readonly type: string; readonly label: string }
  | {
      readonly kind: "field";
      readonly field: string;
      readonly value: unknown;
      readonly label: string;
    }
  | { readonly kind: "move"; readonly index: number; readonly label: string };

export interface Option {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  /** The number of legal moves that remain after this option. */
  readonly count: number;
  readonly pick: Pick;
  /** The elements that stand for the option. */
  readonly refs: ReadonlySet<Ref>;
}

export interface Step {
  /** The indexes of the remaining moves. */
  readonly left: readonly number[];
  /** The field whose value is chosen in this step; "" for the type. */
  readonly label: string;
  readonly options: readonly Option[];
  /** The only remaining move; null while several moves remain. */
  readonly move: number | null;
}

/** The references of a move: of one of its fields, or of all if the field is null. */
export type Pointing = (move: Move, field: string | null) => readonly Ref[];

/** The choices that remain after `picks`, which are in the order in which they were made. */
export function step(legal: Legal, picks: readonly Pick[], pointing: Pointing): Step {
  const left = legal.moves.flatMap((move, index) =>
    picks.every((pick) => fits(move, index, pick, pointing)) ? [index] : [],
  );
  const only = left.length === 1 && picks.length > 0 ? (left[0] ?? null) : null;
  if (only !== null) return { left, label: "", options: [], move: only };
  const asked = question(legal, left, pointing);
  return { left, ...asked, move: null };
}

function fits(move: Move, index: number, pick: Pick, pointing: Pointing): boolean {
  switch (pick.kind) {
    case "element":
      return pointing(move, null).includes(pick.ref);
    case "type":
      return move.type === pick.type;
    case "field":
      return same(move[pick.field], pick.value);
    case "move":
      return index === pick.index;
  }
}

function question(legal: Legal, left: readonly number[], pointing: Pointing): Asked {
  const types = new Set(left.map((index) => legal.moves[index]?.type));
  const groups = legal.groups.filter(({ type }) => types.has(type));
  const [group] = groups;
  if (group === undefined) return { label: "", options: [] };
  if (groups.length > 1)
    return { label: "", options: groups.map((one) => typeOption(legal, left, one, pointing)) };
  for (let node: Field | null | undefined = group.choices; node; ) {
    const { field } = node;
    const values = distinct(left.map((index) => legal.moves[index]?.[field]));
    if (values.length > 1)
      return {
        label: node.label,
        options: values.map((value) => fieldOption(legal, left, node as Field, value, pointing)),
      };
    const choice = choiceOf(node, values[0]);
    node = choice && "then" in choice ? choice.then : node.then;
  }
  // If the remaining moves differ in no field, each of them is an option.
  return { label: "", options: left.map((index) => moveOption(legal, index, pointing)) };
}

type Asked = { readonly label: string; readonly options: readonly Option[] };

function typeOption(
  legal: Legal,
  left: readonly number[],
  group: Group,
  pointing: Pointing,
): Option {
  const fitting = left.filter((index) => legal.moves[index]?.type === group.type);
  const [only] = fitting;
  const label = (fitting.length === 1 && only !== undefined && legal.labels[only]) || group.label;
  return {
    key: group.type,
    label,
    help: group.help,
    count: fitting.length,
    pick: { kind: "type", type: group.type, label },
    refs: refsOfAll(legal, fitting, pointing, null),
  };
}

function fieldOption(
  legal: Legal,
  left: readonly number[],
  node: Field,
  value: unknown,
  pointing: Pointing,
): Option {
  const fitting = left.filter((index) => same(legal.moves[index]?.[node.field], value));
  const label = choiceOf(node, value)?.label ?? (value === undefined ? "–" : wordOf(value));
  return {
    key: JSON.stringify(value) ?? "omitted",
    label,
    help: "",
    count: fitting.length,
    pick: { kind: "field", field: node.field, value, label },
    refs: refsOfAll(legal, fitting, pointing, node.field),
  };
}

function moveOption(legal: Legal, index: number, pointing: Pointing): Option {
  const label = legal.labels[index] ?? "";
  return {
    key: String(index),
    label,
    help: "",
    count: 1,
    pick: { kind: "move", index, label },
    refs: refsOfAll(legal, [index], pointing, null),
  };
}

function wordOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function choiceOf(node: Field, value: unknown) {
  return node.choices.find((choice) => {
    if (value === undefined) return choice.omitted === true;
    return "value" in choice && same(choice.value, value);
  });
}

function refsOfAll(
  legal: Legal,
  indices: readonly number[],
  pointing: Pointing,
  field: string | null,
): Set<Ref> {
  return new Set(
    indices.flatMap((index) => {
      const move = legal.moves[index];
      return move ? pointing(move, field) : [];
    }),
  );
}

/**
 * The elements that can be clicked now, each with its pick. If an element stands for one option,
 * the pick is this option. Otherwise the pick is the element, and the moves that refer to it
 * remain. `nameOf` names an element with more options than can be listed.
 */
export function targets(
  legal: Legal,
  now: Step,
  pointing: Pointing,
  nameOf: (ref: Ref) => string,
): Map<Ref, { pick: Pick; label: string }> {
  const found = new Map<Ref, { pick: Pick; label: string }>();
  const byRef = new Map<Ref, Option[]>();
  for (const option of now.options)
    for (const ref of option.refs) byRef.set(ref, [...(byRef.get(ref) ?? []), option]);
  for (const [ref, options] of byRef) {
    const [only] = options;
    const about = now.left.filter((index) => {
      const move = legal.moves[index];
      return move !== undefined && pointing(move, null).includes(ref);
    });
    const [single] = about;
    if (about.length === 1 && single !== undefined) {
      const label = legal.labels[single] ?? "";
      found.set(ref, { pick: { kind: "move", index: single, label }, label });
    } else if (options.length === 1 && only && only.pick.kind === "field")
      found.set(ref, { pick: only.pick, label: only.label });
    else if (about.length < now.left.length) {
      const each = options.map((option) => option.label);
      const label = each.length <= FEW ? each.join(", ") : nameOf(ref);
      found.set(ref, { pick: { kind: "element", ref, label }, label });
    }
  }
  return found;
}

/** The options that need a button of their own: those with a move to which no target leads. */
export function besides(
  legal: Legal,
  now: Step,
  targets: ReadonlyMap<Ref, { pick: Pick }>,
  pointing: Pointing,
): Option[] {
  const isShown = (move: Move, index: number) =>
    pointing(move, null).some((ref) => {
      const target = targets.get(ref);
      return target !== undefined && fits(move, index, target.pick, pointing);
    });
  return now.options.filter(({ pick }) =>
    now.left.some((index) => {
      const move = legal.moves[index];
      return move && fits(move, index, pick, pointing) && !isShown(move, index);
    }),
  );
}

/** Maximum number of options that are listed in a name. */
const FEW = 3;

function distinct(values: readonly unknown[]): unknown[] {
  const seen = new Map(values.map((value) => [JSON.stringify(value) ?? "", value]));
  return [...seen.values()];
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
