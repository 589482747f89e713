/** A small board, without mats and without buttons. */

import { useMemo, useRef } from "preact/hooks";
import { Around, type Surroundings, UNMARKED } from "./elements.tsx";
import { drawBoard } from "./generic.tsx";
import type { Renderer, Scene } from "./scene.ts";
import { coloursOf } from "./shapes.tsx";
import { useSheet } from "./sheets.ts";

export function SmallBoard({
  scene,
  renderer,
  dark,
  name,
}: {
  scene: Scene;
  renderer: Renderer;
  dark: boolean;
  name: string;
}) {
  const frame = useRef<HTMLDivElement>(null);
  useSheet(frame, renderer.style);
  const around = useMemo(
    (): Surroundings => ({
      sheet: scene.board,
      board: scene.board,
      says: scene.says,
      owner: null,
      marks: UNMARKED,
      icons: renderer.icons ?? {},
    }),
    [scene, renderer],
  );
  const drawn = useMemo(() => (renderer.draw ?? drawBoard)(scene), [scene, renderer]);
  const [width, height] = scene.board.size;
  return (
    <div ref={frame} class="board small-board" style={coloursOf(scene.board, dark)}>
      <Around.Provider value={around}>
        <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={name}>
          {drawn}
        </svg>
      </Around.Provider>
    </div>
  );
}
