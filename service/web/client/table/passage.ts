/** Which passage of the rules is about a question, which part of the board, and where both are shown. */

import type { Scene } from "../board/scene.ts";
import { pieceRef, placeRef, type Ref } from "../board/targets.ts";

/** A part of a sheet: its left and upper edge, its width and its height. */
export type Part = readonly [x: number, y: number, width: number, height: number];

/** What a part shows around the middles of its places, and the least share of the board's width. */
const AROUND = 110;
const LEAST = 0.45;
/** The height of a part by its width, at most and at least. */
const [TALLEST, LOWEST] = [0.9, 0.45];

/**
 * The anchors of the passages about a question, the best one first: that of the only type of move
 * that is left, then that of the question.
 */
export function anchorsOf(question: string | undefined, types: Iterable<string>): string[] {
  const left = [...new Set(types)];
  const [only] = left;
  const moves = left.length === 1 && only !== undefined ? [`move-${only}`] : [];
  return question === undefined ? moves : [...moves, `decision-${question}`];
}

/** The part of the board with these elements; null if none of them is on the board. */
export function partOf(scene: Pick<Scene, "board" | "pieces">, refs: Iterable<Ref>): Part | null {
  const { board, pieces } = scene;
  const wanted = new Set(refs);
  const places = new Set(
    pieces.filter((piece) => wanted.has(pieceRef(piece))).map(({ place }) => place),
  );
  for (const ref of wanted) if (ref.startsWith("place:")) places.add(ref.slice("place:".length));
  const found = [...places].flatMap((key) => board.places[key] ?? []);
  if (found.length === 0) return null;
  const [xs, ys] = [found.map(({ x }) => x), found.map(({ y }) => y)];
  const [width, height] = board.size;
  const wide = Math.min(width, Math.max(spread(xs), width * LEAST, spread(ys) / TALLEST));
  const high = Math.min(height, Math.max(spread(ys), wide * LOWEST));
  return [within(middle(xs), wide, width), within(middle(ys), high, height), wide, high];
}

/** A JSON Schema of a value, as far as it says which values there are. */
interface Schema {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/**
 * The places of the board that moves of a type may refer to, whatever the position; if they refer to
 * none, the pieces on it that the type's schema names. Which other pieces a move may refer to depends
 * on the position.
 */
export function refsOfType(scene: Pick<Scene, "board" | "pieces">, type: string, schema: unknown) {
  const { board, pieces } = scene;
  const targets = Object.entries(board.moves[type] ?? {});
  const places = targets.flatMap(([path, { place, along }]) => {
    if (along !== undefined) return board.tracks?.[along]?.places ?? [];
    return place === undefined ? [] : keysOf(board, place, schemasAt(schema as Schema, path));
  });
  if (places.length > 0) return [...new Set(places)].map((key) => placeRef(key));
  const ids = targets.flatMap(([path, { piece, id }]) =>
    (id === undefined ? schemasAt(schema as Schema, path).flatMap(valuesOf) : [id]).map(
      (value) => `piece:${piece}:${value}`,
    ),
  );
  return pieces.map(pieceRef).filter((ref) => ids.includes(ref));
}

/** The schemas of the values at a path, such as `starts/*`. */
function schemasAt(schema: Schema, path: string): readonly Schema[] {
  return path.split("/").reduce<readonly Schema[]>(
    (found, name) =>
      found.flatMap(({ items, properties = {} }) => {
        if (name !== "*") return properties[name] ?? [];
        return items ?? Object.values(properties);
      }),
    [schema],
  );
}

/** The places whose keys fit a template, such as `row_{.}`, with values of these schemas. */
function keysOf({ places }: Scene["board"], template: string, schemas: readonly Schema[]) {
  const all = Object.keys(places);
  return schemas.flatMap((schema) => {
    const values = valuesOf(schema).map(String);
    const fit = fitting(template, values);
    if (values.length > 0) return all.filter((key) => fit.test(key));
    const like = schema.examples?.map((example) => places[String(example)]?.kind);
    return all.filter((key) => like?.includes(places[key]?.kind));
  });
}

function valuesOf({
  const: only,
  enum: some,
  minimum,
  maximum,
  anyOf,
}: Schema): readonly unknown[] {
  if (only !== undefined) return [only];
  if (some) return some;
  if (anyOf) return anyOf.flatMap(valuesOf);
  if (minimum === undefined || maximum === undefined) return [];
  return Array.from({ length: maximum - minimum + 1 }, (_, at) => minimum + at);
}

/** Which keys a template makes of these values; what else it takes from a move may be anything. */
function fitting(template: string, values: readonly string[]): RegExp {
  const value = values.map((each) => each.replace(/\W/g, "\\$&")).join("|");
  const parts = template.replaceAll("{.}", `(${value})`).replace(/\{[^}]+\}/g, ".+");
  return new RegExp(`^${parts}$`);
}

function spread(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values) + 2 * AROUND;
}

function middle(values: readonly number[]): number {
  return (Math.max(...values) + Math.min(...values)) / 2;
}

/** Where a part of this length begins, around a middle and within the whole. */
function within(at: number, length: number, whole: number): number {
  return Math.min(Math.max(at - length / 2, 0), Math.max(whole - length, 0));
}

/** The width of the drawer in pixels, and the least height in which one can read. */
const [WIDE, READABLE] = [432, 300];
/** In windows up to this width, the drawer is as wide as the window: style/drawer.css uses it, too. */
const NARROW = 768;
const GAP = 8;

/**
 * The edges of the drawer in a window of this size, so that it does not cover the question; none if
 * there would be no room for it.
 */
export function edgesOf(
  question: Pick<DOMRect, "top" | "bottom" | "right"> | undefined,
  [width, height]: readonly [number, number],
): { readonly top?: string; readonly bottom?: string; readonly height?: string } {
  if (!question) return {};
  const [above, below] = [question.top - GAP, height - question.bottom - GAP];
  if (width <= NARROW)
    return above < READABLE
      ? {}
      : { bottom: `${height - question.top}px`, height: `${above * 0.7}px` };
  if (question.right <= width - WIDE || Math.max(above, below) < READABLE) return {};
  return below >= above
    ? { top: `${question.bottom + GAP}px` }
    : { bottom: `${height - question.top + GAP}px` };
}
