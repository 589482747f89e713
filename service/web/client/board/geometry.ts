/** A ruleset's `board` document, as docs/api/table.md defines it. */

export type Point = readonly [x: number, y: number];

/** An outline around a centre; it has exactly one of these members. */
export interface Shape {
  /** The radius. */
  readonly circle?: number;
  /** The radii. */
  readonly ellipse?: Point;
  /** The distance from the centre to the corners; one corner is on top. */
  readonly hex?: number;
  /** Width and height. */
  readonly rect?: Point;
  /** The corners, relative to the centre. */
  readonly polygon?: readonly Point[];
}

/**
 * A seat's sign. The signs of any two seats differ in shape and in pattern, so people can tell them
 * apart without seeing the colour.
 */
export interface Sign {
  readonly colour: string;
  readonly shape: string;
  readonly pattern: string;
}

export interface Kind {
  readonly shape: Shape;
  readonly colour: string;
  readonly icon?: string;
  readonly table?: string;
  readonly key?: string;
  readonly lines?: boolean;
  readonly directed?: boolean;
}

export interface Place {
  readonly kind: string;
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly says?: Record<string, unknown>;
  readonly mark?: string;
  readonly shape?: Shape;
  readonly colour?: string;
  readonly icon?: string;
  readonly neighbours?: readonly string[];
  readonly shows?: string;
  readonly of?: string;
}

/**
 * How pieces and their positions follow from a view: see "Drawing a board" in docs/api/table.md.
 */
export interface Placed {
  readonly each: string;
  readonly at: string;
  readonly id?: string;
  readonly seat?: string;
  readonly count?: string;
  readonly if?: string;
  readonly unless?: string;
  readonly offset?: Point;
}

export interface PieceKind {
  readonly icon?: string;
  readonly table?: string;
  readonly placed: readonly Placed[];
}

export interface Scenery {
  readonly x: number;
  readonly y: number;
  readonly shape: Shape;
  readonly colour: string;
  readonly label?: string;
}

/** A surface with places and pieces: a board, or the mat of a player. */
export interface Sheet {
  readonly size: Point;
  readonly kinds: Readonly<Record<string, Kind>>;
  readonly places: Readonly<Record<string, Place>>;
  readonly pieces: Readonly<Record<string, PieceKind>>;
}

/** The elements to which a field of a move refers. */
export interface Target {
  readonly place?: string;
  readonly mat?: string;
  readonly piece?: string;
  readonly id?: string;
  readonly own?: string;
  readonly along?: string;
  readonly from?: string;
}

/** The names, texts, icons and colours of the rows of a table of the ruleset's data. */
export interface Catalogued {
  readonly name: string;
  readonly text?: string;
  readonly row_text?: string;
  readonly icons?: Readonly<Record<string, string>>;
  readonly colours?: Readonly<Record<string, string>>;
}

export interface Board extends Sheet {
  readonly colours: Readonly<Record<string, { readonly light: string; readonly dark: string }>>;
  readonly icons: readonly string[];
  readonly seats: readonly Sign[];
  readonly sides?: Readonly<Record<string, Sign>>;
  readonly scenery?: readonly Scenery[];
  readonly tracks?: Readonly<
    Record<string, { readonly places: readonly string[]; readonly closed?: boolean }>
  >;
  readonly mat?: Sheet & { readonly each: string };
  /** The effects with which a round begins, or the previous one ends. */
  readonly rounds?: readonly string[];
  readonly moves: Readonly<Record<string, Readonly<Record<string, Target>>>>;
  readonly catalogue: Readonly<Record<string, Catalogued>>;
}

/** The outline of a place: its own shape, or the shape of its kind. */
export function shapeOf(sheet: Sheet, place: Place): Shape {
  return place.shape ?? sheet.kinds[place.kind]?.shape ?? { circle: 20 };
}

/** The width and height of a shape. */
export function extentOf(shape: Shape): Point {
  if (shape.rect) return shape.rect;
  if (shape.circle) return [2 * shape.circle, 2 * shape.circle];
  if (shape.ellipse) return [2 * shape.ellipse[0], 2 * shape.ellipse[1]];
  if (shape.hex) return [Math.sqrt(3) * shape.hex, 2 * shape.hex];
  const corners = shape.polygon ?? [[0, 0]];
  const across = (axis: 0 | 1) => {
    const values = corners.map((corner) => corner[axis]);
    return Math.max(...values) - Math.min(...values);
  };
  return [across(0), across(1)];
}
