/** Small pieces with a colour, number or seat: cubes, dice, ships, houses. */

import { colour, Icon, SeatSign, type Sign, signPath } from "lonja";

const INK = "#33291c";
export const COLOURS = ["red", "blue", "green", "black", "gray", "violet"] as const;

/** A glyph that distinguishes a cube without its colour. */
const GLYPHS: Record<string, string> = {
  red: "M0-5.5 5.5 4.500h-11z",
  blue: "M-6-2q3-4 6 0t6 0M-6 3q3-4 6 0t6 0",
  green: "M-5 5C-6-3 0-6 6-6 6 1 3 6-5 5zM-5 5 1-1",
  black: "M-5-5 5 5M5-5-5 5",
  gray: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
  violet: "M0-6V6M-5.2-3 5.2 3M5.2-3-5.2 3",
};

/** An icon on a light ground, without which its lines would not be visible on a dark page. */
export function Badge({ of, radius }: { of: string; radius: number }) {
  return (
    <g>
      <circle r={radius * 1.2} fill="#fff8e6" />
      <Icon name={of} radius={radius} />
    </g>
  );
}

/** A cube of `size` units; `of` is its colour. */
export function Cube({ of, size = 22 }: { of: string; size?: number }) {
  return (
    <g transform={`scale(${size / 22})`}>
      <rect x="-11" y="-11" width="22" height="22" rx="3.5" fill={colour(`cube_${of}`)} />
      <path class="macao-cube-top" d="M-11-7.500q0-3.5 3.5-3.500h15q3.5 0 3.5 3.5L8-8H-8z" />
      <path class="macao-cube-side" d="M-11 7.500q0 3.5 3.5 3.500h15q3.5 0 3.5-3.5L8 8H-8z" />
      <path class={`macao-glyph ${of === "gray" ? "on-pale" : ""}`} d={GLYPHS[of]} />
      <rect class="macao-edge" x="-11" y="-11" width="22" height="22" rx="3.5" fill="none" />
    </g>
  );
}

/** A cost: its cubes in a row, in rows of `columns`. */
export function Cubes({
  of,
  size = 20,
  columns = 4,
  at: [x, y] = [0, 0],
}: {
  of: Readonly<Record<string, number>>;
  size?: number;
  columns?: number;
  at?: readonly [number, number];
}) {
  const listed = COLOURS.flatMap((id) => Array<string>(of[id] ?? 0).fill(id));
  const across = Math.min(columns, listed.length);
  const rows = Math.ceil(listed.length / columns);
  const gap = size + 2;
  return (
    <>
      {listed.map((id, nth) => (
        <g
          key={`${id} ${nth}`}
          transform={`translate(${x + ((nth % columns) - (across - 1) / 2) * gap} ${y + (Math.floor(nth / columns) - (rows - 1) / 2) * gap})`}
        >
          <Cube of={id} size={size} />
        </g>
      ))}
    </>
  );
}

/** A ship under the sign of its seat, about 40 units high. */
export function Ship({ sign, size = 1 }: { sign: Sign; size?: number }) {
  return (
    <g transform={`scale(${size})`}>
      <path
        d="M-20 7h40c-2 7-5 11-9 11h-22c-5 0-8-5-9-11z"
        fill="#7a4c22"
        stroke={INK}
        stroke-width="1.5"
      />
      <path d="M-18 10h36" stroke="#e3b26f" stroke-width="1.5" />
      <path d="M0-24V7" stroke={INK} stroke-width="2.5" />
      <path
        d="M-15-19q15 5 30 0 4 12 0 23-15-5-30 0-4-11 0-23z"
        fill="#fbf3dc"
        stroke={INK}
        stroke-width="1.5"
      />
      <g class="macao-on-pale" transform="translate(0 -7)">
        <SeatSign sign={sign} size={0.85} />
      </g>
      <path d="M0-25 10-22 0-20z" fill={colour(sign.colour)} stroke={INK} stroke-width=".8" />
    </g>
  );
}

/** A house with the sign of the quarter's owner. */
export function House({ sign }: { sign: Sign }) {
  return (
    <g>
      <path d="M-23-4v24h46V-4z" fill="#fbf3dc" stroke={INK} stroke-width="1.5" />
      <path
        d="M-31-2Q-20-6-16-22H16Q20-6 31-2z"
        fill={colour(sign.colour)}
        stroke={INK}
        stroke-width="1.5"
      />
      <path d="M-31-2Q-20-6-16-22H16Q20-6 31-2z" fill={`url(#pattern-${sign.pattern})`} />
      <g class="macao-on-pale" transform="translate(0 8)">
        <SeatSign sign={sign} size={0.9} />
      </g>
    </g>
  );
}

/** A disc of a seat on the wall. */
export function Disc({ sign, radius }: { sign: Sign; radius: number }) {
  return (
    <g>
      <ellipse cy="3" rx={radius} ry={radius} fill="#0005" />
      <circle r={radius} fill="#fbf3dc" stroke={INK} stroke-width="1.5" />
      <circle r={radius - 3} fill="none" stroke={colour(sign.colour)} stroke-width="3" />
      <g transform={`scale(${(radius - 4) / 13})`}>
        <path d={signPath(sign)} fill={colour(sign.colour)} stroke={INK} stroke-width="1.2" />
        <path d={signPath(sign)} fill={`url(#pattern-${sign.pattern})`} />
      </g>
    </g>
  );
}

const PIPS: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[0, 0]],
  [
    [-1, -1],
    [1, 1],
  ],
  [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
];

/** A die in a cube's colour and with its glyph, 58 units wide. */
export function Die({ of, value }: { of: string; value: number }) {
  const pale = of === "gray";
  return (
    <g>
      <rect x="-28" y="-25" width="56" height="56" rx="11" fill="#0004" />
      <rect
        class="macao-edge"
        x="-28"
        y="-28"
        width="56"
        height="56"
        rx="11"
        fill={colour(`cube_${of}`)}
      />
      <rect x="-24" y="-24" width="48" height="48" rx="16" fill="#fff" opacity=".14" />
      {(PIPS[value] ?? []).map(([x, y]) => (
        <circle
          key={`${x} ${y}`}
          cx={x * 11 - 8}
          cy={y * 11 - 8}
          r="4.8"
          fill={pale ? "#26231e" : "#fff"}
        />
      ))}
      <g transform="translate(19.5 19.5)">
        <rect
          x="-9"
          y="-9"
          width="18"
          height="18"
          rx="5"
          fill={colour(`cube_${of}`)}
          stroke="#fffdf6"
        />
        <path class={`macao-glyph ${pale ? "on-pale" : ""}`} d={GLYPHS[of]} />
      </g>
    </g>
  );
}
