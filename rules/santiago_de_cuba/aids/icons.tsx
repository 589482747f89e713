/** The symbols: goods, money, buildings, flags; each within a circle of radius 12 about the origin. */

import { colour, type Icons } from "lonja";

const INK = colour("ink");
/** Filled shapes have this outline on light and dark pages alike; what is only a line has that of words. */
const LINE = {
  stroke: "#33281d",
  "stroke-width": 0.9,
  "stroke-linejoin": "round",
  "stroke-linecap": "round",
} as const;
const BARE = { ...LINE, stroke: INK, fill: "none" } as const;

const STAR = "M0-8l2.1 5.2 5.6.4-4.3 3.6 1.4 5.5L0 3.7l-4.8 3 1.4-5.5-4.3-3.6 5.6-.4z";

/** Columns, windows and the like: a rectangle for each x. */
function row(xs: readonly number[], y: number, width: number, height: number, fill: string) {
  return xs.map((x) => (
    <rect key={x} x={x - width / 2} y={y} width={width} height={height} fill={fill} />
  ));
}

const goods: Icons = {
  sugar_cane: (
    <g {...LINE}>
      <path d="M-7 11-4-9h4l-2 20z" fill="#d9dfa0" />
      <path d="M-1 11 1-10h4L4 11z" fill="#eef0c8" />
      <path d="M5 11 6-6l3 1L8 11z" fill="#c3cc7e" />
      <path d="M-6.4 5h4.9M-5.6-1h4.9M-.4 6h4.9M0 0h4.9M.6-5h4.3M5.3 4h3M5.7-1h3" fill="none" />
      <path d="M-3-8C-7-12-10-9-11-5c3-1 6-1 8-3M4-9c3-4 6-3 8 1-4-1-6 0-8-1" fill="#7fa848" />
    </g>
  ),
  citrus: (
    <g {...LINE}>
      <circle cx="-2" cy="1" r="8.5" fill="#f0953a" />
      <path d="M-3-7C-1-12 5-12 8-9 4-5 0-5-3-7z" fill="#6a9a3f" />
      <circle cx="5" cy="5" r="6" fill="#f7b45c" />
      <circle cx="5" cy="5" r="4.4" fill="#fde3ad" stroke="none" />
      <path d="M5 .6v8.8M1.2 2.8l7.6 4.4M8.8 2.8 1.2 7.2" fill="none" stroke="#f0953a" />
    </g>
  ),
  tobacco: (
    <g {...LINE}>
      <path d="M-8 9C-12-3-3-12 9-10c2 12-5 20-17 19z" fill="#5f9440" />
      <path d="M-11 12 6-7M-6 6v-8M-6 6l8 1M-1 0v-7M-1 0l7 1" fill="none" stroke="#dcebc2" />
    </g>
  ),
  rum: (
    <g {...LINE}>
      <path
        d="M-2-11h4v6c4 2 5 4 5 7v8c0 1-1 1-2 1H-5c-1 0-2 0-2-1V2c0-3 1-5 5-7z"
        fill="#a8322d"
      />
      <path d="M-2.5-11.5h5v3h-5z" fill="#d9b26a" />
      <path d="M-7 1.5H7V7H-7z" fill="#f6e7bf" />
      <path d="M-3 4.3h6" fill="none" />
    </g>
  ),
  cigars: (
    <g {...LINE}>
      <g transform="rotate(28)">
        <rect x="-11" y="-5" width="21" height="5" rx="2.5" fill="#7a4e2e" />
        <path d="M-4-5h3v5h-3z" fill="#d8a531" />
        <path d="M8-5h1a2.5 2.5 0 0 1 0 5H8z" fill="#e36a3a" />
      </g>
      <g transform="rotate(-24)">
        <rect x="-11" y="1" width="21" height="5" rx="2.5" fill="#5c3a22" />
        <path d="M-4 1h3v5h-3z" fill="#c8402f" />
        <path d="M8 1h1a2.5 2.5 0 0 1 0 5H8z" fill="#cfcac0" />
      </g>
    </g>
  ),
  wood: (
    <g {...LINE}>
      {[
        [-5.5, 4.5],
        [5.5, 4.5],
        [0, -4.8],
      ].map(([x, y]) => (
        <g key={x} transform={`translate(${x} ${y})`}>
          <circle r="5.4" fill="#8a5c32" />
          <circle r="4" fill="#e0b878" stroke="none" />
          <circle r="2" fill="none" stroke="#a87742" />
        </g>
      ))}
    </g>
  ),
};

const coins: Icons = {
  peso: (
    <g {...LINE}>
      <circle r="11" fill="#e8b93c" />
      <circle r="8.5" fill="#f6d876" stroke="#b4841c" />
      <path
        d="M3.5-3.5C2-5.5-3.5-5-3.5-2S3.5 0 3.5 2.7-2.5 5.5-3.5 3.5M0-6.5v13"
        fill="none"
        stroke="#6b4a08"
        stroke-width="1.7"
      />
    </g>
  ),
  vp: (
    <g {...LINE}>
      <circle r="11" fill="#7b3f8c" />
      <circle r="9" fill="none" stroke="#e9d3f0" stroke-dasharray="3 2.6" stroke-width="1.4" />
      <path d={STAR} fill="#ffe9a8" stroke="none" transform="scale(.8)" />
    </g>
  ),
  die: (
    <g {...LINE}>
      <rect x="-9" y="-9" width="18" height="18" rx="3.5" fill="#fdfaf2" />
      <g fill="#3b3226" stroke="none">
        <circle cx="-4" cy="-4" r="2" />
        <circle r="2" />
        <circle cx="4" cy="4" r="2" />
      </g>
    </g>
  ),
  chest: (
    <g {...LINE}>
      <path d="M-10 0c0-10 20-10 20 0v9h-20z" fill="#a06a35" />
      <path d="M-10 0h20M-6-6v15M6-6v15" fill="none" stroke="#e0b04c" stroke-width="1.6" />
      <rect x="-2" y="-2" width="4" height="5" fill="#e8c45c" />
    </g>
  ),
};

const people: Icons = {
  dancer: (
    <path d="M0-11a3 3 0 1 1 0 6c4 0 4 3 3 6l8 9H-11l8-9c-2-4-1-6 3-6z" fill="#c8402f" {...LINE} />
  ),
  guitar: (
    <g {...LINE} transform="rotate(40)">
      <path d="M-1.2-12h2.4V0h-2.4z" fill="#5c3a22" />
      <path d="M0-3c5 0 3 4 4 5 5 4 2 10-4 10S-9 6-4 2c1-1-1-5 4-5z" fill="#d08a3e" />
      <circle cy="3" r="1.8" fill="#3a2c22" />
    </g>
  ),
  mask: (
    <path
      d="M-11-4C-6-8-3-5 0-5s6-3 11 1c0 6-3 9-6 9S1 2 0 2s-2 3-5 3-6-3-6-9zM-7-2c1 3 4 3 5 0-1-2-4-2-5 0zM2-2c1 3 4 3 5 0-1-2-4-2-5 0z"
      fill={INK}
      fill-rule="evenodd"
    />
  ),
  scales: (
    <g {...LINE}>
      <path d="M0-10V9M-8-7H8M-5 9.5H5" {...BARE} stroke-width="1.6" />
      <path d="M-8-7l-3.5 8h7zM8-7 4.5 1h7z" fill="#e0b04c" />
    </g>
  ),
  face_down: (
    <g {...LINE}>
      <rect x="-9" y="-10" width="18" height="20" rx="2" fill="#3f6f74" />
      {[-7, -3.5, 0, 3.5, 7].map((y) => (
        <path key={y} d={`M-7 ${y}H7`} stroke="#9fc3c3" fill="none" />
      ))}
    </g>
  ),
  pawn: <path d="M0-11a5 5 0 0 1 3 9c3 3 4 8 5 13H-8c1-5 2-10 5-13a5 5 0 0 1 3-9z" fill={INK} />,
  owner_marker: (
    <g {...LINE}>
      <path d="M-7 11v-22" fill="none" stroke={INK} stroke-width="1.8" />
      <path d="M-7-10.5 10-6-7 0z" fill="#c8402f" />
    </g>
  ),
};

const sea: Icons = {
  anchor: (
    <g fill="none" stroke={INK} stroke-width="2" stroke-linecap="round">
      <circle cy="-8" r="2.5" />
      <path d="M0-5.5V10M-5-2H5M-10 3c1 5 5 7 10 7s9-2 10-7M-10 3l-1 3M-10 3l3 1M10 3l1 3M10 3 7 4" />
    </g>
  ),
  car: (
    <g {...LINE}>
      <path d="M-11 3c0-4 3-4 5-4l3-4h6l4 4c3 0 4 1 4 5z" fill="#c8402f" />
      <circle cx="-5.5" cy="4" r="2.5" fill="#333" />
      <circle cx="6" cy="4" r="2.5" fill="#333" />
    </g>
  ),
  ship: (
    <g {...LINE}>
      <path d="M-11 3h22L8 9H-8z" fill="#9a5b2c" />
      <path d="M0-11V3" fill="none" stroke-width="1.4" />
      <path d="M1-10c8 3 9 8 8 11H1zM-1-8c-6 3-8 6-8 9h8z" fill="#fdf6e2" />
    </g>
  ),
  flag: (
    <g {...LINE}>
      <path d="M-9 11v-22" fill="none" stroke={INK} stroke-width="1.6" />
      <path d="M-9-10c6-3 12 3 19 0v10c-7 3-13-3-19 0z" fill="#e2b13a" />
    </g>
  ),
  chequered_flag: (
    <g {...LINE}>
      <path d="M-9 11v-22" fill="none" stroke={INK} stroke-width="1.6" />
      <path d="M-9-10H9V2H-9z" fill="#fff" />
      <path
        d="M-9-10h6v4h-6zM3-10h6v4H3zM-3-6h6v4h-6zM-9-2h6v4h-6zM3-2h6v4H3z"
        fill="#222"
        stroke="none"
      />
    </g>
  ),
  value_marker: <path d="M0-11 9 2H4v8h-8V2h-5z" fill="#f2c230" {...LINE} />,
  flower: <Petals n={5} />,
};

function Petals({ n }: { n: number }) {
  return (
    <g {...LINE}>
      {Array.from({ length: n }, (_, turn) => (
        <ellipse
          key={`${turn}`}
          cy="-6.5"
          rx={n > 6 ? 2.4 : n > 4 ? 4 : 4.6}
          ry="5"
          fill="#fff"
          transform={`rotate(${(turn * 360) / n})`}
        />
      ))}
      <circle r="3" fill="#e0a92e" />
    </g>
  );
}

const PETALS: Readonly<Record<string, number>> = { yellow: 9, blue: 5, red: 6, white: 4 };
const HUES: Readonly<Record<string, string>> = {
  yellow: "#f4c824",
  blue: "#5b93dc",
  red: "#dd4a45",
  white: "#fffdf6",
};

/** A flower: told by the number of its petals as well as by its colour. */
export function Flower({ of: flower, radius }: { of: string; radius: number }) {
  const petals = PETALS[flower] ?? 5;
  const narrow = petals > 6 ? 2.7 : petals > 5 ? 3.3 : petals > 4 ? 4.2 : 5;
  return (
    <g transform={`scale(${radius / 12})`} stroke="#3b3226" stroke-width="1">
      {Array.from({ length: petals }, (_, turn) => (
        <ellipse
          key={`${turn}`}
          cy="-7"
          rx={narrow}
          ry="5"
          fill={HUES[flower] ?? "#fff"}
          transform={`rotate(${(turn * 360) / petals})`}
        />
      ))}
      <circle r="3.6" fill={flower === "yellow" ? "#7a4e1c" : "#f2c230"} />
    </g>
  );
}

const DOOR = "#5c3a22";
const GLASS = "#8fc2d0";
const TILES = "#b9512f";

const buildings: Icons = {
  casino: (
    <g {...LINE}>
      <path d="M-11 10V-3H11v13z" fill="#e58f9d" />
      <path d="M-8-3c0-8 16-8 16 0z" fill="#8e2f4f" />
      <path d={STAR} transform="translate(0 -5.6) scale(.35)" fill="#ffe08a" />
      {row([-8, 8], 0, 3.5, 5, GLASS)}
      <path d="M-3 10V3a3 3 0 0 1 6 0v7z" fill={DOOR} />
      <g fill="#ffe08a">
        {[-9, -6, -3, 0, 3, 6, 9].map((x) => (
          <circle key={x} cx={x} cy="-2" r=".9" />
        ))}
      </g>
    </g>
  ),
  bank: (
    <g {...LINE}>
      <path d="M-12-2 0-10 12-2z" fill="#d9cfb6" />
      <circle cy="-4.5" r="1.9" fill="#f2c230" />
      <path d="M-10-2h20v10h-20z" fill="#b7a98a" />
      {row([-8, -3, 3, 8], -2, 2.6, 9, "#f4eedc")}
      <path d="M-12 7.5h24V10h-24z" fill="#d9cfb6" />
      <path d="M-1.3 1h2.6v6.5h-2.6z" fill={DOOR} />
    </g>
  ),
  church: (
    <g {...LINE}>
      <path d="M-5-4h10v14H-5z" fill="#f6e9c4" />
      <path d="M-11 10V-6h6v16zM5 10V-6h6v16z" fill="#f1dca6" />
      <path d="M-11.5-6c0-5 7-5 7 0zM4.5-6c0-5 7-5 7 0z" fill={TILES} />
      <path d="M-5-4 0-8l5 4z" fill={TILES} />
      <path d="M0-12v4M-1.7-10.7h3.4" fill="none" stroke-width="1.3" />
      <circle cy="-.5" r="2" fill={GLASS} />
      <path d="M-2.5 10V6a2.5 2.5 0 0 1 5 0v4z" fill={DOOR} />
      {row([-8, 8], -3, 2, 4, GLASS)}
    </g>
  ),
  port_office: (
    <g {...LINE}>
      <path d="M-11 10V0H3v10z" fill="#7fb7c4" />
      <path d="M-12 0h16l-3-4H-9z" fill={TILES} />
      <path d="M4 10V-5h6v15z" fill="#fbf7ec" />
      <path d="M4-1h6v3H4zM4 5h6v3H4z" fill="#c8402f" />
      <path d="M3.5-5 7-11l3.5 6z" fill="#c8402f" />
      {row([-8, 0], 2, 3, 4, "#fdf6e2")}
      <path d="M-6 10V3h4v7z" fill={DOOR} />
    </g>
  ),
  distillery: (
    <g {...LINE}>
      <path d="M-11 10V-2l5 3v-3l5 3v-3l5 3v9z" fill="#c98a4b" />
      <path d="M4 10 5-11h4l1 21z" fill="#a5502f" />
      <path d="M5-8h4.2" fill="none" stroke="#fff" />
      <path d="M8-12c3 0 3-2 4 0" fill="none" />
      {row([-8.5, -4, 0.5], 4, 2.6, 3, GLASS)}
      <circle cx="0" cy="-6" r="3" fill="#d58f3a" />
      <path d="M-3-6h6" fill="none" />
    </g>
  ),
  tobacco_factory: (
    <g {...LINE}>
      <path d="M-11 10V-5H11v15z" fill="#d8a868" />
      <path d="M-12-5h24l-2-4h-20z" fill="#6b4526" />
      {row([-8, -3, 3, 8], -3, 2.6, 4, GLASS)}
      {row([-8, 8], 4, 2.6, 4, GLASS)}
      <path d="M-3.5 10V4h7v6z" fill={DOOR} />
      <path d="M-2-9C-4-13 3-13 5-11 3-8 0-8-2-9z" fill="#5f9440" />
    </g>
  ),
  office: (
    <g {...LINE}>
      <path d="M-9 10V-9H9v19z" fill="#e9c877" />
      <path d="M-10-9h20v-2h-20zM-10-1h20v-1.5h-20z" fill="#fdf6e2" />
      {row([-6, 0, 6], -7, 2.8, 4, GLASS)}
      {row([-6, 6], 2, 2.8, 4, GLASS)}
      <path d="M-2 10V2h4v8z" fill={DOOR} />
    </g>
  ),
  black_market: (
    <g {...LINE}>
      <path d="M-10 10V-2h20v12z" fill="#55475e" />
      <path d="M-12-8h24v6c-2 3-4 3-6 0-2 3-4 3-6 0-2 3-4 3-6 0-2 3-4 3-6 0z" fill="#8f4a7d" />
      <path d="M-6-8v6M6-8v6M0-8v6" fill="none" stroke="#f0d8ea" />
      <path d="M-8 4h7v6h-7zM1 6h7v4H1z" fill="#b98a57" />
      <circle cx="4" cy="2" r="2" fill="#f2c230" />
    </g>
  ),
  sawmill: (
    <g {...LINE}>
      <path d="M-11 10V0L0-8 11 0v10z" fill="#a9773f" />
      <path d="M-12 1 0-9 12 1" fill="none" stroke="#5c3a22" stroke-width="2.4" />
      <circle cy="4" r="5" fill="#d7dadb" stroke-dasharray="1.6 1" stroke-width="1.6" />
      <circle cy="4" r="1.3" fill="#555" />
      <path d="M-11 9.5h22" fill="none" stroke-width="2" />
    </g>
  ),
  newspaper: (
    <g {...LINE}>
      <path d="M-10 10V-10h20v20z" fill="#f4efe2" />
      <path d="M-8-8H8v4H-8z" fill="#3b3226" />
      <path d="M-8-1h7v6h-7z" fill="#a9b8bd" />
      <path d="M1-1h7M1 1.5h7M1 4h7M-8 7.5H8" fill="none" />
    </g>
  ),
  cafe: (
    <g {...LINE}>
      <path d="M-10 10V-7h20v17z" fill="#8fc0a0" />
      <path d="M-12-2-9-7H9l3 5z" fill="#fdf6e2" />
      <path d="M-7-7-9-2h4l1-5zM0-7h-1.5v5h3v-5zM7-7 9-2H5L4-7z" fill="#c8402f" />
      <path d="M-7 1h6v6h-6z" fill={GLASS} />
      <path d="M2 10V1h5v9z" fill={DOOR} />
      <path d="M-3-8c0-3 6-3 6 0zM-1-12c-1 1 1 1 0 2M1-12c-1 1 1 1 0 2" fill="#fff" />
    </g>
  ),
  customs: (
    <g {...LINE}>
      <path d="M-11 10V-4h22v14z" fill="#cdbf9c" />
      <path d="M-12-4 0-9l12 5z" fill="#4d6f8c" />
      <path d="M-7 10V3a3 3 0 0 1 6 0v7zM1 10V3a3 3 0 0 1 6 0v7z" fill="#6e5a3b" />
      <path d="M-12 6 12 1v2.4L-12 8.4z" fill="#fff" />
      <path d="M-9 5.4v2.4l4-.8V4.5zM-1 3.7v2.4l4-.8V2.8zM7 2v2.4l4-.8V1.2z" fill="#c8402f" />
    </g>
  ),
};

export const icons: Icons = { ...goods, ...coins, ...people, ...sea, ...buildings };
