/**
 * The board laid out for a narrow screen: the turn and the choices on top, then the New World, the
 * court, and the supplies.
 */

import type { Board, Point, Shape } from "lonja";

const SIZE: Point = [692, 2490];

/** The distance of each part from its position on the wide board. */
export const MOVED: Readonly<Record<"turns" | "world" | "court", Point>> = {
  turns: [-680, 0],
  world: [10, 784],
  court: [-680, 1504],
};

const PARTS: Readonly<Record<string, keyof typeof MOVED>> = {
  row: "world",
  settlement: "world",
  sea: "world",
  turn: "turns",
  order: "court",
  church: "court",
  market: "court",
  surplus: "court",
  war: "court",
  level: "court",
  crown: "court",
};

/** The positions of the places that do not move with a part. */
const PLACES: Readonly<Record<string, Point>> = {
  round: [606, 56],
  pack: [346, 280],
  common_painter: [88, 538],
  common_loan: [260, 538],
  common_recruit: [432, 538],
  common_trade_route: [604, 538],
  common_mission: [88, 700],
  common_court: [260, 700],
  common_workshops: [432, 700],
  common_estate: [604, 700],
  pile: [117, 2196],
  bank: [346, 2196],
  bulls: [575, 2196],
  rosettes: [117, 2312],
  magellan: [346, 2312],
  estates: [575, 2312],
  estates_used: [346, 2428],
};

const SHAPES: Readonly<Record<string, Shape>> = {
  wide: { rect: [680, 340] },
  common: { rect: [166, 154] },
  area: { rect: [222, 108] },
  used: { rect: [680, 104] },
};

export function narrow(board: Board): Board {
  const kinds = Object.entries(board.kinds).map(([kind, known]) => [
    kind,
    { ...known, shape: SHAPES[kind] ?? known.shape },
  ]);
  const places = Object.entries(board.places).map(([key, place]) => [key, moved(key, place)]);
  return {
    ...board,
    size: SIZE,
    kinds: Object.fromEntries(kinds),
    places: Object.fromEntries(places),
  };
}

function moved(key: string, place: Board["places"][string]) {
  const at = PLACES[key];
  if (at) return { ...place, x: at[0], y: at[1] };
  const [dx, dy] = MOVED[PARTS[place.kind] ?? "court"];
  return { ...place, x: place.x + dx, y: place.y + dy };
}
