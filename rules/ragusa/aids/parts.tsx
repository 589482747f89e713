/** Common parts of the land, the market and the mats. */

import {
  colour,
  type components,
  Icon,
  Outline,
  type PieceOf,
  type Point,
  rowOf,
  type Scene,
  SeatSign,
  type Sign,
  signPath,
  Text,
  useLeast,
} from "lonja";
import type { ComponentChildren } from "preact";

export type View = components["schemas"]["RagusaView"];
export type RagusaScene = Scene<View>;
export type Side = View["sides"][number];

const SILHOUETTES = {
  house: "M0-11 11-1H8V10H-8V-1h-3z",
  tower: "M-7 11-6-3-8-5v-6h4v3h2.2v-3h3.6v3H4v-3h4v6L6-3 7 11z",
};

/** A wooden piece in its owner's colour, with the owner's sign. */
export function Wooden({
  form,
  sign,
  size,
}: {
  form: keyof typeof SILHOUETTES;
  sign: Sign;
  size: number;
}) {
  return (
    <g transform={`scale(${size})`}>
      <path class="ragusa-edge" d={SILHOUETTES[form]} fill={colour(sign.colour)} />
      <path
        d={signPath(sign)}
        transform={form === "house" ? "translate(0 2.5) scale(.58)" : "translate(0 3) scale(.4)"}
        fill={colour("paper")}
        stroke={colour("ink")}
        stroke-width="2"
      />
    </g>
  );
}

/** An icon at a position. */
export function Spot({ name, at: [x, y], radius }: { name: string; at: Point; radius: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <Icon name={name} radius={radius} />
    </g>
  );
}

/** A number or a word, bold, centred on a point. */
export function Bold({
  at: [x, y],
  size,
  children,
}: {
  at: Point;
  size: number;
  children: string;
}) {
  return (
    <text class="ragusa-bold" x={x} y={y} dy="0.35em" font-size={size}>
      {`${children} `}
    </text>
  );
}

/** A bonus card: its metric and its gain. For a small card there is a large version (large.tsx). */
export function BonusFace({
  scene,
  piece,
  size,
  letters = 17,
}: {
  scene: RagusaScene;
  piece: PieceOf;
  size: Point;
  /** The maximum letter size of a card with words. */
  letters?: number;
}) {
  const [width, height] = size;
  const id = piece.id ?? "";
  const least = scene.narrow ? 16 : 0;
  if (scene.narrow && letters < 20 && width >= 150)
    return <Upright scene={scene} id={id} size={size} />;
  const isWordy = width >= 190 && useLeast() <= letters;
  if (!scene.narrow && width >= 80 && !isWordy)
    return <Named scene={scene} piece={piece} size={size} />;
  if (width >= 190) return <Written scene={scene} id={id} size={size} letters={letters} />;
  if (height < 60)
    return (
      <>
        <Outline shape={{ rect: size }} round={6} class="ragusa-edge" fill={colour("paper")} />
        <Spot name={subject(id)} at={[0, 0]} radius={height * 0.42} />
      </>
    );
  return (
    <>
      <Outline shape={{ rect: size }} round={6} class="ragusa-edge" fill={colour("paper")} />
      <Spot name={subject(id)} at={[0, -height * 0.17]} radius={Math.min(width, height) * 0.26} />
      <Bold at={[0, height * 0.3]} size={Math.min(22, Math.max(least, width * 0.42))}>
        {worth(rowOf(scene.tables, "bonus_cards", id))}
      </Bold>
    </>
  );
}

/** A bonus card that is too small for its text: metric and gain above, and the name below them. */
function Named({ scene, piece, size }: { scene: RagusaScene; piece: PieceOf; size: Point }) {
  const [width, height] = size;
  const id = piece.id ?? "";
  const top = 26 - height / 2;
  return (
    <>
      <title>{scene.says.name("bonus_cards", id)}</title>
      <Outline shape={{ rect: size }} round={8} class="ragusa-edge" fill={colour("paper")} />
      <Spot name={subject(id)} at={[-24, top]} radius={19} />
      <Bold at={[22, top]} size={26}>
        {worth(rowOf(scene.tables, "bonus_cards", id))}
      </Bold>
      <Text class="ragusa-name" box={[width - 4, height - 50]} at={[0, 23]} max={20}>
        {cardName(scene, id)}
      </Text>
    </>
  );
}

/** A bonus card as a line: its metric and its gain. */
export function BonusLine({
  scene,
  piece,
  size,
}: {
  scene: RagusaScene;
  piece: PieceOf;
  size: Point;
}) {
  const id = piece.id ?? "";
  return (
    <>
      <title>{scene.says.name("bonus_cards", id)}</title>
      <Outline shape={{ rect: size }} round={6} class="ragusa-edge" fill={colour("paper")} />
      <Spot name={subject(id)} at={[-24, 0]} radius={14} />
      <Bold at={[22, 0]} size={20}>
        {worth(rowOf(scene.tables, "bonus_cards", id))}
      </Bold>
    </>
  );
}

function Written({
  scene,
  id,
  size,
  letters,
}: {
  scene: RagusaScene;
  id: string;
  size: Point;
  letters: number;
}) {
  const [width, height] = size;
  const head = letters > 20 ? 60 : 44;
  return (
    <>
      <title>{scene.says.name("bonus_cards", id)}</title>
      <Outline shape={{ rect: size }} round={8} class="ragusa-edge" fill={colour("paper")} />
      <Spot
        name={subject(id)}
        at={[head / 2 - width / 2, head / 2 - height / 2]}
        radius={head * 0.32}
      />
      <Text
        class="ragusa-bold"
        box={[width - head - 10, head - 8]}
        at={[head / 2 - 4, head / 2 - height / 2]}
        max={letters + 1}
      >
        {cardName(scene, id)}
      </Text>
      <Text box={[width - 14, height - head - 2]} at={[0, head / 2 - 4]} max={letters}>
        {scene.says.text("bonus_cards", id)}
      </Text>
    </>
  );
}

/** The maximum letter size on a narrow screen, where a card is higher than wide. */
function Upright({ scene, id, size }: { scene: RagusaScene; id: string; size: Point }) {
  const [width, height] = size;
  const top = -height / 2;
  return (
    <>
      <title>{scene.says.name("bonus_cards", id)}</title>
      <Outline shape={{ rect: size }} round={8} class="ragusa-edge" fill={colour("paper")} />
      <Spot name={subject(id)} at={[0, top + 20]} radius={15} />
      <Text class="ragusa-bold" box={[width - 26, 42]} at={[0, top + 56]} max={16}>
        {cardName(scene, id)}
      </Text>
      <Text box={[width - 8, height - 80]} at={[0, 38]} max={16}>
        {scene.says.text("bonus_cards", id)}
      </Text>
    </>
  );
}

/** The name of a bonus card, without its gain. */
export function cardName({ tables, says }: RagusaScene, id: string): string {
  const name = rowOf(tables, "bonus_cards", id)?.name as Record<string, string> | undefined;
  return name?.[says.language] ?? id;
}

function worth(row: Readonly<Record<string, unknown>> | undefined): string {
  return row?.per === 1 ? `×${row.vp}` : `÷${row?.per}`;
}

const SUBJECTS: Record<string, string> = {
  fleet: "ship",
  towers: "tower",
  gates: "wall",
  districts: "rectors_palace",
  warehouse: "commodities",
};

/** The icon of a bonus card's metric. */
export function subject(id: string): string {
  const what = id.replace("bonus_", "");
  return SUBJECTS[what] ?? what;
}

/** The back of a card. */
export function Back({
  size,
  at: [x, y] = [0, 0],
  children,
}: {
  size: Point;
  at?: Point;
  children?: ComponentChildren;
}) {
  const [width, height] = size;
  return (
    <g transform={`translate(${x} ${y})`}>
      <Outline shape={{ rect: size }} round={6} class="ragusa-back" />
      <Outline shape={{ rect: [width - 10, height - 10] }} round={4} class="ragusa-inset" />
      {children}
    </g>
  );
}

/** The sign of a seat or side, at a position. */
export function SignAt({
  scene,
  owner,
  at: [x, y],
  size,
}: {
  scene: RagusaScene;
  owner: number | string;
  at: Point;
  size: number;
}) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <SeatSign sign={scene.sign(owner)} size={size} />
    </g>
  );
}
