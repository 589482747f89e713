/** The contract of renderers: what one is given, and what it gives. README.md here shows how to write one. */

import type { ComponentChild } from "preact";
import { say, type Values, type Words } from "../words/labels.ts";
import type { Board, Sign } from "./geometry.ts";
import { type Mat, type Owner, type Standing, standing } from "./standing.ts";
import { rowOf, type Tables } from "./tables.ts";

export type View = Readonly<Record<string, unknown>>;

/** All that a board is drawn from. */
export interface Scene<V = View> extends Standing {
  /** What the rules show the viewer. */
  readonly view: V;
  /** Through whose eyes; null for a spectator. */
  readonly viewer: number | null;
  readonly board: Board;
  readonly tables: Tables;
  readonly says: Says;
  /** Who sits where: the names of players and bots. */
  readonly names: readonly string[];
  /** The colour, shape and pattern of a seat or side. */
  sign(owner: Owner): Sign;
}

/** The words of the ruleset, in the language of the page. */
export interface Says {
  readonly language: string;
  /** A label with its values: `label("where.stop", { stop: 3 })`. */
  label(key: string, values?: Values): string;
  /** What a row of a table is called: `name("goods", "rum")`. */
  name(table: string, id: string): string;
  /** What a card, a building or a tile does; "" for what needs no words. */
  text(table: string, id: string): string;
  /** What a piece of this type is called besides its row's name; "" for what needs no words. */
  piece(type: string, values?: Values): string;
  /** A place's name. */
  place(key: string, mat?: boolean): string;
  /** A seat's or side's name: that of who sits there, with the colour. */
  owner(owner: Owner): string;
}

/**
 * What `rules/<game>/aids/board.tsx` exports as `default`. Each member may be left out: the generic
 * board draws it then. All are pure: equal scenes have equal drawings.
 */
export interface Renderer<V = View> {
  /** The inside of an `<svg>` whose view box is the board's `size`. */
  draw?(scene: Scene<V>): ComponentChild;
  /** The same for a mat, whose view box is `board.mat.size`. */
  mat?(scene: Scene<V>, mat: Mat): ComponentChild;
  /** The board's icons by name, each within a circle of radius 12 about the origin. */
  icons?: Icons;
  /** A style sheet, for classes of one's own. */
  style?: string;
}

export type Icons = Readonly<Record<string, ComponentChild>>;

export interface Setting {
  readonly board: Board;
  readonly tables: Tables;
  readonly words: Words;
  readonly language: string;
  readonly names: readonly string[];
}

/** Make the scene of a view; pieces that stood in `before` keep their keys. */
export function sceneOf(
  setting: Setting,
  view: View,
  viewer: number | null,
  before: Standing | null = null,
): Scene {
  const { board, tables, names } = setting;
  return {
    ...standing(board, view, before),
    view,
    viewer,
    board,
    tables,
    names,
    says: saysOf(setting),
    sign: (owner) => signOf(board, owner),
  };
}

const NOBODY: Sign = { colour: "ink", shape: "circle", pattern: "empty" };

function signOf(board: Board, owner: Owner): Sign {
  return (typeof owner === "number" ? board.seats[owner] : board.sides?.[owner]) ?? NOBODY;
}

export function saysOf({ board, tables, words, language, names }: Setting): Says {
  const label = (key: string, values?: Values) => say(words, key, values);
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
      const place = (mat ? board.mat : board)?.places[key];
      return place ? label(place.label, place.says) : key;
    },
    owner: (owner) => {
      const colour = label(`${typeof owner === "number" ? "seat" : "side"}.${owner}`);
      const name = typeof owner === "number" ? names[owner] : undefined;
      return name ? `${name} (${colour})` : colour;
    },
  };
}
