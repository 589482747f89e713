/**
 * The cards: on the board, on mats, and large ones, which are shown while a small one is pointed
 * to.
 */

import { colour, Outline, type Point, rowOf, type Scene, Text, useLeast, wrapped } from "lonja";
import { Amount, Emblem, type Kind, Timing } from "./emblems.tsx";
import { type Effect, Gist } from "./gist.tsx";
import { CRAMPED } from "./places.ts";
import { Cubes } from "./symbols.tsx";

type Words = Pick<Scene<never>, "says" | "tables">;

interface Card {
  readonly kind: Kind;
  readonly cost: Readonly<Record<string, number>>;
  readonly tribute: { readonly gold: number; readonly prestige: number };
  readonly effects: readonly Effect[];
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

/** The height of a line, and of two of them, relative to their letters. */
const LINE = 1.15;
const TWO_LINES = 2 * LINE;
/** The width of a letter of a title that is pressed together, relative to its height. */
const PRESSED = 0.52;
/** The same if it has its usual width, in a word with broad letters. */
const BOLD = 0.6;
/** The width of a slender letter that is pressed together. */
const SLENDER = 0.44;
/** The width of a name: alone in its head, and between the amounts, where it has this height, too. */
const [ALONE, BETWEEN, HIGH] = [182, 112, 61];

/** Whether a name of letters of the least size has room between the amounts. */
function isShort(name: string, least: number): boolean {
  const lines = wrapped(name, Math.floor(BETWEEN / (least * BOLD)));
  const longest = Math.max(...lines.map(({ length }) => length));
  return longest * least * BOLD <= BETWEEN && lines.length * LINE * least <= HIGH + least / 3;
}

/** The number of lines of a name in letters of a size and a relative width; Infinity if a word is wider than a line. */
function linesOf(name: string, size: number, width: number, letter = SLENDER): number {
  const letters = Math.floor(width / (size * letter));
  const lines = wrapped(name, letters);
  return lines.some(({ length }) => length > letters) ? Infinity : lines.length;
}

/** Whether a word is too wide for a head in bold letters of the least size, even alone there. */
function isBroad(name: string, least: number): boolean {
  return Math.max(...name.split(" ").map(({ length }) => length)) * least * BOLD > ALONE;
}

/** The height of a head with letters of the least size and nothing beside them: two lines, or more. */
function headOf(name: string, least: number): number {
  const lines = wrapped(name, Math.floor(ALONE / (least * PRESSED))).length;
  return Math.max(lines, 2) * LINE * least;
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
  const least = useLeast();
  const card = cardOf(scene, id);
  const name = scene.says.name("cards", id);
  if (!card) return <Text box={[180, 220]}>{name}</Text>;
  const cramped = least > CRAMPED || !isShort(name, least);
  const isSlender = cramped && isBroad(name, least);
  const head = cramped ? headOf(name, least) : HIGH;
  const amounts = cramped ? head - 94 : -88;
  const cubes = cramped ? amounts + 44 : -32;
  const low = faint ? 93 : 108;
  const body = low - (cramped ? cubes + 22 : -2);
  return (
    <g class={faint ? "macao-faint" : ""}>
      <rect x="-92" y="-114" width="190" height="238" rx="12" fill="#0003" />
      <Outline shape={{ rect: [188, 236] }} round={12} fill={colour("paper")} class="macao-edge" />
      <path
        d={`M-94 ${head - 118}V-106q0-12 12-12H82q12 0 12 12V${head - 118}z`}
        fill={`var(--macao-${card.kind})`}
      />
      <path d={`M-94 ${head - 118}H94`} stroke="var(--macao-gold)" stroke-width="3" />
      <g transform={`translate(-74 ${amounts})`}>
        <Amount of="gold" number={card.tribute.gold} radius={cramped ? 17 : 14} />
      </g>
      <g transform={`translate(74 ${amounts})`}>
        <Amount of="prestige" number={card.tribute.prestige} radius={cramped ? 17 : 14} />
      </g>
      <Text
        broad={!isSlender}
        class={isSlender ? "macao-light" : "macao-title macao-light"}
        box={[cramped ? ALONE : BETWEEN, head]}
        at={[0, head / 2 - 118]}
        max={18}
      >
        {name}
      </Text>
      <g
        transform={cramped ? `translate(0 ${amounts}) scale(1.2)` : "translate(-72 -32) scale(1.1)"}
      >
        <Emblem kind={card.kind} />
      </g>
      <Cubes of={card.cost} size={30} columns={cramped ? 6 : 4} at={[cramped ? 0 : 22, cubes]} />
      {!cramped && <path d="M-80-6H80" stroke="var(--macao-gold)" stroke-width="1" opacity=".7" />}
      <Text
        box={[178, body]}
        at={[0, low - body / 2]}
        max={18}
        short={(size) => (
          <Gist of={card.effects} when={timing(card)} box={[184, body]} size={size} />
        )}
      >
        {told(scene.says, id)}
      </Text>
    </g>
  );
}

/** A card of a tableau, 196 by 208, with letters legible on a phone. */
export function TableauCard({ scene, id }: { scene: Words; id: string }) {
  const least = useLeast();
  const card = cardOf(scene, id);
  if (!card) return <Text box={[190, 200]}>{scene.says.name("cards", id)}</Text>;
  const { sign, text } = brief(scene, card, id);
  const name = scene.says.name("cards", id);
  const cramped = least > CRAMPED;
  const isSlender = cramped && linesOf(name, least, 186, PRESSED) > 2;
  const width = isSlender ? 192 : cramped ? 186 : 164;
  const isLong = isSlender && linesOf(name, least, width) === 3;
  const head = Math.min(Math.max(56, least * (isLong ? 3 * LINE : TWO_LINES)), isLong ? 126 : 84);
  const cubes = head - 82;
  const body = 100 - cubes - 20;
  return (
    <g>
      <Outline shape={{ rect: [196, 208] }} round={12} fill={colour("paper")} class="macao-edge" />
      <path
        d={`M-98 ${head - 104}V-92q0-12 12-12H86q12 0 12 12V${head - 104}z`}
        fill={`var(--macao-${card.kind})`}
      />
      <Text
        broad={!isSlender}
        class={isSlender ? "macao-light" : "macao-title macao-light"}
        box={[width, head - 2]}
        at={[0, head / 2 - 104]}
        max={22}
      >
        {name}
      </Text>
      <g transform={`translate(-76 ${cubes})`}>{sign && <Timing sign={sign} size={1.3} />}</g>
      <Cubes of={card.cost} size={28} at={[0, cubes]} />
      <g transform={`translate(78 ${cubes})`}>
        <Emblem kind={card.kind} />
      </g>
      <Text
        box={[192, body]}
        at={[0, 100 - body / 2]}
        max={20}
        short={(size) => <Gist of={card.effects} box={[190, body]} size={size} />}
      >
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
  const least = useLeast();
  const card = cardOf(scene, id);
  if (!card) return <Text box={[width, height]}>{scene.says.name("cards", id)}</Text>;
  const { sign, text } = brief(scene, card, id);
  const name = scene.says.name("cards", id);
  const cramped = least > CRAMPED;
  const roomy = height >= ROOMY;
  const most = roomy ? rowsAbove(height, least) : Math.floor((height / least + 0.4) / LINE);
  const [between, alone] = used ? [width - 94, width - 44] : [width - 64, width - 8];
  // Where its name has no room beside the signs, its colour tells its kind.
  const isBare = cramped && linesOf(name, least, between) > most;
  const beside = isBare ? alone : between;
  const isLong = cramped
    ? linesOf(name, least, beside) > 1 && most > 1
    : name.length * LETTER > beside;
  const line = cramped ? LINE * least : 22;
  const band = roomy ? Math.max(isLong ? 2 * line : 1.1 * least, 26) : height;
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
        {sign && !isBare && (
          <g transform={`translate(${-width / 2 + 16} 0)`}>
            <Timing sign={sign} />
          </g>
        )}
        {!isBare && (
          <g transform={`translate(${width / 2 - 16} 0) scale(.7)`}>
            <Emblem kind={card.kind} />
          </g>
        )}
        {used && (
          <path
            d={`M${width / 2 - (isBare ? 26 : 50)} 0l6 7 11-14`}
            fill="none"
            stroke="#fff"
            stroke-width="4"
          />
        )}
        <Text
          class={cramped ? "macao-light" : "macao-light macao-number"}
          box={[beside, Math.max(band - 1, 24)]}
          at={[used ? -13 : isBare ? 0 : 2, 0]}
          max={20}
        >
          {name}
        </Text>
      </g>
      {roomy && (
        <Text
          box={[width - 8, height - band - 1]}
          at={[0, band / 2]}
          max={20}
          short={(size) => (
            <Gist
              of={card.effects}
              when={isBare ? sign : null}
              box={[width - 8, height - band - 1]}
              size={size}
            />
          )}
        >
          {isBare ? told(scene.says, id) : text}
        </Text>
      )}
    </g>
  );
}

/** How many lines of a name have room above the signs of its card, in letters of the least size. */
function rowsAbove(height: number, least: number): number {
  return height >= (TWO_LINES + SIGNS) * least ? 2 : 1;
}

/** The height of signs, relative to the letters beside them. */
const SIGNS = 1.2;
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
      <Text broad class="macao-title macao-light" box={[width - 190, 90]} at={[0, -141]} max={30}>
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
    `.macao-card-${nth}:is(:hover,:focus-visible,[data-looked])~.macao-large-${nth}{visibility:visible;transition-delay:.6s}
.macao-card-${nth}[data-looked]~.macao-large-${nth}{transition-delay:0s}`,
).join("\n");
