/** The board on a phone, where it is half as wide: the city below the sea, the wall and the cards in two rows. */

import type { Board, Point } from "lonja";

type Place = Board["places"][string];

/** A part of the scenery: its top left corner and its size. */
export interface Area {
  readonly at: Point;
  readonly size: Point;
}
export const AREAS = {
  sea: { wide: { at: [11, 84], size: [590, 556] }, narrow: { at: [5, 134], size: [590, 556] } },
  city: { wide: { at: [605, 84], size: [584, 556] }, narrow: { at: [8, 696], size: [584, 630] } },
  wall: { wide: { at: [10, 650], size: [1180, 66] }, narrow: { at: [8, 1344], size: [584, 176] } },
} as const;

const QUARTER = 98;
/** Number of spaces of the wall, or of cards, that a row of the narrow board has. */
const HALF = 8;
const CARDS = 3;

export function narrow(board: Board): Board {
  const { kinds } = board;
  const seen: Record<string, number> = {};
  const places = Object.entries(board.places).map(([key, place]) => {
    const nth = seen[place.kind] ?? 0;
    seen[place.kind] = nth + 1;
    return [key, { ...place, ...(ALONE[key] ?? moved(place, nth)) }] as const;
  });
  return {
    ...board,
    size: [600, 2368],
    kinds: {
      ...kinds,
      sea: { ...kinds.sea, shape: { circle: 22 } } as (typeof kinds)[string],
      wall: { ...kinds.wall, shape: { rect: [70, 80] } } as (typeof kinds)[string],
    },
    places: Object.fromEntries(places),
  };
}

const ALONE: Readonly<Record<string, Partial<Place>>> = {
  turn_order: { x: 498, y: 38 },
  tribute_gold: { x: 52, y: 1662 },
  tribute_prestige: { x: 156, y: 1662 },
  bank: { x: 399, y: 1662, shape: { rect: [386, 106] } },
  future_offices: { x: 300, y: 2256, shape: { rect: [588, 58] } },
  discard: { x: 189, y: 2324, shape: { rect: [366, 58] } },
  jokers_used: { x: 486, y: 2324, shape: { rect: [216, 58] } },
};

/** The position and the size of the nth place of a kind, on the narrow board. */
function moved({ kind, x, y, shape }: Place, nth: number): Partial<Place> {
  const by = (area: keyof typeof AREAS): Point => [
    AREAS[area].narrow.at[0] - AREAS[area].wide.at[0],
    AREAS[area].narrow.at[1] - AREAS[area].wide.at[1],
  ];
  switch (kind) {
    case "quarter": {
      const row = Math.round((y - AREAS.city.wide.at[1] - 51) / 90);
      const width = shape?.rect?.[0] ?? 110;
      const top = AREAS.city.narrow.at[1] + 56;
      return { x: x + by("city")[0], y: top + row * 104, shape: { rect: [width, QUARTER] } };
    }
    case "wall": {
      const [left, top] = AREAS.wall.narrow.at;
      return { x: left + 37.5 + (nth % HALF) * 72.7, y: top + 45 + Math.floor(nth / HALF) * 86 };
    }
    case "card":
      return { x: 102 + (nth % CARDS) * 198, y: 1846 + Math.floor(nth / CARDS) * 248 };
    case "die":
      return { x: 54 + nth * 98.4, y: 1564 };
    case "round":
      return { x: 33 + nth * 48.6, y: 100 };
    default: {
      const [dx, dy] = by("sea");
      return { x: x + dx, y: y + dy };
    }
  }
}
