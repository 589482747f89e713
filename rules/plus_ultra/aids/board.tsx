/** Plus Ultra: the New World, the ocean between, and the court. Mats are drawn in mat.tsx. */

import { colour, type Renderer } from "lonja";
import icons from "./art/icons/*.svg";
import style from "./board.css";
import { Church, Court, Crown, Market, Orders, Supplies, Turns, War } from "./court.tsx";
import type { Drawn, View } from "./fields.tsx";
import { drafted, drawMat } from "./mat.tsx";
import { MOVED, narrow } from "./narrow.ts";
import { LANDSCAPE, OCEAN } from "./scenery.tsx";
import { Commons, LargeCards, Stage } from "./stage.tsx";
import { LOOKED } from "./words.tsx";
import { NewWorld, Sea } from "./world.tsx";

const renderer: Renderer<View> = {
  icons,
  style: `${style}${LOOKED}`,
  draw: (scene) => <Board scene={scene} />,
  mat: drawMat,
  beside: (view, owner) => [view.decider === owner, drafted(view, Number(owner))],
  narrow,
};
export default renderer;

function Board({ scene }: { scene: Drawn }) {
  const [width, height] = scene.board.size;
  const [dx, dy] = scene.narrow ? MOVED.world : [0, 0];
  return (
    <g class="plusultra-board">
      <rect width={width} height={height} rx="18" fill={colour("ground")} />
      <g transform={`translate(${dx} ${dy})`}>
        {LANDSCAPE}
        {OCEAN}
      </g>
      <Court scene={scene} />
      <NewWorld scene={scene} />
      <Sea scene={scene} />
      <Turns scene={scene} />
      <Orders scene={scene} />
      <Church scene={scene} />
      <Crown scene={scene} />
      <Market scene={scene} />
      <War scene={scene} />
      <Supplies scene={scene} />
      <Stage scene={scene} />
      <Commons scene={scene} />
      <LargeCards scene={scene} />
    </g>
  );
}
