/** The icons of the board, each within a circle of radius 12 about the origin. */

import { colour, type Icons } from "lonja";

const INK = colour("ink");
const edge = { stroke: INK, "stroke-width": 1, "stroke-linejoin": "round" } as const;
const line = { fill: "none", stroke: INK, "stroke-width": 1.6, "stroke-linecap": "round" } as const;

const PINE = "M0-11 5.5-3H3L8 4H-8L-3-3H-5.5z";
const HOUSE = "M0-11 11-1H8V10H-8V-1h-3z";
const TOWER = "M-7 11-6-3-8-5v-6h4v3h2.2v-3h3.6v3H4v-3h4v6L6-3 7 11z";
export const silhouettes = { house: HOUSE, tower: TOWER };

const grape = (x: number, y: number) => <circle key={`${x} ${y}`} cx={x} cy={y} r="3.1" />;

const drawn: Icons = {
  // What the land and the sea give.
  fish: (
    <g {...edge} fill="#5f9fc4">
      <path d="M-5 0-11-6v12z" />
      <path d="M-7 0C-3-8 6-8 11 0 6 8-3 8-7 0z" />
      <path d="M4-5q-3 5 0 10" fill="none" />
      <circle cx="7" cy="-1.4" r="1" fill={INK} />
    </g>
  ),
  wood: (
    <g {...edge}>
      <path d="M-2 3h4v8h-4z" fill="#7d5a38" />
      <path d={PINE} fill="#4c8a4a" />
    </g>
  ),
  stone: (
    <g {...edge}>
      <path d="M-11 1h10v9h-10zM1 1h10v9H1z" fill="#a9a49a" />
      <path d="M-6-9H6v9H-6z" fill="#c8c3b8" />
      <path d="M-3-6h4M-8 4h3M4 7h4" {...line} stroke-width="1" />
    </g>
  ),
  silver_ore: (
    <g {...edge}>
      <path d="M-11 10-6-3-1 1 4-9l7 19z" fill="#7f8b97" />
      <path d="M4-9 1 1l4-2 3 3z" fill="#e8eef3" />
      <path d="M-3 10V6a3 3 0 0 1 6 0v4z" fill="#2f2a24" />
      <path d="m-8-9 1 2.2 2.2 1-2.2 1-1 2.2-1-2.2-2.2-1 2.2-1z" fill="#dfe8ef" />
    </g>
  ),
  grapes: (
    <g {...edge}>
      <path d="M0-7q1-4 5-5" {...line} stroke="#6b4a2c" />
      <path d="M1-7q6-5 9 0-4 4-9 0z" fill="#5d9a4c" />
      <g fill="#8a56b0">
        {[
          [-6, -3],
          [0, -3],
          [6, -3],
          [-3, 2],
          [3, 2],
          [0, 7.5],
        ].map(([x = 0, y = 0]) => grape(x, y))}
      </g>
    </g>
  ),
  olives: (
    <g {...edge}>
      <path d="M-10 9Q2 4 9-10" {...line} stroke="#6b5a2c" />
      <path d="M-6 7q-6-5-2-11 5 4 2 11zM1 2q-6-6-1-12 5 5 1 12z" fill="#7fa04e" />
      <ellipse cx="4" cy="6" rx="3.8" ry="5" fill="#6b7a2a" />
      <ellipse cx="9" cy="-1" rx="2.6" ry="3.6" fill="#8d9a3c" />
    </g>
  ),
  // Commodities.
  wine: (
    <g {...edge}>
      <path d="M-6-11H6Q8 1 1.3 3v5H6v3H-6V8h4.7V3Q-8 1-6-11z" fill="#f4e9dc" />
      <path d="M-6.4-6H6.4Q6.5 1 0 1.7-6.5 1-6.4-6z" fill="#a3224e" />
    </g>
  ),
  oil: (
    <g {...edge}>
      <path d="M-4-6q-7-2-6 5M4-6q7-2 6 5" {...line} />
      <path d="M-4-11h8v3L2.5-6Q10-2 6 6L3 11h-6L-6 6q-4-8 3.5-12L-4-8z" fill="#c77f43" />
      <path d="M-7 1H7q0 3-1 5H-6q-1-2-1-5z" fill="#e3cf52" />
    </g>
  ),
  silver: (
    <g {...edge} fill="#cfd8df">
      <path d="M-12 9-8-3H8l4 12z" />
      <path d="M-8-3-5-7H5l3 4z" fill="#eef3f6" />
      <path d="M-4 1h8l1.5 4h-11z" fill="none" />
    </g>
  ),
  // Goods of ships.
  salt: (
    <g {...edge}>
      <path d="M-4-7-9 2q-3 8 3 9H6q6-1 3-9L4-7z" fill="#e9dfc8" />
      <path d="M-5-11H5L4-7h-8z" fill="#f7f3ea" />
      <path d="M-4 3h8M-3 6h6" {...line} stroke-width="1.2" />
    </g>
  ),
  spices: (
    <g {...edge}>
      <path d="M-8 2Q0-18 8 2z" fill="#d1642b" />
      <path d="M-11 2h22q-1 8-7 9h-8q-6-1-7-9z" fill="#9c6a3a" />
    </g>
  ),
  silk: (
    <g {...edge}>
      <path d="M-7-9H8v12q-4 3-8 0t-7 3z" fill="#d7578b" />
      <path d="M-10 8V-9q2-3 4 0V8q-2 3-4 0z" fill="#a93a68" />
      <path d="M-3-5H6M-3-1H6" {...line} stroke-width="1" />
    </g>
  ),
  pearls: (
    <g {...edge}>
      <path d="M-11-1q11-13 22 0L3 8h-6z" fill="#d9a7b0" />
      <path d="M-6-3 -1 6M0-6V6M6-3 1 6" {...line} stroke-width="1" />
      <circle cy="6" r="4.5" fill="#fffdf6" />
    </g>
  ),
  gems: (
    <g {...edge}>
      <path d="M-7-8H7l4 6L0 10-11-2z" fill="#3ba88f" />
      <path d="M-7-8-3-2 0 10 3-2 7-8M-11-2h22M-3-2 0-8 3-2" {...line} stroke-width="1" />
    </g>
  ),
  // The city.
  winery: (
    <g {...edge}>
      <path d="M-10-6Q0-12 10-6V7Q0 13-10 7z" fill="#a9713f" />
      <path d="M-10-3Q0-8 10-3M-10 4Q0 9 10 4" {...line} />
      <circle r="3.6" cy="0.5" fill="#a3224e" />
    </g>
  ),
  oil_press: (
    <g {...edge}>
      <path d="M-11 6h22l-2 5H-9z" fill="#8d877c" />
      <path d="M-8 1H8v5H-8z" fill="#e3cf52" />
      <path d="M-9-3H9v4H-9z" fill="#a9a49a" />
      <path d="M-2-11h4v8h-4z" fill="#8a5f38" />
      <path d="M-9-10H9" {...line} stroke-width="2.4" />
    </g>
  ),
  silversmith: (
    <g {...edge}>
      <path d="M-11-2H5q6 0 6-3v6q-6 1-8 4v2h3v4H-6V7h3V5q-3-1-3-3-5 0-5-4z" fill="#6d7680" />
      <path d="M-5-11h8v5h-8z" fill="#cfd8df" />
      <path d="M3-8.5h7" {...line} stroke="#8a5f38" stroke-width="2.4" />
    </g>
  ),
  mason: (
    <g {...edge}>
      <path d="M-11 5h7v5h-7zM-3 5h7v5h-7zM5 5h6v5H5zM-7-1h7v5h-7zM1-1h7v5H1z" fill="#c8b49a" />
      <path d="M-10-8 0-11 3-3z" fill="#cfd8df" />
      <path d="M2-8 9-11" {...line} stroke="#8a5f38" stroke-width="2.6" />
    </g>
  ),
  architect: (
    <g {...edge}>
      <path d="M0-8-8 11M0-8 8 11" {...line} stroke="#b5842e" stroke-width="3" />
      <path d="M-5.5 3Q0 7 5.5 3" {...line} />
      <circle cy="-8" r="3.2" fill="#e6c26a" />
    </g>
  ),
  fishmonger: (
    <g {...edge}>
      <path d="M-11 1h22l-2 10H-9z" fill="#b78a58" />
      <path d="M-10 5H10" {...line} stroke-width="1" />
      <path d="M-8 1q3-9 7-9 4 3 2 9zM2 1q1-10 6-9 3 4 1 9z" fill="#7db3d3" />
    </g>
  ),
  market: (
    <g {...edge}>
      <path d="M-9-1h18v12H-9z" fill="#f3e3c6" />
      <path d="M-9 5H9v6H-9z" fill="#a9713f" />
      <path
        d="M-8-11H8l3 8q-2 4-4.4 0-2.2 4-4.4 0Q0 1-2.2-3q-2.2 4-4.4 0Q-9 1-11-3z"
        fill="#c4483c"
      />
      <path d="M-3.6-11-4.4-3H0v-8zM3.6-11 4.4-3h4.8l-2-8z" fill="#f7f1e2" />
    </g>
  ),
  dock: (
    <g>
      <path d="M0-5V10M-6-2H6M-10 3q1 8 10 8 9 0 10-8" {...line} stroke-width="2.8" />
      <circle cy="-8" r="2.7" {...line} stroke-width="2.2" />
    </g>
  ),
  rectors_palace: (
    <g {...edge}>
      <path d="M-11-5h22v15h-22z" fill="#f0dfbd" />
      <path d="M-12-9h24v4h-24z" fill="#b8553a" />
      <path d="M-9 10V4q2.5-4 5 0v6zM-2.5 10V4q2.5-4 5 0v6zM4 10V4q2.5-4 5 0v6z" fill="#5f5140" />
      <path d="M-8-2h3M-1.5-2h3M5-2h3" {...line} />
    </g>
  ),
  cathedral: (
    <g {...edge}>
      <path d="M-10 11V1h20v10z" fill="#f4ead2" />
      <path d="M-6 1q0-8 6-8t6 8z" fill="#5d8f86" />
      <path d="M0-12v5M-2-10h4" {...line} />
      <path d="M-2.5 11V7q2.5-4 5 0v4z" fill="#5f5140" />
      <path d="M-10 1v-4h3v4M10 1v-4H7v4" fill="#f4ead2" />
    </g>
  ),
  // Pieces and signs.
  house: <path d={HOUSE} {...edge} fill="#c98a5c" />,
  tower: <path d={TOWER} {...edge} fill="#b7ae9f" />,
  wall: <path d="M-11 8V-4h4v-3h4v3h6v-3h4v3h4V8z" {...edge} fill="#b7ae9f" />,
  chain: (
    <g {...edge} fill="#b7ae9f">
      <path d="M-12 8V0h24v8z" />
      <path d="M-12 8V-8h2v3h2v-3h2v16zM-3 8V-8h2v3h2v-3h2v16zM6 8V-8h2v3h2v-3h2v16z" />
    </g>
  ),
  ship: (
    <g {...edge}>
      <path d="M-1-10Q9-7 7 2H-1z" fill="#f7f1e2" />
      <path d="M-3-8Q-9-3-9 2h6z" fill="#efe2c6" />
      <path d="M-2-11V4" {...line} />
      <path d="M-11 4h22l-3 7H-8z" fill="#8a5432" />
    </g>
  ),
  price_marker: <path d="M0 10-9-6h18z" {...edge} fill={INK} />,
  patrician: (
    <g {...edge}>
      <path d="M-10 11q0-9 10-9t10 9z" fill="#8b2f3a" />
      <circle cy="-3" r="5" fill="#e6bd94" />
      <path d="M-7-5q0-7 7-7t7 7q-7-3-14 0z" fill="#5d2430" />
    </g>
  ),
  start_player: (
    <g {...edge}>
      <path d="M-7-11V11" {...line} stroke-width="2.4" />
      <path d="M-6-11H10L5-5l5 6H-6z" fill="#c4483c" />
      <path d="m-1-8 1 2 2 .3-1.5 1.5.4 2.2L-1-3l-2 1 .4-2.2L-4-5.7l2-.3z" fill="#f7e9b4" />
    </g>
  ),
  turn: (
    <g {...edge}>
      <path d="M-7-10H7Q7-2 1 0 7 2 7 10H-7Q-7 2-1 0-7-2-7-10z" fill="#f7f1e2" />
      <path d="M-5 9q5-9 10 0zM-4-5h8L0-1z" fill="#d9a441" />
      <path d="M-9-11H9M-9 11H9" {...line} stroke-width="2.4" />
    </g>
  ),
  vp: (
    <g {...edge}>
      <path
        d="M0-12l3.2 8.1 8.6.6-6.6 5.5 2.1 8.5L0 6.1l-7.3 4.6 2.1-8.5-6.6-5.5 8.6-.6z"
        fill="#e8b93c"
      />
    </g>
  ),
  bonus: (
    <g {...edge}>
      <path d="M-8-11H8v22H-8z" fill="#fbf4e0" />
      <path d="M-4-6h8M-4-3h8" {...line} stroke-width="1.2" />
      <circle cy="4" r="4" fill="#a3224e" />
    </g>
  ),
  arrow: <path d="M0-11 9-1H4v11h-8V-1h-5z" {...edge} fill="#4c8a4a" />,
};

const smaller = (name: string, x: number, y: number) => (
  <g transform={`translate(${x} ${y}) scale(.58)`}>{drawn[name]}</g>
);

export const icons: Icons = {
  ...drawn,
  /** Of whichever kind. */
  commodities: (
    <>
      {smaller("wine", -6, -5)}
      {smaller("oil", 6, -5)}
      {smaller("silver", 0, 6)}
    </>
  ),
};
