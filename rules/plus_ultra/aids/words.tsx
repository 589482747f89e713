/** Texts and cards that both the board and the mats use. */

import { type Fixed, Icon, wrapped } from "lonja";

/** The width of a letter, relative to its height. */
const LETTER = 0.56;
const BOLD = 0.64;
const LEADING = 1.14;

/**
 * Lines of one size, the first of them at `y`; they begin at `x`, or are centred on it. A word
 * wider than the space is condensed.
 */
export function Lines({
  children: text,
  at: [x, y],
  width,
  size = 17,
  middle = false,
  bold = false,
}: {
  children: string;
  at: readonly [number, number];
  width: number;
  size?: number;
  middle?: boolean;
  bold?: boolean;
}) {
  const classes = [middle ? "" : "plusultra-left", bold ? "plusultra-title" : ""];
  return (
    <text class={classes.filter(Boolean).join(" ")} font-size={size} y={y} data-within={width}>
      {linesOf(text, width, size, bold).map((said, number) => (
        <tspan
          key={`${number} ${said}`}
          x={x}
          dy={number === 0 ? "0.35em" : `${LEADING}em`}
          {...squeezed(said, width, size)}
        >
          {`${said} `}
        </tspan>
      ))}
    </text>
  );
}

/** Narrower letter spacing for a word that would not fit. */
export function squeezed(said: string, width: number, size: number) {
  if (said.length * size * BOLD <= width || said.includes(" ")) return {};
  return { textLength: width, lengthAdjust: "spacingAndGlyphs" } as const;
}

export function linesOf(text: string, width: number, size: number, bold = false): string[] {
  return wrapped(text, Math.floor(width / (size * (bold ? BOLD : LETTER))));
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const CARDS =
  "admiral cardinal merchant constable conquistador pirate king secretary viceroy common_painter common_loan common_recruit common_trade_route common_mission common_court common_workshops common_estate castle palace vineyard trading_house manor glass_workshop barracks abbey shipyard banking_house".split(
    " ",
  );

/** A card, or a role among those in the pack, which stands within that place. */
const seen = (state: string) =>
  CARDS.map((id) => `.plusultra-of-${id}${state}`)
    .map(
      (small, nth) =>
        `:is(${small},[data-place=pack]:has(${small}))~.plusultra-large-${CARDS[nth]}`,
    )
    .join(",");

/** A large card is shown while its small one is pointed to, or after a tap on a touch screen. */
export const LOOKED = `${seen(":is(:focus-visible,[data-looked])")}{visibility:visible}@media(hover:hover){${seen(":hover")}{visibility:visible}}`;

/** The face of a card at a readable size, above `at`: shown while its small one is pointed to. */
export function LargeCard({
  scene,
  table,
  id,
  at: [x, y],
  room,
}: {
  scene: Fixed;
  table: string;
  id: string;
  at: readonly [number, number];
  /** The width of the sheet. */
  room: number;
}) {
  const { says, board, narrow } = scene;
  const [wide, size] = narrow && room > 640 ? [640, 25] : [470, 20];
  const left = Math.min(Math.max(x - wide / 2, 8), room - wide - 8);
  const text = says.text(table, id);
  const lines = linesOf(text, wide - 40, size).length;
  const height = 112 + size + (lines - 1) * size * LEADING;
  return (
    <g
      class={`large plusultra-large plusultra-large-${id}`}
      transform={`translate(${left} ${y - height})`}
    >
      <rect class="plusultra-card" width={wide} height={height} rx="14" />
      <g transform="translate(54 54)">
        <circle class="plusultra-medal" r="41" />
        <Icon name={board.catalogue[table]?.icons?.[id] ?? ""} radius={38} />
      </g>
      <Lines at={[106, 54]} width={wide - 116} size={size + 6} bold>
        {says.name(table, id)}
      </Lines>
      <Lines at={[20, 112]} width={wide - 40} size={size}>
        {text}
      </Lines>
    </g>
  );
}
