/** Outlines of places, and the signs that tell seats apart without colours. */

import type { JSX, SVGAttributes } from "preact";
import type { Board, Shape, Sign } from "./geometry.ts";

/** Attributes of any SVG element. */
type Drawn = Omit<SVGAttributes<SVGElement>, "ref">;

/** A shape around the origin. */
export function Outline({ shape, round = 0, ...rest }: Drawn & { shape: Shape; round?: number }) {
  if (shape.circle !== undefined) return <circle r={shape.circle} {...(rest as object)} />;
  if (shape.ellipse)
    return <ellipse rx={shape.ellipse[0]} ry={shape.ellipse[1]} {...(rest as object)} />;
  if (shape.rect) {
    const [width, height] = shape.rect;
    return (
      <rect
        x={-width / 2}
        y={-height / 2}
        width={width}
        height={height}
        rx={round}
        {...(rest as object)}
      />
    );
  }
  return (
    <polygon
      points={cornersOf(shape)
        .map(([x, y]) => `${x},${y}`)
        .join(" ")}
      {...(rest as object)}
    />
  );
}

function cornersOf(shape: Shape): readonly (readonly [number, number])[] {
  if (shape.polygon) return shape.polygon;
  const radius = shape.hex ?? 20;
  return [0, 1, 2, 3, 4, 5].map((turn) => {
    const angle = (turn * Math.PI) / 3;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
  });
}

/** A colour of the board, for the theme of the page. */
export function colour(name: string): string {
  return `var(--board-${name})`;
}

const SIGNS: Record<string, string> = {
  circle: "M-10 0a10 10 0 1 0 20 0a10 10 0 1 0-20 0z",
  square: "M-9-9h18v18h-18z",
  triangle: "M0-11 10.5 8h-21z",
  diamond: "M0-12 11 0 0 12-11 0z",
  hexagon: "M0-11 9.5-5.5v11L0 11l-9.5-5.5v-11z",
  cross: "M-4-11h8v7h7v8h-7v7h-8v-7h-7v-8h7z",
  star: "M0-12l3.2 8.1 8.6.6-6.6 5.5 2.1 8.5L0 6.1l-7.3 4.6 2.1-8.5-6.6-5.5 8.6-.6z",
  ring: "M-11 0a11 11 0 1 0 22 0a11 11 0 1 0-22 0zM-5 0a5 5 0 1 1 10 0a5 5 0 1 1-10 0z",
};

/** The outline of a seat's sign, within a circle of radius 12. */
export function signPath(sign: Sign): string {
  return SIGNS[sign.shape] ?? SIGNS.circle ?? "";
}

/** The sign of a seat or side: its shape in its colour, with its pattern over it. */
export function SeatSign({ sign, size = 1 }: { sign: Sign; size?: number }) {
  const path = signPath(sign);
  return (
    <g class="sign" transform={`scale(${size})`}>
      <path d={path} fill={colour(sign.colour)} />
      <path d={path} fill={`url(#pattern-${sign.pattern})`} />
      <path class="edge" d={path} />
    </g>
  );
}

/** The definitions of patterns, which a page needs only once. */
export function Patterns() {
  const tiles: Record<string, JSX.Element | null> = {
    solid: null,
    empty: <rect width="6" height="6" fill="var(--paper)" opacity="0.75" />,
    stripes: <path d="M0 6 6 0M-1 1 1-1M5 7 7 5" />,
    dots: <circle cx="3" cy="3" r="1.2" class="full" />,
    cross: <path d="M3 0v6M0 3h6" />,
    rings: <circle cx="3" cy="3" r="2" />,
    waves: <path d="M0 3q1.5-3 3 0t3 0" />,
    checks: <path d="M0 0h3v3h-3zM3 3h3v3h-3z" class="full" />,
  };
  return (
    <svg class="patterns" width="0" height="0" aria-hidden="true">
      <defs>
        {Object.entries(tiles).map(([name, tile]) => (
          <pattern
            key={name}
            id={`pattern-${name}`}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
          >
            {tile}
          </pattern>
        ))}
      </defs>
    </svg>
  );
}

/** CSS custom properties with a board's colours, for a light and a dark page. */
export function coloursOf(board: Board, dark: boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(board.colours).map(([name, tones]) => [
      `--board-${name}`,
      dark ? tones.dark : tones.light,
    ]),
  );
}
