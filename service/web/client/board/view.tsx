/** A scene on the page: the board, the mats of the players, and what can be done on them. */

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { PlacesInWords } from "./described.tsx";
import { Around, type Highlights, NOTHING, type Surroundings } from "./elements.tsx";
import { glide, positions } from "./flip.ts";
import { drawBoard, drawMat } from "./generic.tsx";
import { hush } from "./hush.ts";
import { nextStop } from "./keys.ts";
import type { Icons, Renderer, Scene } from "./scene.ts";
import { coloursOf, SeatSign } from "./shapes.tsx";
import type { Owner } from "./standing.ts";
import type { Ref } from "./targets.ts";

const NO_ICONS: Icons = {};

export interface BoardProps {
  readonly scene: Scene;
  readonly renderer: Renderer;
  readonly highlights?: Highlights;
  readonly dark: boolean;
  /** For how many milliseconds a piece moves; 0: it is there at once. */
  readonly glideMs: number;
  readonly name: string;
  /** Whether the board is wider than a small screen. */
  readonly larger?: boolean;
  readonly onPick?: (ref: Ref) => void;
  /** Which button of the board Tab leads to from now on. */
  readonly onStop?: (ref: Ref) => void;
  /** What stands below the board, then before the mats, and after them. */
  readonly below?: ComponentChildren;
  readonly beside?: ComponentChildren;
  readonly after?: ComponentChildren;
}

/** The board and the mat of each player, the viewer's first, with what stands between and after. */
export function BoardView(props: BoardProps) {
  const { scene, renderer, highlights = NOTHING, dark, glideMs, name, larger = false } = props;
  const { onPick, onStop } = props;
  const frame = useRef<HTMLDivElement>(null);
  const before = useRef<ReturnType<typeof positions>>(new Map());
  useLayoutEffect(() => {
    const { current } = frame;
    if (!current) return;
    if (glideMs > 0) glide(current, before.current, glideMs);
    before.current = positions(current);
  }, [scene, glideMs]);
  const pick = (event: MouseEvent) => {
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
  const mats = [...scene.mats].sort(
    (one, other) => Number(other.owner === scene.viewer) - Number(one.owner === scene.viewer),
  );
  return (
    <div ref={frame} class="board play" style={coloursOf(scene.board, dark)}>
      <div class="stage">
        <h2 class="sr">{name}</h2>
        <SheetView {...{ scene, renderer, highlights, name, larger, pick, press }} owner={null} />
        {props.below}
      </div>
      {props.beside}
      {mats.length > 0 && (
        <div class="mats">
          {mats.map((mat) => (
            <section key={mat.owner} class="mat">
              <h2>
                <SignMark scene={scene} owner={mat.owner} /> {scene.says.owner(mat.owner)}
              </h2>
              <SheetView
                {...{ scene, renderer, highlights, pick, press }}
                owner={mat.owner}
                name={scene.says.owner(mat.owner)}
              />
              <div class="sr">
                <PlacesInWords scene={scene} owner={mat.owner} />
              </div>
            </section>
          ))}
        </div>
      )}
      {props.after}
    </div>
  );
}

function SheetView({
  scene,
  renderer,
  highlights,
  owner,
  name,
  larger = false,
  pick,
  press,
}: {
  scene: Scene;
  renderer: Renderer;
  highlights: Highlights;
  owner: Owner | null;
  name: string;
  larger?: boolean;
  pick: (event: MouseEvent) => void;
  press: (event: KeyboardEvent) => void;
}) {
  const mat = scene.mats.find((found) => found.owner === owner);
  const sheet = owner === null ? scene.board : scene.board.mat;
  const around = useMemo(
    (): Surroundings | null =>
      sheet
        ? {
            sheet,
            board: scene.board,
            says: scene.says,
            owner,
            highlights,
            icons: renderer.icons ?? NO_ICONS,
          }
        : null,
    [sheet, scene, owner, highlights, renderer],
  );
  // What is drawn follows from the scene alone: highlights reach the elements by their context.
  const drawn = useMemo(
    () => (mat ? (renderer.mat ?? drawMat)(scene, mat) : (renderer.draw ?? drawBoard)(scene)),
    [scene, renderer, mat],
  );
  const picture = useRef<SVGSVGElement>(null);
  // After the elements, whose buttons come and go without this sheet being drawn anew.
  useEffect(() => {
    if (picture.current) hush(picture.current);
  }, [drawn, highlights]);
  if (!sheet || !around) return null;
  const [width, height] = sheet.size;
  return (
    <Around.Provider value={around}>
      <div class={larger ? "sheet larger" : "sheet"}>
        <svg
          ref={picture}
          viewBox={`0 0 ${width} ${height}`}
          class={mat ? "mat-sheet" : "board-sheet"}
          role="group"
          aria-label={name}
          onClick={pick}
          onKeyDown={press}
        >
          {drawn}
        </svg>
      </div>
    </Around.Provider>
  );
}

function targetOf(event: Event): Ref | null {
  const element = (event.target as Element).closest<SVGElement>("[data-target]");
  return element?.dataset.target ?? null;
}

/** What is pointed to through a piece that stands upon it. */
function targetBelow({ clientX, clientY }: MouseEvent): Ref | null {
  for (const element of document.elementsFromPoint(clientX, clientY)) {
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
