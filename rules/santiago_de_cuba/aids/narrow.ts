/** The board laid out for a narrow screen: the turn on top, then the town, the harbour and the quay. */

import type { Board, Point } from "lonja";
import { GOODS } from "./parts.tsx";

/** The vertical positions at which the town, the harbour and the quay begin. */
export const TOWN = 128;
export const HARBOUR = 1004;
export const QUAY = 1424;

const SIZE: Point = [680, 1736];

const STOPS: readonly Point[] = [
  [618, 436],
  [618, 626],
  [440, 806],
  [240, 806],
  [62, 626],
  [62, 436],
  [62, 246],
  [240, 66],
  [440, 66],
  [618, 246],
];

/** Each quarter is a row, from west to east. */
const QUARTERS = ["yellow", "blue", "red", "white"];

const PLACES: Readonly<Record<string, Point>> = Object.fromEntries([
  ...STOPS.map(([x, y], stop) => [`stop_${stop}`, [x, TOWN + y]]),
  ...QUARTERS.flatMap((flower, row) =>
    [1, 2, 3].map((nth) => [`${flower}_${nth}`, [196 + 144 * (nth - 1), TOWN + 211 + 150 * row]]),
  ),
  ...[0, 1, 2, 3].map((value) => [`flag_${value}`, [133 + 138 * value, HARBOUR + 60]]),
  ...GOODS.slice(0, 5).map((good, nth) => [`die_${good}`, [88 + 126 * nth, HARBOUR + 234]]),
  ...[1, 2, 3, 4, 5, 6, 7].map((ship) => [`ship_${ship}`, [76 + 88 * (ship - 1), HARBOUR + 372]]),
  ...GOODS.map((good, nth) => [`supply_${good}`, [62 + 111 * nth, QUAY + 132]]),
  ["turns", [340, QUAY + 270]],
]);

export function narrow(board: Board): Board {
  const places = Object.entries(board.places).map(([key, place]) => {
    const [x, y] = PLACES[key] ?? [place.x, place.y];
    return [key, { ...place, x, y }];
  });
  const shaped = (kind: string, rect: Point) => ({
    [kind]: { ...board.kinds[kind], shape: { rect } },
  });
  return {
    ...board,
    size: SIZE,
    kinds: {
      ...board.kinds,
      ...shaped("site", [142, 146]),
      ...shaped("supply", [104, 190]),
      ...shaped("area", [640, 60]),
    } as Board["kinds"],
    places: Object.fromEntries(places),
  };
}
