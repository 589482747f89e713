/** Functions that several parts of the board use. */

import type { Scene } from "lonja";
import type { View } from "./mat.tsx";
import { AREAS, type Area } from "./narrow.ts";

export type Table = Scene<View>;

/** Where the least letters are larger than this, in units, names stand above all else. */
export const CRAMPED = 22;

/** The keys of the places of one kind, in the order of the geometry. */
export function placesOf({ board }: Table, kind: string): string[] {
  return Object.keys(board.places).filter((key) => board.places[key]?.kind === kind);
}

/** Where a part of the scenery lies, on this screen. */
export function areaOf({ narrow }: Table, name: keyof typeof AREAS): Area {
  return AREAS[name][narrow ? "narrow" : "wide"];
}
