/** Ragusa as it is drawn: the land with its city, the market beside it, and what each player has. */

import { colour, type Renderer } from "lonja";
import style from "./board.css";
import { icons } from "./icons.tsx";
import { Land } from "./land.tsx";
import { Market } from "./market.tsx";
import { SideMat } from "./mat.tsx";
import type { View } from "./parts.tsx";

const renderer: Renderer<View> = {
  icons,
  style,
  draw: (scene) => (
    <>
      <rect width="1440" height="1000" rx="18" fill={colour("ground")} />
      <Land scene={scene} />
      <Market scene={scene} />
    </>
  ),
  mat: (scene, mat) => <SideMat scene={scene} mat={mat} />,
};
export default renderer;
