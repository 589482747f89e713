/** What small things look like: goods, cubes, coins, ships; each within a circle of radius 12. */

import { colour, Icon, type Icons, SeatSign, type Sign, signPath } from "lonja";

const INK = "#33291c";
const line = { stroke: INK, "stroke-width": 1.3, "stroke-linejoin": "round" } as const;

export const icons: Icons = {
  lacquer: (
    <g {...line}>
      <path d="M-10-3 0-8 10-3 0 2z" fill="#d9653f" />
      <path d="M-10-3v8L0 10V2zM10-3v8L0 10V2z" fill="#a83a20" />
      <path d="M-6 1.2v5.6M6 1.2v5.6" stroke="#f5c65a" fill="none" />
      <circle cy="-3" r="2" fill="#f5c65a" />
    </g>
  ),
  rice: (
    <g {...line}>
      <path d="M-8-1C-7-9 7-9 8-1z" fill="#fffdf3" />
      <path d="M-4-4h.1M0-6h.1M3-3h.1M-1-2.5h.1" stroke-linecap="round" stroke-width="1.8" />
      <path d="M-10-1h20C10 5 6 9 3 9h-6C-6 9-10 5-10-1z" fill="#4f76b5" />
      <path d="M-7 3q3.5 3 7 0t7 0" fill="none" stroke="#fff" />
    </g>
  ),
  tea: (
    <g {...line}>
      <path d="M-9-2H6c0 7-3 11-7.5 11S-9 5-9-2z" fill="#f4efdc" />
      <path d="M6 0c6-1 5 6-1 5" fill="none" />
      <path d="M-5-5q-2-2 0-5M0-5q-2-2 0-5" fill="none" stroke="#2f5d1e" />
      <path d="M-8-1h13c-1 2-12 2-13 0z" fill="#5a8a34" />
    </g>
  ),
  jade: (
    <g {...line}>
      <path
        d="M-10 0a10 10 0 1 0 20 0a10 10 0 1 0-20 0zM-3.5 0a3.5 3.5 0 1 1 7 0a3.5 3.5 0 1 1-7 0z"
        fill="#5fc298"
        fill-rule="evenodd"
      />
      <path d="M-6-4q2-3 6-3M6 4q-2 3-6 3" fill="none" stroke="#1f6b4d" />
    </g>
  ),
  silk: (
    <g {...line}>
      <path d="M-10-5q5-4 10 0t10 0v10q-5 4-10 0t-10 0z" fill="#e487ad" />
      <path d="M-10-1q5-4 10 0t10 0M-10 2.500q5-4 10 0t10 0" fill="none" stroke="#8e2f5a" />
    </g>
  ),
  paper: (
    <g {...line}>
      <path d="M-6-9h13v15H-6z" fill="#fffaf0" />
      <path d="M-9 6H5c0 4-3 4-4 3h-8c-2 0-3-1-2-3z" fill="#e6d3a8" />
      <path d="M-3-6v9M1-6v7M4.5-6v9" fill="none" stroke-width="1.6" />
    </g>
  ),
  porcelain: (
    <g {...line}>
      <path d="M-3-10h6v3c5 2 7 6 5 11-1 3-3 5-4 6h-8c-1-1-3-3-4-6-2-5 0-9 5-11z" fill="#f7fafd" />
      <path d="M-7.5 0q4-4 7.5 0t7.5 0M-5 5.500h10" fill="none" stroke="#2a56a3" stroke-width="2" />
    </g>
  ),
  spices: (
    <g {...line}>
      <path d="M-6-5h12c5 6 5 15 0 15H-6c-5 0-5-9 0-15z" fill="#c98a45" />
      <path d="M-5-5-7-10q7 3 14 0L5-5z" fill="#e3b26f" />
      <path
        d="M0-1v7M-3.5 1l7 3.500M3.5 1l-7 3.5"
        fill="none"
        stroke="#7a2412"
        stroke-width="1.8"
      />
    </g>
  ),
  joker: (
    <g {...line}>
      <path
        d="M0-11l3.1 7.3 7.9.7-6 5.2 1.8 7.700L0 5.800l-6.8 4.100L-5 2.200l-6-5.2 7.9-.7z"
        fill="#8257ad"
      />
      <circle r="2.8" cy="0" fill="#ffe9a8" />
    </g>
  ),
  coin: (
    <g stroke="#7a5a10" stroke-width="1.5">
      <circle r="10.5" fill="#f0c24b" />
      <path d="M-3.5-3.500h7v7h-7z" fill="#fff3c9" />
    </g>
  ),
  prestige: (
    <g {...line}>
      <path
        d="M0-11 3-8.5l4-.5 1 4 3 2.5L9 1l1 4-4 1-2 4-4-1.5L-4 10l-2-4-4-1 1-4-2-3.5L-8-5l1-4 4 .5z"
        fill="#b3302a"
      />
      <path
        d="M0-5.500l1.6 3.6 3.9.3-3 2.5 1 3.800L0 2.7-3.5 4.700l1-3.8-3-2.5 3.9-.3z"
        fill="#ffe7c2"
      />
    </g>
  ),
  punishment: (
    <g {...line}>
      <path d="M-9-9H9v9c0 6-5 9-9 11C-4 9-9 6-9 0z" fill="#4a4348" />
      <path d="M-5-1H5" stroke="#fff" stroke-width="3" />
    </g>
  ),
  marker: (
    <g {...line}>
      <path d="M-9-9H9v9c0 6-5 9-9 11C-4 9-9 6-9 0z" fill="#d8c59a" />
      <path d="M0-8v17M-8-2H8" stroke-width="2" />
    </g>
  ),
  ship: (
    <g {...line}>
      <path d="M-11 4h22C10 8 8 10 6 10H-6C-9 10-10 8-11 4z" fill="#8a5a2d" />
      <path d="M-1-11V4" stroke-width="1.8" />
      <path d="M1-10C8-8 9-2 8 2H1zM-3-7C-8-5-9-1-8 2h5z" fill="#fbf3dc" />
    </g>
  ),
  delivered: (
    <g {...line}>
      <path d="M-10 0 0-5 10 0v8L0 11-10 8z" fill="#c39a5c" />
      <path d="M-5-4 -1 1 8-10" fill="none" stroke="#1f6b3a" stroke-width="3" />
    </g>
  ),
  anchor: (
    <g fill="none" stroke={INK} stroke-width="2.2" stroke-linecap="round">
      <circle cy="-8" r="2.5" />
      <path d="M0-5V10M-5-2H5M-9 3c0 5 5 7 9 7s9-2 9-7" />
    </g>
  ),
  office: (
    <g {...line}>
      <path d="M-11-4 0-11 11-4z" fill="#cbbbe8" />
      <path d="M-9 9H9M-7-3v11M-2.5-3v11M2.5-3v11M7-3v11" stroke-width="2.4" />
      <path d="M-11 10h22" stroke-width="2.4" />
    </g>
  ),
  discard: (
    <g {...line}>
      <path d="M-9-6 0-9 4 6-5 9z" fill="#d9cfb8" />
      <path d="M-2-8h10V8H-2z" fill="#f2ead8" />
      <path d="M1-4 5 4M5-4 1 4" stroke="#a92d25" stroke-width="2" />
    </g>
  ),
  cube: (
    <g {...line}>
      <path d="M-9-4 0-9 9-4 0 1z" fill="#f2ead8" />
      <path d="M-9-4V6L0 11V1zM9-4V6L0 11V1z" fill="#cbbf9f" />
    </g>
  ),
  die: (
    <g {...line}>
      <path d="M-9-9H9V9H-9z" fill="#fffdf6" />
      <path d="M-4-4h.1M4 4h.1M0 0h.1" stroke-width="4" stroke-linecap="round" />
    </g>
  ),
  disc: <circle r="10" fill="#d8c59a" {...line} />,
  tile: <path d="M-9-9H9V9H-9z" fill="#e6d3a8" {...line} />,
  round: (
    <g {...line}>
      <path d="M-7-10H7C7-4 2-2 2 0s5 4 5 10H-7C-7 4-2 2-2 0s-5-4-5-10z" fill="#f5e7c0" />
      <path d="M-5 9q5-6 10 0z" fill="#c98a45" />
    </g>
  ),
  turn: <path d="M-9-7 1-7V-11L11-2 1 7V3H-9z" fill="#d8c59a" {...line} />,
};

export const COLOURS = ["red", "blue", "green", "black", "gray", "violet"] as const;

/** Which tells a cube's colour without it. */
const GLYPHS: Record<string, string> = {
  red: "M0-5.5 5.5 4.500h-11z",
  blue: "M-6-2q3-4 6 0t6 0M-6 3q3-4 6 0t6 0",
  green: "M-5 5C-6-3 0-6 6-6 6 1 3 6-5 5zM-5 5 1-1",
  black: "M-5-5 5 5M5-5-5 5",
  gray: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
  violet: "M0-6V6M-5.2-3 5.2 3M5.2-3-5.2 3",
};

/** An icon on a light ground, which its lines need on a dark page. */
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
      <g transform="translate(0 -7)">
        <SeatSign sign={sign} size={0.85} />
      </g>
      <path d="M0-25 10-22 0-20z" fill={colour(sign.colour)} stroke={INK} stroke-width=".8" />
    </g>
  );
}

/** A house with the sign of who owns the quarter. */
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
      <g transform="translate(0 8)">
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
          cx={x * 13 - 4}
          cy={y * 13 - 4}
          r="5.5"
          fill={pale ? "#26231e" : "#fff"}
        />
      ))}
      <g transform="translate(19 19) scale(1.15)">
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
