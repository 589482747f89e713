/** Functions that several parts of the board use. */

import type { Scene } from "lonja";
import type { View } from "./mat.tsx";
import { AREAS, type Area } from "./narrow.ts";

export type Table = Scene<View>;

/** The keys of the places of one kind, in the order of the geometry. */
export function placesOf({ board }: Table, kind: string): string[] {
  return Object.keys(board.places).filter((key) => board.places[key]?.kind === kind);
}

/** Where a part of the scenery lies, on this screen. */
export function areaOf({ narrow }: Table, name: keyof typeof AREAS): Area {
  return AREAS[name][narrow ? "narrow" : "wide"];
}
