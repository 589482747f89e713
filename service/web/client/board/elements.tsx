/**
 * The elements of a board to which moves and effects can refer. A renderer wraps its drawings in
 * them. The page around the drawing (the shell) makes buttons of those to which a legal move
 * refers, marks those that an effect touched, and animates pieces.
 */

import { Component, type ComponentChildren, type Context, createContext } from "preact";
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

/** What has marks on a sheet. */
interface Marked {
  /** Draws it anew if its marks have changed. */
  changed(): void;
}

/** The highlights of a sheet, of which each element looks only for its own. */
export class Marks {
  #highlights: Highlights;
  readonly #elements = new Set<Marked>();

  constructor(highlights: Highlights = NOTHING) {
    this.#highlights = highlights;
  }

  /** Draws the elements anew whose own marks are others now. */
  change(highlights: Highlights): void {
    if (this.#highlights === highlights) return;
    this.#highlights = highlights;
    for (const element of this.#elements) element.changed();
  }

  of(ref: Ref) {
    const { targets, chosen, touched, stop } = this.#highlights;
    const action = targets.get(ref);
    return {
      action,
      isChosen: chosen.has(ref),
      isTouched: touched.has(ref),
      isStop: action !== undefined && stop === ref,
    };
  }

  add(element: Marked): void {
    this.#elements.add(element);
  }

  remove(element: Marked): void {
    this.#elements.delete(element);
  }
}

export const UNMARKED = new Marks();

type Mark = ReturnType<Marks["of"]>;

function isSame(one: Mark | null, other: Mark): boolean {
  const names = Object.keys(other) as (keyof Mark)[];
  return names.every((name) => one?.[name] === other[name]);
}

export interface Surroundings {
  readonly sheet: Sheet;
  readonly board: Board;
  readonly says: Says;
  /** The owner of this mat; null on the board. */
  readonly owner: Owner | null;
  readonly marks: Marks;
  readonly icons: Icons;
  /** The size of the least letters that can be read on the screen; 0 where it is not known, and on sheets that are not shown. */
  readonly least?: number;
}

export const Around = createContext<Surroundings | null>(null);

/** What is around the drawing that is being made outside of the page's tree; see `redrawn.ts`. */
let drawing: Surroundings | null = null;

/** Makes a drawing of which all but its places and pieces is made at once, in these surroundings. */
export function drawnWithin<T>(around: Surroundings, draw: () => T): T {
  drawing = around;
  try {
    return draw();
  } finally {
    drawing = null;
  }
}

/** What is around a drawn element; null outside of boards. */
export function useSurroundings(): Surroundings | null {
  // A drawing that is made at once is no component, and has no hooks.
  return drawing ?? useContext(Around);
}

/** The context of a drawn element. */
export function useAround(): Surroundings {
  return within(useSurroundings());
}

function within(around: Surroundings | null): Surroundings {
  if (around === null) throw new Error("a place or piece is drawn outside of a board");
  return around;
}

/** An element that moves and effects can name; it is drawn anew when its marks change. */
abstract class Drawn<P> extends Component<P> implements Marked {
  static override contextType = Around as Context<unknown>;
  #mark: Mark | null = null;

  /** How moves and effects name it. */
  protected abstract ref(): Ref;
  /** What people call it. */
  protected abstract name(): string;

  protected get around(): Surroundings {
    return within(this.context as Surroundings | null);
  }

  override componentDidMount(): void {
    this.around.marks.add(this);
  }

  override componentWillUnmount(): void {
    this.around.marks.remove(this);
  }

  changed(): void {
    if (!isSame(this.#mark, this.around.marks.of(this.ref()))) this.forceUpdate();
  }

  /** Its marks as classes, and the attributes that make a button of it if a legal move names it. */
  protected marked() {
    const ref = this.ref();
    this.#mark = this.around.marks.of(ref);
    const { action, isChosen, isTouched, isStop } = this.#mark;
    const classes = [
      action === undefined ? "" : "target",
      isChosen ? "chosen" : "",
      isTouched ? "touched" : "",
    ];
    const button =
      action === undefined
        ? {}
        : {
            "data-target": ref,
            role: "button" as const,
            tabindex: isStop ? 0 : -1,
            ref: (element: SVGGElement | null) => called(element, this.name(), action),
            "aria-pressed": isChosen,
          };
    return { classes: classes.filter(Boolean).join(" "), button };
  }
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

interface PlaceProps {
  readonly at: string;
  /** Whether the place is shown large while it is pointed to; see `Piece`. */
  readonly looks?: boolean;
  readonly children?: ComponentChildren;
  readonly class?: string;
}

/**
 * A place of the geometry. Its children are drawn relative to its centre, with a halo around its
 * shape. Within a mat, `at` names a place of the mat.
 */
export class Place extends Drawn<PlaceProps> {
  protected ref(): Ref {
    return placeRef(this.props.at, this.around.owner);
  }

  protected name(): string {
    const { says, owner } = this.around;
    return says.place(this.props.at, owner !== null);
  }

  override render({ at, looks = false, children, class: own = "" }: PlaceProps) {
    const { sheet, owner } = this.around;
    const place: PlaceData | undefined = sheet.places[at];
    const { classes, button } = this.marked();
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
}

interface PieceProps {
  readonly of: PieceData;
  readonly at?: readonly [number, number];
  readonly shape?: Shape;
  /** The piece's name; by default the name of its row, or of its type. */
  readonly name?: string;
  /**
   * Whether the piece is shown large while it is pointed to. The renderer's style does that, for
   * `:is(:hover, :focus-visible, [data-looked])`. On a touch screen, the first tap then only
   * enlarges it.
   */
  readonly looks?: boolean;
  readonly children?: ComponentChildren;
  readonly class?: string;
}

/**
 * A piece of the scene: its children are drawn relative to its centre, which is `at` (by default
 * the position in the geometry). `shape` is the outline of its halo.
 */
export class Piece extends Drawn<PieceProps> {
  protected ref(): Ref {
    return pieceRef(this.props.of);
  }

  protected name(): string {
    const { of: piece, name } = this.props;
    const { board, sheet, says } = this.around;
    const table = sheet.pieces[piece.type]?.table;
    if (name !== undefined) return name;
    return table && piece.id !== null && board.catalogue[table]
      ? says.name(table, piece.id)
      : says.piece(piece.type, { count: piece.count }) || piece.type;
  }

  override render(props: PieceProps) {
    const { of: piece, at, shape = { circle: 22 }, looks = false, children } = props;
    const { classes, button } = this.marked();
    const [x, y] = at ?? [piece.x, piece.y];
    return (
      <g
        class={`piece ${classes} ${props.class ?? ""}`}
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
