/**
 * The cards: on the board, on mats, and large ones, which are shown while a small one is pointed
 * to.
 */

import { colour, Outline, type Point, rowOf, type Scene, Text } from "lonja";
import { Cubes } from "./symbols.tsx";

type Words = Pick<Scene<never>, "says" | "tables">;

interface Card {
  readonly kind: "office" | "building" | "person";
  readonly cost: Readonly<Record<string, number>>;
  readonly tribute: { readonly gold: number; readonly prestige: number };
  readonly effects: readonly { readonly type: string; readonly limit?: string }[];
}

function cardOf({ tables }: Words, id: string): Card | undefined {
  return rowOf(tables, "cards", id) as unknown as Card | undefined;
}

/** The name, text and kind of a card for the browser's tooltip. */
export function hint({ says }: Words, id: string): string {
  return `${says.name("cards", id)}: ${told(says, id)}`;
}

/** The text of a card. The published tables, whose digest is in records, spell one colour "gray". */
function told(says: Words["says"], id: string): string {
  return says.text("cards", id).replaceAll("gray", "grey");
}

/** The sign that stands for the first words of a card's text, which say when it works. */
function timing(card: Card): string | null {
  const [effect] = card.effects;
  if (effect?.type === "convert") return effect.limit === "unlimited" ? "∞" : "1×";
  if (effect?.type === "gain_now") return "!";
  return effect?.type === "end_game" ? "end" : null;
}

/** The sign that says when a card works, within a circle of radius 12. */
function Timing({ sign, size = 1 }: { sign: string; size?: number }) {
  return (
    <g transform={`scale(${size})`}>
      <circle class="macao-edge" r="12" fill="#fffdf6" />
      {sign === "end" ? (
        <path
          d="M-5 8V-7M-5-7q5-3 10 0v7q-5-3-10 0"
          fill="#a92d25"
          stroke="#33291c"
          stroke-width="1.5"
        />
      ) : sign === "∞" ? (
        <path
          d="M0 0c3-6 9-6 9 0s-6 6-9 0-9-6-9 0 6 6 9 0z"
          fill="none"
          stroke="#33291c"
          stroke-width="2.2"
        />
      ) : sign === "!" ? (
        <path d="M0-8V2M0 7h.1" stroke="#33291c" stroke-width="3" stroke-linecap="round" />
      ) : (
        <path
          d="M-7-3-4-6V6M1-1 7 5M7-1 1 5"
          fill="none"
          stroke="#33291c"
          stroke-width="2"
          stroke-linecap="round"
        />
      )}
    </g>
  );
}

/** The emblem of a kind of card, within a circle of radius 16. */
function Emblem({ kind }: { kind: Card["kind"] }) {
  const tone = `var(--macao-${kind})`;
  const pale = {
    fill: "none",
    stroke: "#fff",
    "stroke-width": 1.8,
    "stroke-linejoin": "round",
  } as const;
  return (
    <g>
      <circle r="16" fill={tone} stroke="#fff" stroke-opacity=".6" stroke-width="1.5" />
      {kind === "office" && <path d="M-9-3 0-9 9-3zM-6 0v7M0 0v7M6 0v7M-9 8H9" {...pale} />}
      {kind === "building" && (
        <path d="M-10-2Q-6-4-5-9H5Q6-4 10-2zM-6-2V8H6V-2M-2 8V3H2V8M0-9v-3" {...pale} />
      )}
      {kind === "person" && (
        <path d="M-9-4H9L0-10zM-4-4q0 7 4 7t4-7M-8 10q0-6 8-7 8 1 8 7z" {...pale} />
      )}
    </g>
  );
}

/** A coin or a seal with a number. */
export function Amount({
  of,
  number,
  radius = 14,
}: {
  of: string;
  number: number;
  radius?: number;
}) {
  const gold = of === "gold";
  return (
    <g>
      <circle
        r={radius}
        fill={gold ? "var(--macao-gold)" : "var(--macao-seal)"}
        stroke={gold ? "var(--macao-gold-rim)" : "#fff"}
        stroke-width="2"
      />
      <text
        class={gold ? "macao-on-gold" : "macao-light macao-number"}
        font-size={radius * 1.3}
        dy="0.35em"
      >
        {` ${number} `}
      </text>
    </g>
  );
}

/** A card of the display, 190 by 238. */
export function DisplayCard({
  scene,
  id,
  faint = false,
}: {
  scene: Words;
  id: string;
  faint?: boolean;
}) {
  const card = cardOf(scene, id);
  if (!card) return <Text box={[180, 220]}>{scene.says.name("cards", id)}</Text>;
  return (
    <g opacity={faint ? 0.75 : 1}>
      <rect x="-92" y="-114" width="190" height="238" rx="12" fill="#0003" />
      <Outline shape={{ rect: [188, 236] }} round={12} fill={colour("paper")} class="macao-edge" />
      <path d="M-94-57V-106q0-12 12-12H82q12 0 12 12v49z" fill={`var(--macao-${card.kind})`} />
      <path d="M-94-57H94" stroke="var(--macao-gold)" stroke-width="3" />
      <g transform="translate(-77 -88)">
        <Amount of="gold" number={card.tribute.gold} />
      </g>
      <g transform="translate(77 -88)">
        <Amount of="prestige" number={card.tribute.prestige} />
      </g>
      <Text class="macao-title macao-light" box={[120, 63]} at={[0, -88]} max={18}>
        {scene.says.name("cards", id)}
      </Text>
      <g transform="translate(-72 -32) scale(1.1)">
        <Emblem kind={card.kind} />
      </g>
      <Cubes of={card.cost} size={30} at={[22, -32]} />
      <path d="M-80-6H80" stroke="var(--macao-gold)" stroke-width="1" opacity=".7" />
      <Text box={[178, 104]} at={[0, 48]} max={18}>
        {told(scene.says, id)}
      </Text>
    </g>
  );
}

/** A card of a tableau, 196 by 208, with letters legible on a phone. */
export function TableauCard({ scene, id }: { scene: Words; id: string }) {
  const card = cardOf(scene, id);
  if (!card) return <Text box={[190, 200]}>{scene.says.name("cards", id)}</Text>;
  const { sign, text } = brief(scene, card, id);
  return (
    <g>
      <Outline shape={{ rect: [196, 208] }} round={12} fill={colour("paper")} class="macao-edge" />
      <path d="M-98-48V-92q0-12 12-12H86q12 0 12 12v44z" fill={`var(--macao-${card.kind})`} />
      <Text class="macao-title macao-light" box={[164, 54]} at={[0, -76]} max={22}>
        {scene.says.name("cards", id)}
      </Text>
      <g transform="translate(-76 -26)">{sign && <Timing sign={sign} size={1.3} />}</g>
      <Cubes of={card.cost} size={28} at={[0, -26]} />
      <g transform="translate(78 -26)">
        <Emblem kind={card.kind} />
      </g>
      <Text box={[192, 104]} at={[0, 47]} max={20}>
        {text}
      </Text>
    </g>
  );
}

/** An active card, as wide as `box`. */
export function ActiveCard({
  scene,
  id,
  used,
  box: [width, height],
}: {
  scene: Words;
  id: string;
  /** Whether it was used this round and cannot be used again. */
  used: boolean;
  box: Point;
}) {
  const card = cardOf(scene, id);
  if (!card) return <Text box={[width, height]}>{scene.says.name("cards", id)}</Text>;
  const { sign, text } = brief(scene, card, id);
  const name = scene.says.name("cards", id);
  const beside = width - (used ? 94 : 64);
  const roomy = height >= ROOMY;
  const band = !roomy ? height : name.length * LETTER > beside ? 44 : 26;
  const top = -height / 2;
  return (
    <g>
      <Outline
        shape={{ rect: [width, height] }}
        round={8}
        fill={roomy ? colour("paper") : `var(--macao-${card.kind})`}
        class="macao-edge"
      />
      {roomy && (
        <path
          d={`M${-width / 2} ${top + band}V${top + 8}q0-8 8-8H${width / 2 - 8}q8 0 8 8V${top + band}z`}
          fill={`var(--macao-${card.kind})`}
        />
      )}
      <g transform={`translate(0 ${top + band / 2})`}>
        {sign && (
          <g transform={`translate(${-width / 2 + 16} 0)`}>
            <Timing sign={sign} />
          </g>
        )}
        <g transform={`translate(${width / 2 - 16} 0) scale(.7)`}>
          <Emblem kind={card.kind} />
        </g>
        {used && (
          <path d={`M${width / 2 - 50} 0l6 7 11-14`} fill="none" stroke="#fff" stroke-width="4" />
        )}
        <Text
          class="macao-light macao-number"
          box={[beside, Math.max(band - 1, 24)]}
          at={[used ? -13 : 2, 0]}
          max={20}
        >
          {name}
        </Text>
      </g>
      {roomy && (
        <Text box={[width - 8, height - band - 1]} at={[0, band / 2]} max={20}>
          {text}
        </Text>
      )}
    </g>
  );
}

/** The minimum height of an active card with its text. */
const ROOMY = 90;
/** The width of a legible letter: longer names take two lines. */
const LETTER = 10;

/** The text of a card without its first words, for which a sign stands. */
function brief({ says }: Words, card: Card, id: string): { sign: string | null; text: string } {
  const text = told(says, id);
  const sign = timing(card);
  if (sign === null) return { sign, text };
  const rest = text.slice(text.indexOf(":") + 1).trim();
  return { sign, text: rest.slice(0, 1).toUpperCase() + rest.slice(1) };
}

const LARGE: Point = [560, 380];

/** The nth large card of a sheet: shown while the small card with the same number is pointed to. */
export function LargeCard({
  scene,
  id,
  nth,
  at: [x, y],
}: {
  scene: Words;
  id: string;
  nth: number;
  at: Point;
}) {
  const card = cardOf(scene, id);
  if (!card) return null;
  const [width, height] = LARGE;
  return (
    <g class={`large macao-large macao-large-${nth}`} transform={`translate(${x} ${y})`}>
      <rect
        x={-width / 2 + 8}
        y={-height / 2 + 10}
        width={width}
        height={height}
        rx="24"
        fill="#0006"
      />
      <Outline shape={{ rect: LARGE }} round={24} fill={colour("paper")} class="macao-edge" />
      <path
        d={`M${-width / 2}-92V${-height / 2 + 24}q0-24 24-24H${width / 2 - 24}q24 0 24 24V-92z`}
        fill={`var(--macao-${card.kind})`}
      />
      <g transform={`translate(${-width / 2 + 52} -141)`}>
        <Amount of="gold" number={card.tribute.gold} radius={30} />
      </g>
      <g transform={`translate(${width / 2 - 52} -141)`}>
        <Amount of="prestige" number={card.tribute.prestige} radius={30} />
      </g>
      <Text class="macao-title macao-light" box={[width - 190, 90]} at={[0, -141]} max={30}>
        {scene.says.name("cards", id)}
      </Text>
      <g transform="translate(-210 -44) scale(2)">
        <Emblem kind={card.kind} />
      </g>
      <Text class="macao-left" box={[150, 50]} at={[-160, -44]} max={26}>
        {scene.says.label(`kind.${card.kind}`)}
      </Text>
      <Cubes of={card.cost} size={50} at={[140, -44]} />
      <Text box={[width - 50, 180]} at={[0, 92]} max={30}>
        {told(scene.says, id)}
      </Text>
    </g>
  );
}

/** The number of cards of one sheet that have a large version. */
const MOST = 48;

/** Large cards appear after a delay, so that a pointer that only passes does not open them. */
export const largeCards = Array.from(
  { length: MOST },
  (_, nth) =>
    `svg:has(.macao-card-${nth}:is(:hover,:focus-visible,[data-looked])) .macao-large-${nth}{visibility:visible;transition-delay:.6s}
svg:has(.macao-card-${nth}[data-looked]) .macao-large-${nth}{transition-delay:0s}`,
).join("\n");
