/** What the land, the market and the mats share. */

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
} from "lonja";
import type { ComponentChildren } from "preact";
import { silhouettes } from "./icons.tsx";

export type View = components["schemas"]["RagusaView"];
export type RagusaScene = Scene<View>;
export type Side = View["sides"][number];

/** A wooden piece in the colour of its owner, with the owner's sign on it. */
export function Wooden({
  form,
  sign,
  size,
}: {
  form: keyof typeof silhouettes;
  sign: Sign;
  size: number;
}) {
  return (
    <g transform={`scale(${size})`}>
      <path class="ragusa-edge" d={silhouettes[form]} fill={colour(sign.colour)} />
      <path
        d={signPath(sign)}
        transform={form === "house" ? "translate(0 2.5) scale(.5)" : "translate(0 3) scale(.38)"}
        fill={colour("paper")}
        stroke={colour("ink")}
        stroke-width="2"
      />
    </g>
  );
}

/** An icon that stands somewhere. */
export function Spot({ name, at: [x, y], radius }: { name: string; at: Point; radius: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <Icon name={name} radius={radius} />
    </g>
  );
}

/** A number or a word, bold, in the middle of a point. */
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

/** A bonus card: what it is called, what it looks at, and what it brings. */
export function BonusFace({
  scene,
  piece,
  size,
}: {
  scene: RagusaScene;
  piece: PieceOf;
  size: Point;
}) {
  const [width, height] = size;
  const id = piece.id ?? "";
  const row = rowOf(scene.tables, "bonus_cards", id);
  const name = (row?.name as Record<string, string> | undefined)?.[scene.says.language] ?? id;
  const small = width < 110;
  return (
    <>
      <title>{scene.says.name("bonus_cards", id)}</title>
      <Outline shape={{ rect: size }} round={8} class="ragusa-edge" fill={colour("paper")} />
      {small ? (
        <>
          <Spot
            name={subject(id)}
            at={[0, -height * 0.17]}
            radius={Math.min(width, height) * 0.24}
          />
          <Bold at={[0, height * 0.27]} size={Math.min(22, width * 0.34)}>
            {worth(row)}
          </Bold>
        </>
      ) : (
        <>
          <Spot name={subject(id)} at={[-width / 2 + 22, -height / 2 + 22]} radius={14} />
          <Text class="ragusa-bold" box={[width - 48, 36]} at={[16, -height / 2 + 22]} max={18}>
            {name}
          </Text>
          <Text box={[width - 12, height - 46]} at={[0, 18]} max={17}>
            {scene.says.text("bonus_cards", id)}
          </Text>
        </>
      )}
    </>
  );
}

function worth(row: Readonly<Record<string, unknown>> | undefined): string {
  return row?.per === 1 ? `×${row.vp}` : `÷${row?.per}`;
}

const SUBJECTS: Record<string, string> = {
  fleet: "ship",
  towers: "tower",
  gates: "wall",
  districts: "rectors_palace",
  warehouse: "wine",
};

/** The icon of what a bonus card counts. */
export function subject(id: string): string {
  const what = id.replace("bonus_", "");
  return SUBJECTS[what] ?? what;
}

/** A card seen from behind. */
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

/** The sign of a seat or side, somewhere. */
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
