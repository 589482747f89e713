/**
 * The drawing of Macao: the sea to Europe, the city, its wall, the dice, and the cards on offer.
 */

import { colour, type Renderer } from "lonja";
import icons from "./art/icons/*.svg";
import style from "./board.css";
import { largeCards } from "./cards.tsx";
import { City, Wall } from "./city.tsx";
import { Display, Piles } from "./display.tsx";
import { drawMat, type View } from "./mat.tsx";
import { narrow } from "./narrow.ts";
import type { Table } from "./places.ts";
import { Bank, Dice, Rounds, Tribute } from "./round.tsx";
import { Sea } from "./sea.tsx";

const renderer: Renderer<View> = {
  icons,
  draw: (scene) => <Board scene={scene} />,
  mat: drawMat,
  beside: ({ active, turn }, owner) => active === owner && turn,
  narrow,
  style: `${style}\n${largeCards}`,
};
export default renderer;

function Board({ scene }: { scene: Table }) {
  const [width, height] = scene.board.size;
  return (
    <g class="macao">
      <rect width={width} height={height} rx="18" fill={colour("ground")} />
      <Rounds scene={scene} />
      <Sea scene={scene} />
      <City scene={scene} />
      <Wall scene={scene} />
      <Dice scene={scene} />
      <Tribute scene={scene} />
      <Bank scene={scene} />
      <Piles scene={scene} />
      <Display scene={scene} />
    </g>
  );
}
