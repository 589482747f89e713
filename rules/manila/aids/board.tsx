/** The drawing of Manila: a market, three lanes before the harbour, and four punts to load. */

import type { Renderer } from "lonja";
import icons from "./art/icons/*.svg";
import style from "./board.css";
import { Landscape } from "./landscape.tsx";
import { PlayerMat } from "./mat.tsx";
import { narrow } from "./narrow.ts";
import { Accomplices, Offices, PriceMarkers, Punts, Supplies, type View } from "./pieces.tsx";
import { Places } from "./places.tsx";

const renderer: Renderer<View> = {
  icons,
  draw: (scene) => (
    <>
      <Landscape scene={scene} />
      <Places scene={scene} />
      <PriceMarkers scene={scene} />
      <Supplies scene={scene} />
      <Offices scene={scene} />
      <Accomplices scene={scene} />
      <Punts scene={scene} />
    </>
  ),
  narrow,
  mat: (scene, mat) => <PlayerMat scene={scene} mat={mat} />,
  beside: ({ decider, abstained }, owner) => [decider === owner, abstained.includes(Number(owner))],
  style,
};
export default renderer;
