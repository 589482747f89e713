/** The board on a phone, where it is half as wide: the harbour lies below the lanes, and the punts form two rows. */

import type { Board } from "lonja";

type Place = Board["places"][string];

const SIZES: Readonly<Record<string, readonly [number, number]>> = {
  sea: [36, 96],
  port: [192, 96],
  shipyard: [192, 116],
  pirate: [264, 116],
  pilot: [158, 116],
  office: [192, 108],
  area: [192, 108],
  price: [73, 46],
  supply: [150, 46],
};
const ROWS = ["nutmeg", "silk", "ginseng", "jade"];
const VALUES = ["0", "5", "10", "20", "30"];
const SLOTS = ["a", "b", "c"];
const AREAS = ["harbour_master", "high_bidder", "auction", "voyage", "left_out", "insurance"];

export function narrow(board: Board): Board {
  const kinds = Object.entries(board.kinds).map(([name, kind]) => {
    const rect = SIZES[name];
    return [name, rect ? { ...kind, shape: { rect } } : kind] as const;
  });
  const places = Object.entries(board.places).map(
    ([key, place]) => [key, { ...place, ...spot(board, key, place) }] as const,
  );
  return {
    ...board,
    size: [600, 1650],
    kinds: Object.fromEntries(kinds),
    places: Object.fromEntries(places),
  };
}

/** The position of a place on the narrow board; the parts of its key say which place of its kind it is. */
function spot(board: Board, key: string, { kind, x, y }: Place): { x: number; y: number } {
  const [, one = "", other = ""] = key.split("_");
  switch (kind) {
    case "price":
      return { x: 98 + VALUES.indexOf(other) * 75, y: row(one) };
    case "supply":
      return { x: 517, y: row(one) };
    case "sea":
      return { x: 48 + Number(other) * 36, y: 456 + Number(one) * 100 };
    case "port":
      return { x: third(SLOTS.indexOf(one)), y: 872 };
    case "shipyard":
      return { x: third(SLOTS.indexOf(one)), y: 988 };
    case "pirate":
    case "pirate_place":
      return { x: x - 590 + 138, y: y - 632 + 1120 };
    case "pilot":
      return { x: one === "big" ? 517 : 354, y: 1120 };
    case "punt":
    case "berth":
    case "start": {
      const punt = board.places[`punt_${one}`];
      const nth = ROWS.indexOf(one);
      const [left, top] = [150 + (nth % 2) * 300, 1302 + Math.floor(nth / 2) * 228];
      return { x: left + x - (punt?.x ?? 0), y: top + y - (punt?.y ?? 0) };
    }
    default: {
      const nth = AREAS.indexOf(key);
      return { x: third(nth % 3), y: 326 + Math.floor(nth / 3) * 116 };
    }
  }
}

const third = (nth: number) => 103 + nth * 197;
const row = (ware: string) => 72 + ROWS.indexOf(ware) * 53;
