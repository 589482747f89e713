// Values derived from a tournament's seed for each of its games: id, seat order, salt and luck.

import { hex, K, marked } from "../digests.ts";

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * A try at a block; blocks and tries are numbered from 1. The name of a first try does not have the
 * number of the try.
 */
export interface Try {
  readonly number: number;
  readonly tried: number;
}
const again = ({ tried }: Try): readonly number[] => (tried === 1 ? [] : [tried]);

/** Return the id of the game of a try at a block and a rotation (from 0). */
export function gameId(tournament: string, block: Try, rotation: number): string {
  const tries = again(block).map((tried) => ` try ${tried}`);
  return idOf(
    "g",
    marked("game", tournament, `block ${block.number} rotation ${rotation}${tries}`),
  );
}

/** Return the id of the part of an endless tournament that follows the part with a head. */
export const partAfter = (tournament: string, head: string): string =>
  idOf("t", marked("part", tournament, head));

function idOf(kind: "g" | "t", h: Uint8Array): string {
  const slot = String((h[0] as number) % 64).padStart(2, "0");
  return `${kind}${slot}-${base32(h.subarray(1, 14)).slice(0, 20)}`;
}

/** What has luck of its own: a block, whose games then share it, or each game. */
export type LuckOf = "block" | "game";

export const scopeOf = (scope: string, block: Try, rotation: number, of: LuckOf): string =>
  (of === "game"
    ? [scope, block.number, rotation, block.tried]
    : [scope, block.number, ...again(block)]
  ).join("/");
export const seedOf = (key: Uint8Array, block: Try, rotation: number, of: LuckOf): string =>
  hex(
    of === "game"
      ? K(key, "game", block.number, rotation, block.tried)
      : K(key, "block", block.number, ...again(block)),
  );
export const saltOf = (key: Uint8Array, block: Try, rotation: number): string =>
  hex(K(key, "salt", block.number, rotation, ...again(block)));

/** Return the entries by seat of each game of a block. */
export function rotations(lineup: readonly number[], how: "cyclic" | "all"): readonly number[][] {
  if (how === "cyclic")
    return lineup.map((_, r) => lineup.map((_, s) => lineup[(s + r) % lineup.length] as number));
  const orders = new Map(permutations(lineup).map((order) => [order.join(), order]));
  return [...orders.values()];
}

/**
 * Returns the number of games in a block. The orders are not listed for that, because a hostile
 * line-up has very many.
 */
export function rotationCount(lineup: readonly number[], how: "cyclic" | "all"): number {
  if (how === "cyclic") return lineup.length;
  const seen = new Map<number, number>();
  return lineup.reduce((count, entry, index) => {
    const times = (seen.get(entry) ?? 0) + 1;
    seen.set(entry, times);
    return (count * (index + 1)) / times;
  }, 1);
}

/** Yields all orders as Python's `itertools.permutations` does: by position, not by value. */
function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

function base32(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join("");
}

/**
 * If the seed was given, the scope does not contain the tournament's id, and does not reveal it.
 */
export const isGiven = (scope: string): boolean => /^seed-[0-9a-f]{16}$/.test(scope);
