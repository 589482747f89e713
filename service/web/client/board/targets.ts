/**
 * The elements of a board that a move or an effect refers to.
 *
 * A reference names an element: `place:stop_1`, `mat:0:good_rum` for a place on the mat of seat 0,
 * `piece:building:casino` for every piece of that type and id, wherever it stands, and
 * `piece:disc:0` for all pieces of seat 0 of a type without ids.
 */

import type { Board, Target } from "./geometry.ts";
import { fill, nodes, root } from "./paths.ts";
import type { Says } from "./scene.ts";
import type { Owner, Piece } from "./standing.ts";
import { idsOf, type Tables } from "./tables.ts";

export type Ref = string;
export type Move = Readonly<{ type: string } & Record<string, unknown>>;

export function placeRef(place: string, mat: Owner | null = null): Ref {
  return mat === null ? `place:${place}` : `mat:${mat}:${place}`;
}

export function pieceRef({ type, id, owner }: Pick<Piece, "type" | "id" | "owner">): Ref {
  return `piece:${type}:${id ?? owner ?? ""}`;
}

function idRef(type: string, id: string): Ref {
  return pieceRef({ type, id, owner: null });
}

/**
 * The references of a seat's move: those of one field, those of the type of move (`type`), or all.
 */
export function refsOf(
  board: Board,
  view: unknown,
  seat: number | null,
  move: Move,
  field: string | null = null,
): Ref[] {
  return Object.entries(board.moves[move.type] ?? {}).flatMap(([path, target]) => {
    const name = path.split("/", 1)[0] ?? path;
    if ((field !== null && name !== field) || !(name in move)) return [];
    return [...nodes(root(move), path)].flatMap((node) => {
      const ref = pointedTo(board, view, seat, target, node);
      return ref === null ? [] : [ref];
    });
  });
}

function pointedTo(
  board: Board,
  view: unknown,
  seat: number | null,
  target: Target,
  node: ReturnType<typeof root>,
): Ref | null {
  if (target.place !== undefined) return placeRef(String(fill(target.place, node)));
  if (target.mat !== undefined) return placeRef(String(fill(target.mat, node)), seat);
  if (target.piece !== undefined)
    return idRef(target.piece, String(fill(target.id ?? "{.}", node)));
  if (target.own !== undefined) return pieceRef({ type: target.own, id: null, owner: seat });
  if (target.along === undefined || target.from === undefined) return null;
  const track = board.tracks?.[target.along];
  const start = fill(target.from, root(view));
  if (!track || typeof start !== "number") return null;
  const steps = start + Number(node.value);
  const place = track.places[track.closed ? steps % track.places.length : steps];
  return place === undefined ? null : placeRef(place);
}

/** The reference of an element. */
export function nameOf(board: Board, says: Says, ref: Ref): string {
  const [kind, first = "", second = ""] = ref.split(":");
  if (kind === "place") return says.place(first);
  if (kind === "mat") return says.place(second, true);
  const table = (board.pieces[first] ?? board.mat?.pieces[first])?.table;
  return table && board.catalogue[table] ? says.name(table, second) : says.owner(Number(second));
}

/**
 * The elements that stand for each id: places whose kind has a table with a row of this id, and
 * pieces whose type has such a table.
 */
export type Elements = ReadonlyMap<string, readonly Ref[]>;

export function elementsOf(board: Board, tables: Tables): Elements {
  const found = new Map<string, Ref[]>();
  const add = (id: string, ref: Ref) => found.set(id, [...(found.get(id) ?? []), ref]);
  for (const { table, key = "{.}" } of Object.values(board.kinds))
    for (const id of table ? idsOf(tables, table) : []) {
      const place = String(fill(key, root(id)));
      if (place in board.places) add(id, placeRef(place));
    }
  for (const [type, { table }] of Object.entries({ ...board.pieces, ...board.mat?.pieces }))
    for (const id of table ? idsOf(tables, table) : []) add(id, idRef(type, id));
  return found;
}

/** The elements that the data of an effect name by ids. */
export function touchedBy(elements: Elements, data: Readonly<Record<string, unknown>>): Ref[] {
  return Object.values(data)
    .flatMap(idsIn)
    .flatMap((id) => elements.get(id) ?? []);
}

function idsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(idsIn);
  return value !== null && typeof value === "object" ? Object.keys(value) : [];
}

/** The places where a piece came or went, or its count changed. */
export function changed(before: readonly Piece[], now: readonly Piece[]): Set<Ref> {
  const old = new Map(before.map((piece) => [piece.key, piece]));
  const found = new Set<Ref>();
  for (const piece of now) {
    const was = old.get(piece.key);
    old.delete(piece.key);
    if (was && was.place === piece.place && was.mat === piece.mat && was.count === piece.count)
      continue;
    found.add(placeRef(piece.place, piece.mat));
  }
  for (const { place, mat } of old.values()) found.add(placeRef(place, mat));
  return found;
}
