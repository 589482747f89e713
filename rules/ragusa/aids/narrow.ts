/** The board laid out for a narrow screen: the map as wide as the screen, the market below it. */

import type { Board, Point, Shape } from "lonja";

const SIZE: Point = [1030, 2408];

/** The vertical position at which the market begins. */
export const MARKET = 1000;

const COMMODITIES = ["wine", "oil", "silver"];

/** The position of each place of the market, relative to the market's upper left corner. */
const MARKETED: Readonly<Record<string, Point>> = Object.fromEntries([
  ["active", [306, 56]],
  ["now", [822, 56]],
  ["activated", [516, 158]],
  ...[1, 2, 3, 4, 5].map((slot) => [`slot_${slot}`, [516, 156 + 108 * slot]]),
  ["ship_deck", [260, 804]],
  ["next_ship", [772, 804]],
  ...COMMODITIES.flatMap((commodity, row) =>
    Array.from({ length: 12 }, (_, index) => [
      `price_${commodity}_${index}`,
      [109 + 79.5 * index, 906 + 92 * row],
    ]),
  ),
  ["bonus_deck", [300, 1222]],
  ["start_player", [812, 1222]],
  ["patricians", [516, 1354]],
]);

const SHAPES: Readonly<Record<string, Shape>> = {
  space: { circle: 37 },
  wall: { circle: 36.36 }, // 24 pixels wide on a phone, without overlapping the next wall
  slot: { rect: [1024, 102] },
  price: { rect: [76, 86] },
  area: { rect: [504, 94] },
  wide: { rect: [1024, 94] },
};

/** Places that are not shaped as others of their kind are. */
const OWN: Readonly<Record<string, Shape>> = {
  active: { rect: [604, 94] },
  now: { rect: [412, 94] },
  bonus_deck: { rect: [592, 160] },
  start_player: { rect: [432, 160] },
  patricians: { rect: [1024, 94] },
};

export function narrow(board: Board): Board {
  const kinds = Object.entries(board.kinds).map(([kind, known]) => [
    kind,
    { ...known, shape: SHAPES[kind] ?? known.shape },
  ]);
  const places = Object.entries(board.places).map(([key, { shape: _, ...place }]) => {
    const [x, y] = MARKETED[key] ?? [];
    const at = x === undefined || y === undefined ? {} : { x, y: MARKET + y };
    const shape = OWN[key] && { shape: OWN[key] };
    return [key, { ...place, ...at, ...shape }];
  });
  return {
    ...board,
    size: SIZE,
    kinds: Object.fromEntries(kinds),
    places: Object.fromEntries(places),
    ...(board.mat && { mat: mat(board.mat) }),
  };
}

/** The mat has higher cards, whose letters are larger. */
function mat(sheet: NonNullable<Board["mat"]>): NonNullable<Board["mat"]> {
  const { bonus_cards: kept, offered } = sheet.places;
  return {
    ...sheet,
    size: [sheet.size[0], 416],
    places: {
      ...sheet.places,
      ...(kept && { bonus_cards: { ...kept, y: 323, shape: { rect: [384, 176] } } }),
      ...(offered && { offered: { ...offered, y: 323, shape: { rect: [120, 176] } } }),
    },
  };
}
