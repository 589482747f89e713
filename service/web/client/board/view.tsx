/** Shows a scene on the page: the board, the mats of the players, and the buttons on them. */

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { PlacesInWords } from "./described.tsx";
import {
  Around,
  drawnWithin,
  type Highlights,
  Marks,
  NOTHING,
  type Surroundings,
} from "./elements.tsx";
import { afterDrawing, glide, positions } from "./flip.ts";
import { drawBoard, drawMat } from "./generic.tsx";
import { nextStop } from "./keys.ts";
import { looked, pressed } from "./looking.ts";
import { redrawn } from "./redrawn.ts";
import type { Icons, Renderer, Scene } from "./scene.ts";
import { coloursOf, SeatSign } from "./shapes.tsx";
import { useSheet } from "./sheets.ts";
import type { Mat, Owner } from "./standing.ts";
import { pieceRef, placeRef, type Ref } from "./targets.ts";
import { leastOn } from "./text.tsx";
import type { ToldWords } from "./told.tsx";
import { useBoardWords } from "./words.ts";

const NO_ICONS: Icons = {};

export interface BoardProps {
  readonly scene: Scene;
  readonly renderer: Renderer;
  readonly highlights?: Highlights;
  readonly dark: boolean;
  /** Duration of a piece's animation in milliseconds; 0 means no animation. */
  readonly glideMs: number;
  /** Whether the scene jumps to another part of the game, so that nothing is animated. */
  readonly leap?: boolean;
  readonly name: string;
  /** The style of a grid in which the board, the mats and the rest are seen at once; else null. */
  readonly grid?: Readonly<Record<string, string>> | null;
  /** How much larger than the screen the board may be; null if it has the screen's width. */
  readonly larger?: Larger | null;
  readonly onPick?: (ref: Ref) => void;
  /** Called with the reference of the button that Tab reaches from now on. */
  readonly onStop?: (ref: Ref) => void;
  /** What stands above the board, below it, before the mats, and after them. */
  readonly above?: ComponentChildren;
  readonly below?: ComponentChildren;
  readonly beside?: ComponentChildren;
  readonly after?: ComponentChildren;
}

export interface Larger {
  /** Says that people can scroll the board. */
  readonly hint: string;
  /** The pixels of a unit; only with whole ones, mats are larger, too. */
  readonly scale: number;
}

/** The board and the mat of each player, the viewer's first, with the content between and after. */
export function BoardView(props: BoardProps) {
  const { scene, renderer, highlights = NOTHING, dark, glideMs, name, larger = null } = props;
  const { onPick, onStop, leap = false, grid = null } = props;
  const words = useBoardWords();
  const frame = useRef<HTMLDivElement>(null);
  const before = useRef<ReturnType<typeof positions>>(new Map());
  const [Told, setTold] = useState<typeof ToldWords | null>(null);
  useEffect(() => later((parts) => setTold(() => parts.ToldWords)), []);
  useSheet(frame, renderer.style);
  useLayoutEffect(() => {
    const { current } = frame;
    if (!current || glideMs === 0) return;
    if (!leap) glide(current, before.current, glideMs);
    // Measured after drawing, because before it the browser would have to lay everything out twice.
    return afterDrawing(() => {
      before.current = positions(current);
    });
  }, [scene, glideMs]);
  const pick = (event: MouseEvent) => {
    if (frame.current && looked(frame.current, event, scene.narrow)) return;
    const ref = targetOf(event) ?? targetBelow(event);
    if (ref !== null) onPick?.(ref);
  };
  const press = (event: KeyboardEvent) => {
    const ref = targetOf(event);
    if (ref === null || frame.current === null) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onPick?.(ref);
      return;
    }
    const next = nextStop(frame.current, event);
    if (next === null) return;
    event.preventDefault();
    onStop?.(next.dataset.target ?? "");
    next.focus();
  };
  const hold = (event: MouseEvent) => frame.current && pressed(frame.current, event, scene.narrow);
  const mats = [...scene.mats].sort(
    (one, other) => Number(other.owner === scene.viewer) - Number(one.owner === scene.viewer),
  );
  return (
    <div
      ref={frame}
      class={`board play ${grid ? "arranged" : ""}`}
      style={{ ...coloursOf(scene.board, dark), ...grid }}
    >
      <div class="stage">
        <h2 class="sr">{name}</h2>
        {props.above}
        <SheetView
          {...{ scene, renderer, highlights, name, larger, pick, press, hold }}
          owner={null}
        />
        {props.below}
      </div>
      {props.beside}
      {mats.length > 0 && (
        <section class="mats" aria-label={words.mats} tabIndex={grid ? 0 : undefined}>
          {mats.map((mat) => (
            <MatView
              key={mat.owner}
              {...{ scene, renderer, highlights, mat, pick, press, hold }}
              larger={larger?.scale === 1 ? larger : null}
            />
          ))}
        </section>
      )}
      {props.after}
      {Told && <Told within={frame} scene={scene} />}
    </div>
  );
}

type Later = typeof import("./later.ts");
let loaded: Later | null = null;

/**
 * Uses what is loaded after the board, at once if it is there; it does without if that is gone, after
 * an upgrade.
 */
function later(use: (parts: Later) => void): void {
  if (loaded) return use(loaded);
  const arrived = (parts: Later) => {
    loaded = parts;
    use(parts);
  };
  import("./later.ts").then(arrived, () => {});
}

interface SheetProps {
  readonly scene: Scene;
  readonly renderer: Renderer;
  readonly highlights: Highlights;
  readonly larger: Larger | null;
  readonly pick: (event: MouseEvent) => void;
  readonly press: (event: KeyboardEvent) => void;
  readonly hold: (event: MouseEvent) => void;
}

/** A mat in a drawing and in words; most events change only few of the mats. */
function MatView({ mat, ...props }: SheetProps & { mat: Mat }) {
  const { renderer, scene: now, highlights } = props;
  const { board, names, says, viewer } = now;
  const { owner } = mat;
  const beside = renderer.beside?.(now.view, owner);
  const shown = renderer.beside ? JSON.stringify([mat, beside, names, viewer, says.language]) : now;
  const scene = useMemo(() => now, [shown, board]);
  const marks = isMarked(mat, highlights) ? highlights : NOTHING;
  const words = useMemo(() => <PlacesInWords scene={scene} owner={owner} />, [scene]);
  const name = says.owner(owner);
  return (
    <section class="mat" data-owner={owner}>
      <h2>
        <SignMark scene={scene} owner={owner} /> {name}
      </h2>
      <SheetView {...props} {...{ scene, owner, name }} highlights={marks} />
      <div class="sr">{words}</div>
    </section>
  );
}

/** Whether a place or piece of a mat is marked. */
function isMarked({ owner, pieces }: Mat, { targets, chosen, touched }: Highlights): boolean {
  return [...targets.keys(), ...chosen, ...touched].some(
    (ref) => ref.startsWith(placeRef("", owner)) || pieces.some((piece) => pieceRef(piece) === ref),
  );
}

function SheetView({
  scene,
  renderer,
  highlights,
  owner,
  name,
  larger,
  pick,
  press,
  hold,
}: SheetProps & { owner: Owner | null; name: string }) {
  const mat = scene.mats.find((found) => found.owner === owner);
  const sheet = owner === null ? scene.board : scene.board.mat;
  const picture = useRef<SVGSVGElement>(null);
  // Nothing is drawn before it is known how large letters must be: most would be drawn twice.
  const [least, setLeast] = useState<number | null>(null);
  const { board, says } = scene;
  const { icons = NO_ICONS } = renderer;
  // Of all that is drawn, only elements with other marks look at these again.
  const marks = useMemo(() => new Marks(highlights), []);
  marks.change(highlights);
  const around = useMemo(
    (): Surroundings | null =>
      sheet && least !== null ? { sheet, board, says, owner, marks, icons, least } : null,
    [sheet, board, says, owner, marks, icons, least],
  );
  // The drawing depends on the scene and on what is around it; what is the same stays as it is.
  const before = useMemo(() => ({ drawn: null as ComponentChildren }), [around]);
  const drawn = useMemo(() => {
    if (!around) return null;
    const draw = () =>
      mat ? (renderer.mat ?? drawMat)(scene, mat) : (renderer.draw ?? drawBoard)(scene);
    before.drawn = drawnWithin(around, () => redrawn(draw(), before.drawn));
    return before.drawn;
  }, [scene, renderer, mat, around]);
  // New highlights change the buttons without a new drawing.
  useLayoutEffect(() => {
    const { current } = picture;
    if (current && least !== null) later(({ finishSoon }) => finishSoon(current, least));
  }, [drawn, highlights, least]);
  useLayoutEffect(() => {
    const { current } = picture;
    if (!current) return;
    const measure = () => setLeast(leastOn(current));
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(current);
    return () => resized.disconnect();
  }, [larger === null]); // another frame has another picture
  if (!sheet) return null;
  const [width, height] = sheet.size;
  return (
    <Around.Provider value={around}>
      <Pan {...{ name, width, larger }}>
        <svg
          ref={picture}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="xMidYMin"
          class={mat ? "mat-sheet" : "board-sheet"}
          role="group"
          aria-label={name}
          onClick={pick}
          onKeyDown={press}
          onContextMenu={hold}
        >
          {drawn}
        </svg>
      </Pan>
    </Around.Provider>
  );
}

/** Lets a sheet be wider than the screen: people can scroll it, and a hint says so. */
function Pan({
  larger,
  name,
  width,
  children,
}: {
  larger: Larger | null;
  name: string;
  width: number;
  children: ComponentChildren;
}) {
  if (larger === null) return <div class="sheet">{children}</div>;
  const { hint, scale } = larger;
  return (
    <>
      <section class="sheet larger" aria-label={`${name}: ${hint}`} tabIndex={0}>
        <div style={{ width: `max(100%, ${scale * width}px)` }}>{children}</div>
      </section>
      <p class="pan-hint quiet" aria-hidden="true">
        ↔ {hint}
      </p>
    </>
  );
}

function targetOf(event: Event): Ref | null {
  const element = (event.target as Element).closest<SVGElement>("[data-target]");
  return element?.dataset.target ?? null;
}

/** The element of the board under the pointer, even if a piece covers it. */
function targetBelow({ clientX, clientY, currentTarget }: MouseEvent): Ref | null {
  const root = (currentTarget as Element).getRootNode() as Document | ShadowRoot;
  for (const element of root.elementsFromPoint(clientX, clientY)) {
    const target = element.closest<SVGElement>(".board [data-target]");
    if (target) return target.dataset.target ?? null;
  }
  return null;
}

/** The sign of a seat or side within a line of text. */
export function SignMark({ scene, owner }: { scene: Pick<Scene, "sign">; owner: Owner }) {
  return (
    <svg class="sign-mark" viewBox="-14 -14 28 28" aria-hidden="true">
      <SeatSign sign={scene.sign(owner)} />
    </svg>
  );
}
