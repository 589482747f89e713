/** Words and cards that the board and the mats share. */

import { Icon, type Scene, wrapped } from "lonja";

/** How wide a letter is, in parts of its height. */
const LETTER = 0.56;
const BOLD = 0.64;
const LEADING = 1.14;

/**
 * Lines of one size, the first of them at `y`; they begin at `x`, or are centred on it. A word that is
 * wider than that is drawn together.
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
    <text class={classes.filter(Boolean).join(" ")} font-size={size}>
      {linesOf(text, width, size, bold).map((said, number) => (
        <tspan
          key={`${number} ${said}`}
          x={x}
          y={y + number * size * LEADING}
          dy="0.35em"
          {...squeezed(said, width, size)}
        >
          {`${said} `}
        </tspan>
      ))}
    </text>
  );
}

/** Letters closer to each other, where a word would not fit. */
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

const LARGE = 470;

/**
 * The face of a card, large enough to be read, above `at`: it is seen while its small one is pointed to
 * (board.css).
 */
export function LargeCard({
  scene,
  table,
  id,
  above: [x, bottom],
}: {
  scene: Scene;
  table: string;
  id: string;
  above: readonly [number, number];
}) {
  const { says, board } = scene;
  const left = Math.min(Math.max(x - LARGE / 2, 8), board.size[0] - LARGE - 8);
  const text = says.text(table, id);
  const height = 132 + (linesOf(text, LARGE - 40, 20).length - 1) * 20 * LEADING;
  return (
    <g
      class={`plusultra-large plusultra-large-${id}`}
      transform={`translate(${left} ${bottom - height})`}
    >
      <rect class="plusultra-card" width={LARGE} height={height} rx="14" />
      <g transform="translate(54 54)">
        <circle class="plusultra-medal" r="41" />
        <Icon name={board.catalogue[table]?.icons?.[id] ?? ""} radius={38} />
      </g>
      <Lines at={[106, 54]} width={LARGE - 116} size={26} bold>
        {says.name(table, id)}
      </Lines>
      <Lines at={[20, 112]} width={LARGE - 40} size={20}>
        {text}
      </Lines>
    </g>
  );
}
