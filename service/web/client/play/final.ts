/** The points at the end of a game. */

import type { Table } from "./table.ts";

interface Result {
  readonly standings: readonly { readonly side: string; readonly score: number }[];
}

/** The final points by seat or automaton; null while the shown moment is not the end. */
export function finalPoints(table: Table): ReadonlyMap<string, number> | null {
  const result = table.game.value?.result as Result | null | undefined;
  if (!result || table.shown.value !== table.newest.value || table.supposing.value) return null;
  return new Map(result.standings.map(({ side, score }) => [side.replace(/^\w+:/, ""), score]));
}
