/**
 * The interface of renderers: what they get and return. README.md of the client shows how to write
 * one.
 */

import type { ComponentChild } from "preact";
import { say, type Values, type Words } from "../words/labels.ts";
import type { Board, Sign } from "./geometry.ts";
import { type Mat, type Owner, type Standing, standing } from "./standing.ts";
import { rowOf, type Tables } from "./tables.ts";

export type View = Readonly<Record<string, unknown>>;

/** What a renderer draws. */
export interface Scene<V = View> extends Standing, Fixed {
  /** The ruleset's view for the viewer. */
  readonly view: V;
  /** The viewer's seat; null for a spectator. */
  readonly viewer: number | null;
  /**
   * The same object while only the view changes. What gets it in place of the scene is not drawn
   * again, unless its other props have changed.
   */
  readonly fixed: Fixed;
}

/** What a drawing needs besides the view: the geometry, the data, and the words. */
export interface Fixed {
  readonly board: Board;
  readonly tables: Tables;
  readonly says: Says;
  /** The names of players and bots, by seat. */
  readonly names: readonly string[];
  /** Whether `board` has the narrow layout, which the renderer's `narrow` made. */
  readonly narrow: boolean;
  /** The colour, shape and pattern of a seat or side. */
  sign(owner: Owner): Sign;
}

/** The functions below return labels of the ruleset, in the language of the page. */
export interface Says {
  readonly language: string;
  /** A label with its values: `label("where.stop", { stop: 3 })`. */
  label(key: string, values?: Values): string;
  /** The name of a row of a table: `name("goods", "rum")`. */
  name(table: string, id: string): string;
  /** The text that says what a card, a building or a tile does; "" if there is none. */
  text(table: string, id: string): string;
  /** The text that a piece of this type adds after the name of its row; "" if there is none. */
  piece(type: string, values?: Values): string;
  /** A place's name. */
  place(key: string, mat?: boolean): string;
  /** The name of a seat or side: its holder's name, with the colour. */
  owner(owner: Owner): string;
}

/**
 * The default export of `rules/<game>/aids/board.tsx`. All members are optional: the generic board
 * draws what is missing. All are pure functions: equal scenes have equal drawings.
 */
export interface Renderer<V = View> {
  /** The content of an `<svg>` whose view box is the board's `size`. */
  draw?(scene: Scene<V>): ComponentChild;
  /** The content of a mat's `<svg>`, whose view box is `board.mat.size`. */
  mat?(scene: Scene<V>, mat: Mat): ComponentChild;
  /**
   * What a mat shows of the view besides its own part. With this function, a mat is drawn anew only
   * if its part or this has changed.
   */
  beside?(view: V, owner: Owner): unknown;
  /** The board's icons by name, each within a circle of radius 12 about the origin. */
  icons?: Icons;
  /** A style sheet for the classes that the drawings use. */
  style?: string;
  /**
   * The same board, with its mat, for a screen narrower than 40 rem: its places have other
   * coordinates, shapes and sizes, so drawings must use `scene.board`. Without `narrow`, the board
   * is larger than such a screen, and people scroll it.
   */
  narrow?(board: Board): Board;
  /**
   * The pixels of a unit at which fingers meet each of neighbouring places. On a phone, the board
   * then has its usual layout at this scale, and people move it, unless they choose to have it whole.
   */
  touch?: number;
}

/** The board in the layout for a screen, and whether that is the narrow layout. */
export function laidOut(
  { narrow: layout }: Pick<Renderer, "narrow">,
  board: Board,
  narrow: boolean,
): Pick<Setting, "board" | "narrow"> {
  return narrow && layout ? { board: layout(board), narrow } : { board, narrow: false };
}

export type Icons = Readonly<Record<string, ComponentChild>>;

export interface Setting {
  readonly board: Board;
  readonly tables: Tables;
  readonly words: Words;
  readonly language: string;
  readonly names: readonly string[];
  /** Whether the board has its narrow layout; see `laidOut`. */
  readonly narrow?: boolean;
}

/** Makes the scene of a view; pieces that were in `before` keep their keys. */
export function sceneOf(
  setting: Setting,
  view: View,
  viewer: number | null,
  before: Standing | null = null,
): Scene {
  const fixed = fixedOf(setting);
  return { ...standing(setting.board, view, before), view, viewer, ...fixed, fixed };
}

function fixedOf(setting: Setting): Fixed {
  const { board, tables, names, narrow = false } = setting;
  const sign = (owner: Owner) => signOf(board, owner);
  const known = fixed.get(setting) ?? { board, tables, names, narrow, says: saysOf(setting), sign };
  fixed.set(setting, known);
  return known;
}

const fixed = new WeakMap<Setting, Fixed>();

const NOBODY: Sign = { colour: "ink", shape: "circle", pattern: "empty" };

function signOf(board: Board, owner: Owner): Sign {
  return (typeof owner === "number" ? board.seats[owner] : board.sides?.[owner]) ?? NOBODY;
}

/** What a board says; the same object for the same setting, so that drawings know it again. */
export function saysOf(setting: Setting): Says {
  const said = spoken.get(setting) ?? speaking(setting);
  spoken.set(setting, said);
  return said;
}

const spoken = new WeakMap<Setting, Says>();

function speaking({ board, tables, words, language, names }: Setting): Says {
  const label = (key: string, values?: Values) => say(words, key, values);
  const [onBoard, onMats] = [new Map<string, string>(), new Map<string, string>()];
  return {
    language,
    label,
    name: (table, id) => label(`${board.catalogue[table]?.name ?? table}.${id}`),
    text: (table, id) => {
      const known = board.catalogue[table];
      if (known?.text) return words[`${known.text}.${id}`] ?? "";
      if (!known?.row_text) return "";
      const said = rowOf(tables, table, id)?.[known.row_text] as Words | undefined;
      return said?.[language] ?? "";
    },
    piece: (type, values) => (`piece.${type}` in words ? label(`piece.${type}`, values) : ""),
    place: (key, mat = false) => {
      const called = mat ? onMats : onBoard;
      const place = (mat ? board.mat : board)?.places[key];
      const name = called.get(key) ?? (place ? label(place.label, place.says) : key);
      called.set(key, name);
      return name;
    },
    owner: (owner) => {
      const colour = label(`${typeof owner === "number" ? "seat" : "side"}.${owner}`);
      const name = typeof owner === "number" ? names[owner] : undefined;
      return name ? `${name} (${colour})` : colour;
    },
  };
}
