/** The drawing of Ragusa: the land with its city, the market beside it, and the players' mats. */

import { colour, type Renderer } from "lonja";
import icons from "./art/icons/*.svg";
import style from "./board.css";
import { Land } from "./land.tsx";
import { LargeCards, LOOKED } from "./large.tsx";
import { Market } from "./market.tsx";
import { SideMat } from "./mat.tsx";
import { narrow } from "./narrow.ts";
import type { View } from "./parts.tsx";

const renderer: Renderer<View> = {
  icons,
  style: `${style}${LOOKED}`,
  draw: (scene) => (
    <>
      <rect
        width={scene.board.size[0]}
        height={scene.board.size[1]}
        rx="18"
        fill={colour("ground")}
      />
      <Land scene={scene} />
      <Market scene={scene} />
      <LargeCards scene={scene} />
    </>
  ),
  mat: (scene, mat) => <SideMat scene={scene} mat={mat} />,
  beside: ({ phase, asked }, owner) => [phase, (asked as readonly unknown[]).includes(owner)],
  narrow,
  touch: 0.7, // the least distance of walls, on one axis or the other, is 63
};
export default renderer;
