/**
 * The elements of a board that can be pointed to. A renderer wraps its drawings in them; the shell
 * makes buttons of those that a legal move refers to, marks those that an effect touched, and
 * animates pieces.
 */

import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import {
  type Board,
  type Place as PlaceData,
  type Shape,
  type Sheet,
  shapeOf,
} from "./geometry.ts";
import type { Icons, Says } from "./scene.ts";
import { Outline } from "./shapes.tsx";
import type { Mat, Owner, Piece as PieceData } from "./standing.ts";
import { pieceRef, placeRef, type Ref } from "./targets.ts";

/** The shell's data on the elements of a board; renderers can ignore it. */
export interface Highlights {
  /** The action of a click, by reference: such an element is a button with this name. */
  readonly targets: ReadonlyMap<Ref, string>;
  /** Elements that are chosen already. */
  readonly chosen: ReadonlySet<Ref>;
  /** Elements that the last events touched. */
  readonly touched: ReadonlySet<Ref>;
  /** The one button that Tab reaches; arrows lead on from there. */
  readonly stop: Ref | null;
}

export const NOTHING: Highlights = {
  targets: new Map(),
  chosen: new Set(),
  touched: new Set(),
  stop: null,
};

export interface Surroundings {
  readonly sheet: Sheet;
  readonly board: Board;
  readonly says: Says;
  /** The owner of this mat; null on the board. */
  readonly owner: Owner | null;
  readonly highlights: Highlights;
  readonly icons: Icons;
}

export const Around = createContext<Surroundings | null>(null);

/** The context of a drawn element. */
export function useAround(): Surroundings {
  const around = useContext(Around);
  if (around === null) throw new Error("a place or piece is drawn outside of a board");
  return around;
}

/** The attributes that make an element a button; empty if no legal move refers to the element. */
function useButton(ref: Ref, nameOf: () => string) {
  const { targets, chosen, touched, stop } = useAround().highlights;
  const action = targets.get(ref);
  const classes = [
    action === undefined ? "" : "target",
    chosen.has(ref) ? "chosen" : "",
    touched.has(ref) ? "touched" : "",
  ];
  const button =
    action === undefined
      ? {}
      : {
          "data-target": ref,
          role: "button" as const,
          tabindex: stop === ref ? 0 : -1,
          ref: (element: SVGGElement | null) => called(element, nameOf(), action),
          "aria-pressed": chosen.has(ref),
        };
  return { classes: classes.filter(Boolean).join(" "), button };
}

/**
 * Name a button by its action, followed by all its visible text, so that people who use their voice
 * can say either. The `<title>`s within it become its description.
 */
function called(
  button: SVGGElement | null,
  name: string,
  action: string,
): undefined | (() => void) {
  if (button === null) return undefined;
  const does = has(action, name) ? action : `${name}: ${action}`;
  const written = textOf(button, "text");
  const title = textOf(button, "title");
  button.setAttribute("aria-label", has(does, written) ? does : `${does}, ${written}`);
  if (!has(`${does} ${written}`, title)) button.setAttribute("aria-description", title);
  return () => {
    button.removeAttribute("aria-label");
    button.removeAttribute("aria-description");
  };
}

function textOf(within: Element, tag: "text" | "title"): string {
  return [...within.querySelectorAll(tag)]
    .map((text) => text.textContent.trim())
    .join(" ")
    .replace(/\s+/g, " ");
}

/** Whether a text contains `part` as whole words: "12 pesos" does not contain "1". */
function has(text: string, part: string): boolean {
  return part === "" || wordsOf(text).includes(wordsOf(part));
}

function wordsOf(text: string): string {
  return ` ${text
    .toLocaleLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
}

/**
 * A place of the geometry. Its children are drawn about its centre, with a halo around its shape.
 * Within a mat, `name` is the name of a place of the mat.
 */
export function Place({
  at,
  looks = false,
  children,
  class: own = "",
}: {
  at: string;
  /** Whether the place is shown large while it is pointed to, like a `Piece`. */
  looks?: boolean;
  children?: ComponentChildren;
  class?: string;
}) {
  const { sheet, owner, says } = useAround();
  const place: PlaceData | undefined = sheet.places[at];
  const { classes, button } = useButton(placeRef(at, owner), () => says.place(at, owner !== null));
  if (place === undefined) return null;
  return (
    <g
      class={`place ${classes} ${own}`}
      data-place={at}
      data-mat={owner}
      data-looks={looks || undefined}
      transform={`translate(${place.x} ${place.y})`}
      {...button}
    >
      <g aria-hidden={"role" in button}>{children}</g>
      <Outline class="halo" shape={shapeOf(sheet, place)} />
    </g>
  );
}

/**
 * A piece of the scene: its children are drawn about its centre, which is `at` (by default the
 * geometry's position). `shape` is the outline of its halo.
 */
export function Piece({
  of: piece,
  at,
  shape = { circle: 22 },
  name,
  looks = false,
  children,
  class: own = "",
}: {
  of: PieceData;
  at?: readonly [number, number];
  shape?: Shape;
  /** The piece's name; by default that of its row, or of its type. */
  name?: string;
  /**
   * Whether the piece is shown large while it is pointed to, by a style for
   * `:is(:hover, :focus-visible, [data-looked])`: then a finger's first tap only enlarges it.
   */
  looks?: boolean;
  children?: ComponentChildren;
  class?: string;
}) {
  const { board, sheet, says } = useAround();
  const table = sheet.pieces[piece.type]?.table;
  const { classes, button } = useButton(
    pieceRef(piece),
    () =>
      name ??
      (table && piece.id !== null && board.catalogue[table]
        ? says.name(table, piece.id)
        : says.piece(piece.type, { count: piece.count }) || piece.type),
  );
  const [x, y] = at ?? [piece.x, piece.y];
  return (
    <g
      class={`piece ${classes} ${own}`}
      data-piece={`${piece.type}:${piece.id ?? piece.owner ?? ""}`}
      data-key={piece.key}
      data-looks={looks || undefined}
      transform={`translate(${x} ${y})`}
      {...button}
    >
      <g class="moving" aria-hidden={"role" in button}>
        {children}
        <Outline class="halo" shape={shape} />
      </g>
    </g>
  );
}

/**
 * An icon of the board by its name, within `radius` about the origin; letters, if there is no icon.
 */
export function Icon({ name, radius = 12 }: { name: string; radius?: number }) {
  const { icons } = useAround();
  const drawn = icons[name];
  if (drawn)
    return (
      <g class="icon" transform={`scale(${radius / 12})`}>
        {drawn}
      </g>
    );
  const letters = name
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase())
    .join("")
    .slice(0, 2);
  return (
    <text class="letters" font-size={radius * 1.1} dy="0.35em">
      {letters.length > 1 ? letters : name.slice(0, 2)}
    </text>
  );
}

/** The position of the nth of several pieces on one spot, which stand in rows of `columns`. */
export function spread(
  { x, y, nth, among }: PieceData,
  gap: number,
  columns = 4,
): [number, number] {
  const across = Math.min(among, columns);
  const rows = Math.ceil(among / columns);
  const column = (nth % columns) - (across - 1) / 2;
  const row = Math.floor(nth / columns) - (rows - 1) / 2;
  return [x + column * gap, y + row * gap];
}

/** The pieces of a mat, or of the board, of one type. */
export function ofType(within: { pieces: readonly PieceData[] } | Mat, type: string): PieceData[] {
  return within.pieces.filter((piece) => piece.type === type);
}
