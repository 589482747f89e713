/** Where the pieces of a view stand. */

import type { Board, Sheet } from "./geometry.ts";
import { fill, type Node, nodes, root } from "./paths.ts";

/** A seat's number, or an automaton's name. */
export type Owner = number | string;

/** A piece on a place. */
export interface Piece {
  /** The piece's key on this board: a piece that moves keeps it. */
  readonly key: string;
  /** The piece's type: a member of the board's `pieces`. */
  readonly type: string;
  /** The piece's row in the table of its type, if the type has one. */
  readonly id: string | null;
  /** The piece's owner, if any. */
  readonly owner: Owner | null;
  /** The number that the piece stands for, or shows. */
  readonly count: number | null;
  /** The key of the piece's place. */
  readonly place: string;
  /** The owner of the mat on which the place is; null for the board. */
  readonly mat: Owner | null;
  /** The piece's centre, on the board or the mat. */
  readonly x: number;
  readonly y: number;
  /** The piece's index, from 0, among the pieces in the same spot. */
  readonly nth: number;
  readonly among: number;
}

/** The board of a player: the same members as a board, with paths that start at the player. */
export interface Mat {
  readonly owner: Owner;
  /** The part of the view that the mat shows. */
  readonly view: Record<string, unknown>;
  readonly pieces: readonly Piece[];
}

type Found = Omit<Piece, "key" | "nth" | "among">;

export interface Standing {
  readonly pieces: readonly Piece[];
  readonly mats: readonly Mat[];
}

/**
 * Puts the pieces of a view on the board and its mats; pieces of `before` that have moved keep
 * their keys.
 */
export function standing(board: Board, view: unknown, before: Standing | null = null): Standing {
  const { mat } = board;
  const owners = mat
    ? [...nodes(root(view), mat.each)].map((node) => ({ node, owner: ownerOf(node) }))
    : [];
  const found = [
    ...onSheet(board, root(view), null),
    ...owners.flatMap(({ node, owner }) => (mat ? onSheet(mat, root(node.value), owner) : [])),
  ];
  const known = before ? [before.pieces, ...before.mats.map(({ pieces }) => pieces)].flat() : [];
  const pieces = spotted(keyed(found, known));
  return {
    pieces: pieces.filter((piece) => piece.mat === null),
    mats: owners.map(({ node, owner }) => ({
      owner,
      view: node.value as Record<string, unknown>,
      pieces: pieces.filter((piece) => piece.mat === owner),
    })),
  };
}

/**
 * The owner of a part of a view: the seat or side that the part names, or else the part's index.
 */
function ownerOf({ value, key }: Node): Owner {
  const { seat, side } = value as { seat?: number; side?: Owner };
  return seat ?? side ?? key ?? 0;
}

function onSheet(sheet: Sheet, view: Node, mat: Owner | null): Found[] {
  return Object.entries(sheet.pieces).flatMap(([type, { placed }]) =>
    placed.flatMap((binding) =>
      [...nodes(view, binding.each)].flatMap((node): Found[] => {
        const said = (template: string | undefined) =>
          template === undefined ? undefined : fill(template, node);
        if (binding.if !== undefined && !said(binding.if)) return [];
        if (binding.unless !== undefined && said(binding.unless)) return [];
        const [place, id, owner, count] = [binding.at, binding.id, binding.seat, binding.count].map(
          said,
        );
        if ([place, id, owner, count].includes(null)) return [];
        const at = sheet.places[String(place)];
        if (at === undefined) return []; // an added edition may have rows that have no place
        const [dx, dy] = binding.offset ?? [0, 0];
        return [
          {
            type,
            id: id === undefined ? null : String(id),
            owner: (owner as Owner | undefined) ?? null,
            count: count === undefined ? null : Number(count),
            place: String(place),
            mat,
            x: at.x + dx,
            y: at.y + dy,
          },
        ];
      }),
    ),
  );
}

/** Gives every piece a key. Among equal pieces, first those that did not move keep their keys. */
function keyed(found: readonly Found[], before: readonly Piece[]): Omit<Piece, "nth" | "among">[] {
  const alike = (piece: Found) => [piece.type, piece.id ?? "", piece.owner ?? ""].join(":");
  const free = Map.groupBy(before, alike);
  const keys = new Map<Found, string>();
  const take = (piece: Found, fits: (old: Piece) => boolean) => {
    const old = free.get(alike(piece));
    const index = old?.findIndex(fits) ?? -1;
    if (old === undefined || index < 0) return;
    const [taken] = old.splice(index, 1);
    if (taken) keys.set(piece, taken.key);
  };
  for (const piece of found)
    take(piece, ({ place, mat }) => place === piece.place && mat === piece.mat);
  for (const piece of found) if (!keys.has(piece)) take(piece, () => true);
  const used = new Set(keys.values());
  return found.map((piece) => {
    const key = keys.get(piece) ?? unused(alike(piece), used);
    used.add(key);
    return { ...piece, key };
  });
}

function unused(name: string, used: ReadonlySet<string>): string {
  for (let number = 1; ; number++) if (!used.has(`${name}:${number}`)) return `${name}:${number}`;
}

function spotted(pieces: readonly Omit<Piece, "nth" | "among">[]): Piece[] {
  const spots = Map.groupBy(pieces, ({ mat, x, y }) => `${mat} ${x} ${y}`);
  return [...spots.values()].flatMap((same) =>
    same.map((piece, nth) => ({ ...piece, nth, among: same.length })),
  );
}
