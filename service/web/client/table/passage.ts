/** Which passage of the rules is about a question, which part of the board, and where both are shown. */

import { extentOf, type Place, shapeOf } from "../board/geometry.ts";
import type { Scene } from "../board/scene.ts";
import type { Piece } from "../board/standing.ts";
import { pieceRef, placeRef, type Ref } from "../board/targets.ts";

/** A part of a sheet: its left and upper edge, its width and its height. */
export type Part = readonly [x: number, y: number, width: number, height: number];

/** What a part shows around its places, as a share of the board's width. */
const MARGIN = 0.03;
/** The least width of a part, as a share of the board's. */
const LEAST = 0.3;
/** The height of a part by its width, at most and at least. */
const [TALLEST, LOWEST] = [0.9, 0.4];
/** How far an edge is moved so that it cuts fewer other places, as a share of the board's width. */
const FARTHEST = 0.12;

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

/**
 * The part of the board with the whole of these elements; null if none of them is on the board. Other
 * places are shown whole, too, where that needs little room.
 */
export function partOf(scene: Pick<Scene, "board" | "pieces">, refs: Iterable<Ref>): Part | null {
  const { board, pieces } = scene;
  const wanted = new Set(refs);
  const places = new Set(
    pieces.filter((piece) => wanted.has(pieceRef(piece))).map(({ place }) => place),
  );
  for (const ref of wanted) if (ref.startsWith("place:")) places.add(ref.slice("place:".length));
  const found = [...places].flatMap((key) => board.places[key] ?? []);
  if (found.length === 0) return null;
  const [whole, margin] = [board.size, board.size[0] * MARGIN];
  const [across, down] = ([0, 1] as const).map((axis) => {
    const [from, to] = union(found.map((place) => spanOf(board, place, axis)));
    return [Math.max(from - margin, 0), Math.min(to + margin, whole[axis])] as const;
  }) as [Span, Span];
  const wide = Math.max(length(across), whole[0] * LEAST, length(down) / TALLEST);
  const wider = cleared(board, 0, grown(across, wide, whole[0]), down);
  const high = Math.max(length(down), length(wider) * LOWEST);
  const higher = cleared(board, 1, grown(down, high, whole[1]), wider);
  return [wider[0], higher[0], length(wider), length(higher)];
}

type Span = readonly [from: number, to: number];

/** From where to where a place reaches: across the board (0) or down (1). */
function spanOf(board: Scene["board"], place: Place, axis: 0 | 1): Span {
  const [middle, half] = [
    axis === 0 ? place.x : place.y,
    extentOf(shapeOf(board, place))[axis] / 2,
  ];
  return [middle - half, middle + half];
}

function union(spans: readonly Span[]): Span {
  return [Math.min(...spans.map(([from]) => from)), Math.max(...spans.map(([, to]) => to))];
}

function length([from, to]: Span): number {
  return to - from;
}

/** A span of this length around the middle of another, within the whole. */
function grown([from, to]: Span, long: number, whole: number): Span {
  const start = Math.min(Math.max((from + to - long) / 2, 0), Math.max(whole - long, 0));
  return [start, Math.min(start + long, whole)];
}

/** A span whose ends are moved outwards to where they cut the fewest places beside `other`. */
function cleared(board: Scene["board"], axis: 0 | 1, [from, to]: Span, other: Span): Span {
  const [farthest, gap] = [board.size[0] * FARTHEST, 4];
  const beside = Object.values(board.places).filter((place) => {
    const [first, last] = spanOf(board, place, axis === 0 ? 1 : 0);
    return first < other[1] && last > other[0];
  });
  const spans = beside.map((place) => spanOf(board, place, axis));
  const cuts = (at: number) => spans.filter(([first, last]) => first < at && at < last).length;
  const best = (ends: readonly number[]) =>
    ends.reduce((chosen, end) => (cuts(end) < cuts(chosen) ? end : chosen));
  const before = spans.map(([first]) => Math.max(first - gap, 0));
  const after = spans.map(([, last]) => Math.min(last + gap, board.size[axis]));
  const near = (end: number, start: number) => Math.abs(end - start) <= farthest;
  return [
    best([from, ...before.filter((end) => end < from && near(end, from)).sort((a, b) => b - a)]),
    best([to, ...after.filter((end) => end > to && near(end, to)).sort((a, b) => a - b)]),
  ];
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
 * none, the pieces on it that the type's schema names, and those that stand nowhere else; while there
 * are none, the places for them. Which other pieces a move may refer to depends on the position.
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
  const types = targets.flatMap(([, { piece, id }]) =>
    piece === undefined || id !== undefined || board.mat?.pieces[piece] ? [] : [piece],
  );
  const isMeant = (piece: Piece) => ids.includes(pieceRef(piece)) || types.includes(piece.type);
  const found = pieces.filter(isMeant).map(pieceRef);
  if (found.length > 0) return found;
  const placed = types.flatMap((name) => board.pieces[name]?.placed ?? []);
  const fit = placed.map(({ at }) => fitting(at, []));
  const homes = Object.keys(board.places).filter((key) => fit.some((each) => each.test(key)));
  return homes.map((key) => placeRef(key));
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
