/**
 * The elements of a board to which moves and effects can refer. A renderer wraps its drawings in
 * them. The page around the drawing (the shell) makes buttons of those to which a legal move
 * refers, marks those that an effect touched, and animates pieces.
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
  /** What a click does, by reference: an element with such an action is a button with this name. */
  readonly targets: ReadonlyMap<Ref, string>;
  /** Elements that are chosen already. */
  readonly chosen: ReadonlySet<Ref>;
  /** Elements that the last events touched. */
  readonly touched: ReadonlySet<Ref>;
  /** The only button that Tab reaches; arrow keys lead from there to others. */
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
  /** The size of the least letters that can be read on the screen; 0 while it is not known. */
  readonly least?: number;
}

export const Around = createContext<Surroundings | null>(null);

/** The context of a drawn element. */
export function useAround(): Surroundings {
  const around = useContext(Around);
  if (around === null) throw new Error("a place or piece is drawn outside of a board");
  return around;
}

/**
 * The attributes that make a button of an element; empty if no legal move refers to the element.
 */
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
 * Names a button by its action, followed by all its visible text, so that people who control the
 * page by voice can say either. Its description has the `<title>`s within it, and the words for
 * which signs stand.
 */
function called(
  button: SVGGElement | null,
  name: string,
  action: string,
): undefined | (() => void) {
  if (button === null) return undefined;
  const does = has(action, name) ? action : `${name}: ${action}`;
  const written = textOf(button, "text");
  const folded = textOf(button, "g.cut");
  const title = textOf(button, "title");
  const more = has(title, folded) ? title : `${title} ${folded}`.trim();
  button.dataset.does = does;
  button.setAttribute("aria-label", has(does, written) ? does : `${does}, ${written}`);
  if (!has(`${does} ${written}`, more)) button.setAttribute("aria-description", more);
  return () => {
    button.removeAttribute("aria-label");
    button.removeAttribute("aria-description");
  };
}

/** Texts, and what stands for texts that have no room; the whole of these is in `data-whole`. */
export const TEXTS = "text:not(.cut text), .cut";

function textOf(within: Element, selector: string): string {
  return [...within.querySelectorAll<SVGElement>(selector)]
    .map(({ dataset, textContent }) => dataset.whole ?? textContent?.trim() ?? "")
    .join(" ")
    .replace(/\s+/g, " ");
}

/** Whether a text contains `part` as whole words: "12 pesos" does not contain "1". */
function has(text: string, part: string): boolean {
  return part === "" || wordsOf(text).includes(wordsOf(part));
}

/** The words of a text, each between two spaces. */
export function wordsOf(text: string): string {
  return ` ${text
    .toLocaleLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
}

/**
 * A place of the geometry. Its children are drawn relative to its centre, with a halo around its
 * shape. Within a mat, `name` names a place of the mat.
 */
export function Place({
  at,
  looks = false,
  children,
  class: own = "",
}: {
  at: string;
  /** Whether the place is shown large while it is pointed to; see `Piece`. */
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
      data-kind={place.kind}
      data-looks={looks || undefined}
      transform={`translate(${place.x} ${place.y})`}
      {...button}
    >
      {"role" in button && <Hit />}
      <g aria-hidden={"role" in button}>{children}</g>
      <Outline class="halo" shape={shapeOf(sheet, place)} />
    </g>
  );
}

/**
 * A piece of the scene: its children are drawn relative to its centre, which is `at` (by default
 * the position in the geometry). `shape` is the outline of its halo.
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
  /** The piece's name; by default the name of its row, or of its type. */
  name?: string;
  /**
   * Whether the piece is shown large while it is pointed to. The renderer's style does that, for
   * `:is(:hover, :focus-visible, [data-looked])`. On a touch screen, the first tap then only
   * enlarges it.
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
      {"role" in button && <Hit />}
      <g class="moving" aria-hidden={"role" in button}>
        {children}
        <Outline class="halo" shape={shape} />
      </g>
    </g>
  );
}

/** Where a click means the button, besides its drawing; `hits.ts` says how large it is. */
function Hit() {
  return <rect class="hit" />;
}

/**
 * An icon of the board by its name, within `radius` around the origin; letters, if there is no such
 * icon.
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

/** The position of the nth of several pieces in the same spot, which stand in rows of `columns`. */
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

/** The pieces of one type on a mat or on the board. */
export function ofType(within: { pieces: readonly PieceData[] } | Mat, type: string): PieceData[] {
  return within.pieces.filter((piece) => piece.type === type);
}
