/** What the parts of the board share. */

import type { Scene } from "lonja";
import type { View } from "./mat.tsx";

export type Table = Scene<View>;

/** The keys of the places of one kind, in the order of the geometry. */
export function placesOf({ board }: Table, kind: string): string[] {
  return Object.keys(board.places).filter((key) => board.places[key]?.kind === kind);
}
