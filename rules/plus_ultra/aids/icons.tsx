/** The icons of the board, each within a circle of radius 12 about the origin. */

import type { Icons } from "lonja";

const LINE = "#2b2117";
const SKIN = "#e6b48c";
const GOLD = "#e2b93b";
const STEEL = "#aeb9c4";
const RED = "#b3322b";
const WOOD = "#8a5a34";
const NAVY = "#274a78";
const GREEN = "#4f8a4a";
const IVORY = "#f6ecd2";

/** A filled outline. */
function fill(d: string, tone: string) {
  return <path d={d} fill={tone} stroke={LINE} stroke-width="0.9" stroke-linejoin="round" />;
}

/** A line. */
function line(d: string, tone = LINE, width = 1.2) {
  return (
    <path
      d={d}
      fill="none"
      stroke={tone}
      stroke-width={width}
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  );
}

/** Half a person: the robe, the face, and what is worn, which tells who it is. */
function portrait(robe: string, worn: Icons[string], face = SKIN) {
  return (
    <>
      {fill("M-9.5 11.5C-9 5.5-5 4 0 4S9 5.5 9.5 11.5Z", robe)}
      {fill("M-4-3C-4 3-2.2 5.2 0 5.2S4 3 4-3Z", face)}
      <path d="M-1.8-.6v.4M1.8-.6v.4" stroke={LINE} stroke-width="1.3" stroke-linecap="round" />
      {worn}
    </>
  );
}

const BEARD = "M-3.8 1Q0 2.2 3.8 1Q3.6 7.4 0 7.6T-3.8 1Z";
const PIKE = "M5.5 11.5V-8.5M5.5-12l1.6 3.8H3.9Z";
const COIN = "M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0Z";
const ROSE = [0, 45, 90, 135, 180, 225, 270, 315];

function rose(petal: string, heart: string) {
  return (
    <>
      {fill("M-11 0a11 11 0 1 0 22 0a11 11 0 1 0-22 0Z", "#50443a")}
      {ROSE.map((turn) => (
        <path
          key={turn}
          transform={`rotate(${turn})`}
          d="M0-2.6C-3.4-5.6-2.4-9.6 0-9.6S3.4-5.6 0-2.6Z"
          fill={petal}
          stroke={LINE}
          stroke-width="0.6"
        />
      ))}
      <circle r="2.6" fill={heart} stroke={LINE} stroke-width="0.8" />
    </>
  );
}

function tercio(coat: string, pike: string) {
  return (
    <>
      {line(pike, "#8f7350", 1.6)}
      {fill("M-6 11.5C-6.5 5-4.5 2.5-1 2.5S4.5 5 4 11.5Z", coat)}
      {fill("M-4.2-3C-4.2 2-2.8 3.6-1 3.6S2.2 2 2.2-3Z", SKIN)}
      {fill("M-7.5-3.2Q-1-5 5.5-3.2Q4-10-1-10.5Q-6-10-7.5-3.2Z", STEEL)}
    </>
  );
}

export const icons: Icons = {
  admiral: portrait(
    NAVY,
    <>
      {fill("M-9-3.2Q-8-9.5 0-10.2Q8-9.5 9-3.2Q0-6.6-9-3.2Z", NAVY)}
      {line("M-8-3.9Q0-7.4 8-3.9", GOLD)}
      {line("M-6 8.5h3M3 8.5h3", GOLD, 1.6)}
    </>,
  ),
  cardinal: portrait(
    "#a8242c",
    <>
      {fill(
        "M-10.5-3.2Q0-6.2 10.5-3.2Q7.5-5.2 4.6-5.2Q4-10.4 0-10.4T-4.6-5.2Q-7.5-5.2-10.5-3.2Z",
        "#c5303a",
      )}
      {line("M0 6v5.2M-2 8h4", GOLD, 1.4)}
    </>,
  ),
  merchant: portrait(
    "#6b5030",
    <>
      {fill("M-6.5-3.2Q-9.5-9 0-9.8T6.5-3.2Q0-5.4-6.5-3.2Z", "#7a3f6c")}
      {line("M-2.4 2.4Q0 1.2 2.4 2.4")}
      <circle cx="6.4" cy="8" r="3.2" fill={GOLD} stroke={LINE} stroke-width="0.9" />
    </>,
  ),
  constable: portrait(
    STEEL,
    <>
      {fill("M-5.2 1.6V-4Q-5-9.8 0-10.4Q5-9.8 5.2-4V1.6L2.6.2V-2.2H-2.6V.2Z", STEEL)}
      {line("M0-10.2V-2.4")}
      {fill("M-1-12Q4-13 7-8Q3-9.6 0-10Z", RED)}
    </>,
  ),
  conquistador: portrait(
    "#7a2f22",
    <>
      {fill("M-9.5-1.6Q-5-4.4 0-4.4T9.5-1.6Q7-8 4.4-8.2Q0-15-4.4-8.2Q-7-8-9.5-1.6Z", GOLD)}
      {line("M-1-11.6Q2-8.5 1-5", LINE, 0.8)}
      {fill(BEARD, "#3b2a1c")}
    </>,
  ),
  pirate: portrait(
    "#3d3a3f",
    <>
      {fill("M-4.8-2.6Q-4.6-8.6 0-8.8T4.8-2.6Q0-4.4-4.8-2.6Z", RED)}
      {fill("M4.4-4L9.4-5.4L8-1.8Z", RED)}
      {fill("M.4-1.8h3v2.4q-1.5 1-3 0Z", "#1b1612")}
      {line("M-4-2.4L4-2", LINE, 0.8)}
      {line("M-2 3Q0 2 2 3.2")}
    </>,
  ),
  king: portrait(
    "#7b2442",
    <>
      {fill("M-6-3.2L-7-10L-3.2-7L0-11.5L3.2-7L7-10L6-3.2Q0-4.6-6-3.2Z", GOLD)}
      {fill(BEARD, "#70513a")}
      {line("M-7 8.4Q0 12 7 8.4", IVORY, 2.4)}
    </>,
  ),
  secretary: portrait(
    "#2d2a33",
    <>
      {fill("M-5-3Q-5.6-8.4 0-8.6T5-3Q0-5-5-3Z", "#2d2a33")}
      {fill("M-6 5.2Q-3 3.6 0 5T6 5.2Q4.6 8.6 0 8.2T-6 5.2Z", IVORY)}
      {line("M5 11L10-3Q7-1 6.2 4", IVORY, 1.6)}
    </>,
  ),
  viceroy: portrait(
    "#2f6b57",
    <>
      {fill("M-8.5-3.2Q0-6 8.5-3.2Q6-5 5-5.6Q4-9.8 0-9.8T-5-5.6Q-6-5-8.5-3.2Z", "#2f6b57")}
      {fill("M3-7Q5-13 10.5-9.5Q7-9.6 5-5.8Z", IVORY)}
      {line("M-6 6.2L5 11.2", GOLD, 2)}
    </>,
  ),
  character: (
    <>
      {fill("M-8.5-11.5h17v23h-17Z", "#7b2f3a")}
      {line("M-5.8-8.8h11.6v17.6h-11.6Z", GOLD, 0.9)}
      {fill("M-4.5 3L-5.5-3.5L-2.4-1L0-5L2.4-1L5.5-3.5L4.5 3Z", GOLD)}
    </>
  ),
  crown: (
    <>
      {fill("M-9 6.5L-11-6.5L-4.8-1L0-9.5L4.8-1L11-6.5L9 6.5Z", GOLD)}
      {line("M-8.4 9.4H8.4", LINE, 2)}
      <circle cy="2.6" r="1.8" fill={RED} />
    </>
  ),
  ducat: (
    <>
      {fill("M-10.5 0a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0-21 0Z", GOLD)}
      <circle r="7.6" fill="none" stroke="#8a661a" stroke-width="1" />
      {line("M0-5V5M-4 0H4M-3-3L3 3M3-3L-3 3", "#8a661a", 1.1)}
    </>
  ),
  pg: (
    <>
      {fill("M-7 0L-9 10.5L-3 7.5L0 11.8L3 7.5L9 10.5L7 0Z", RED)}
      {fill("M-8.5-2.5a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0Z", GOLD)}
      {fill("M0-8.6L1.8-4.4L6.2-4.2L2.8-1.4L4-3L4 3L0 .6L-4 3L-2.8-1.4L-6.2-4.2L-1.8-4.4Z", IVORY)}
    </>
  ),
  bull: (
    <>
      {fill("M-7-11H5L9-7V8H-7Z", IVORY)}
      {line("M-4-6.5H3M-4-3.5H5.5M-4-.5H5.5", "#8b7650", 1)}
      {line("M-1 2.6L-2.5 11M1 2.6L3 11", RED, 1.6)}
      <circle cy="3.6" r="4" fill={STEEL} stroke={LINE} stroke-width="0.9" />
      {line("M0 1.4V5.8M-1.6 2.8H1.6", LINE, 1)}
    </>
  ),
  church: (
    <>
      {fill("M-9 11V0L0-5L9 0V11Z", IVORY)}
      {fill("M-3 11V6Q0 2 3 6V11Z", WOOD)}
      {line("M0-12V-5M-2.6-9.6H2.6", LINE, 1.5)}
    </>
  ),
  estate: (
    <>
      {fill("M-10 10V-1H10V10Z", IVORY)}
      {fill("M-11.5 0L-6-6.5H6L11.5 0Z", RED)}
      {fill("M-2.4 10V4.4Q0 2 2.4 4.4V10Z", WOOD)}
      {line("M-6.5 3.4V6M6.5 3.4V6", LINE, 1.8)}
      {fill("M-2.5-6.5V-10.5H2.5V-6.5Z", IVORY)}
    </>
  ),
  house: (
    <>
      {fill("M-8 10V-.5H8V10Z", IVORY)}
      {fill("M-10.5 0L0-10L10.5 0Z", "#a8503a")}
      {fill("M-2.2 10V4H2.2V10Z", WOOD)}
    </>
  ),
  settlement: (
    <>
      {fill("M-11 10V3L-6.5-1.5L-2 3V10Z", IVORY)}
      {fill("M2 10V3L6.5-1.5L11 3V10Z", IVORY)}
      {fill("M-4.5 10V-3.5L0-8.5L4.5-3.5V10Z", "#dcbf8c")}
      {line("M0-12.4V-8.6M-1.8-10.8H1.8", LINE, 1.2)}
    </>
  ),
  magellan: (
    <>
      {fill("M-10.5 0a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0-21 0Z", "#6ea6c4")}
      {fill("M-7-6Q-2-9 0-4Q-3-2-2 2Q-5 3-7-1Z", "#9bb06a")}
      {fill("M2 1Q6-3 8 0Q8 5 4 7Q1 5 2 1Z", "#9bb06a")}
      {line("M-11.6 2.8Q0 8.6 11.6-3.2", RED, 1.5)}
    </>
  ),
  ship: (
    <>
      {line("M0 5V-11M-6 5V-6.5", LINE, 1.2)}
      {fill("M-.8-10.5Q8-6 5.6 2.5H-.8Z", IVORY)}
      {fill("M-6.2-6.4Q-.6-3.4-2 2.5H-6.2Z", IVORY)}
      {fill("M-11 3.6L-9 6H9L11.5 2.6Q11 11.5 4 11.5H-5Q-10 10.5-11 3.6Z", WOOD)}
    </>
  ),
  gold: (
    <>
      {fill("M-11 9.5L-9 2.5H-2.5L-.5 9.5Z", GOLD)}
      {fill("M.5 9.5L2.5 2.5H9L11 9.5Z", GOLD)}
      {fill("M-5.3 1.6L-3.3-5.4H3.3L5.3 1.6Z", "#f0cf5c")}
      {line("M-2-3.4H2M-7.5 4.6H-4M4 4.6H7.5", "#fff4c4", 1.1)}
    </>
  ),
  silver: (
    <>
      {fill("M-10 8L-7-1L7.5-4L10.5 4.5Z", "#c9d3dc")}
      {fill("M-7-1L7.5-4L5-7.5L-8-4.6Z", "#e9eef2")}
      {fill("M-10 8L-7-1L-8-4.6L-11 3Z", "#8d9aa7")}
      {line("M-3 3.6L4 2", "#6c7985", 1.2)}
    </>
  ),
  gems: (
    <>
      {fill("M0 11L-11-2.5L-6-9H6L11-2.5Z", "#a65bc0")}
      {fill("M0 11L-4.6-2.5L0-9L4.6-2.5Z", "#cf9be0")}
      {line("M-11-2.5H11", LINE, 0.9)}
    </>
  ),
  spices: (
    <>
      {fill("M-8-2Q-12 11 0 11T8-2Z", "#b98a52")}
      {fill("M-8.5-2Q-6-9 0-9T8.5-2Q0 1.4-8.5-2Z", "#c8462c")}
      {[-4, 0, 4].map((x) => (
        <circle key={x} cx={x} cy={x ? -3 : -5.4} r="1.3" fill="#f1b04a" />
      ))}
      {line("M-6.5 2.6Q0 5 6.5 2.6", "#7d5527", 1.2)}
    </>
  ),
  natives: (
    <>
      {fill("M-10.5 10.5Q-11-1 0-7.5Q11-1 10.5 10.5Z", "#c99a55")}
      {fill("M-2.8 10.5Q-3.4 4 0 2Q3.4 4 2.8 10.5Z", "#4a3320")}
      {line("M-8.5 3.5Q-4-1 0-7.5Q4-1 8.5 3.5M-5-1.8H5", "#7d5527", 1)}
      {line("M-1.5-7L-3-11.5M0-7.5V-12M1.5-7L3-11.5", "#4f8a4a", 1.4)}
    </>
  ),
  peer: (
    <>
      {fill("M-9.5-10.5H9.5V0Q9 8.5 0 12Q-9 8.5-9.5 0Z", IVORY)}
      {line("M0-10V11.4M-9-2H9", RED, 2.2)}
    </>
  ),
  rosette: rose("#e9776b", GOLD),
  rosette_used: rose("#a39b90", "#d8d2c6"),
  tercio: tercio(RED, PIKE),
  tercio_tired: (
    <>
      {tercio("#8d857b", "M5.5 11.5L9 1")}
      {line("M4-7H8L4-2.4H8M8.6-11.4H11L8.6-8.6H11", "#8f7350", 1.3)}
    </>
  ),
  tile: (
    <>
      {fill("M-11-8.5H11V8.5H-11Z", "#3f5f4d")}
      {line("M-5.5 6V-5.5M5.5 6V-5.5M-7.5 6H-3.5M3.5 6H7.5M-7.5-5.5H-3.5M3.5-5.5H7.5", IVORY, 1.5)}
      {line("M-5.5 2.5Q0 5.5 5.5-1.5", GOLD, 1.3)}
    </>
  ),
  surplus: (
    <>
      {fill("M-10.5 10.5V0H0V10.5Z", WOOD)}
      {fill("M0 10.5V2H10.5V10.5Z", "#a06c42")}
      {fill("M-5 0V-9H5V0Z", "#a06c42")}
      {line("M-10.5 5.2H0M0 6.2H10.5M-5-4.6H5", LINE, 0.9)}
    </>
  ),
  taken: (
    <>
      {fill(
        "M0-11.5L3-9L7-9.6L8-5.6L11.4-3.2L9.6.6L10.4 4.8L6.4 6.2L4.2 9.8L0 8.4L-4.2 9.8L-6.4 6.2L-10.4 4.8L-9.6.6L-11.4-3.2L-8-5.6L-7-9.6L-3-9Z",
        "#96262a",
      )}
      {line("M-4-5L4 3M4-5L-4 3", IVORY, 2.2)}
    </>
  ),
  turn: (
    <>
      {fill("M-7-11H7V-8.6Q6-3 1.2 0Q6 3 7 8.6V11H-7V8.6Q-6 3-1.2 0Q-6-3-7-8.6Z", IVORY)}
      {fill("M-4 9.6Q-3.4 5 0 4T4 9.6Z", "#d8a54a")}
      {fill("M-3.6-5H3.6Q2.4-2 0-.6Q-2.4-2-3.6-5Z", "#d8a54a")}
      {line("M-8.5-11H8.5M-8.5 11H8.5", WOOD, 2.2)}
    </>
  ),
  war: (
    <>
      {line("M-9.5 9.5L7-7.5M9.5 9.5L-7-7.5", LINE, 4)}
      {line("M-9.5 9.5L7-7.5M9.5 9.5L-7-7.5", STEEL, 2)}
      {line("M-9.8 3.4L-3.4 9.8M9.8 3.4L3.4 9.8", GOLD, 2.4)}
      {fill("M7-7.5L10.5-11L9.6-6Z", STEEL)}
      {fill("M-7-7.5L-10.5-11L-9.6-6Z", STEEL)}
    </>
  ),
  common_painter: (
    <>
      {fill("M-11 1Q-11-9 0-9T11-1Q11 4 5.5 3.2Q2 3 2.6 6Q3 9.5-2 9.5Q-11 8.5-11 1Z", "#c39a66")}
      {[
        [-6, -2, RED],
        [-2, -5.6, GOLD],
        [3.5, -5, NAVY],
        [-5.6, 3.6, GREEN],
      ].map(([x, y, tone]) => (
        <circle
          key={tone}
          cx={x}
          cy={y}
          r="1.9"
          fill={String(tone)}
          stroke={LINE}
          stroke-width="0.5"
        />
      ))}
      {line("M1 11.5L11-9", WOOD, 1.7)}
    </>
  ),
  common_loan: (
    <>
      {fill("M-6-4Q-11 2-9.5 7.5Q-8 11.5 0 11.5T9.5 7.5Q11 2 6-4Z", "#a77b49")}
      {fill("M-6.5-4L-8-10L-3-8.4L0-11L3-8.4L8-10L6.5-4Z", "#bf935c")}
      {fill("M-4.4 3.6a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0-8.8 0Z", GOLD)}
    </>
  ),
  common_recruit: (
    <>
      {line("M-8 11.5V-11.5", WOOD, 1.8)}
      {fill("M-8-11Q0-14 3-9.6T11.5-9.4V3.4Q6 6.6 2 2.6T-8 2Z", IVORY)}
      {line("M-5-8L8.5 1.4M8.5-8L-5 1.4", RED, 2.2)}
    </>
  ),
  common_trade_route: (
    <>
      {line(
        "M-10.5 8Q-7 4.8-3.5 8T3.5 8T10.5 8M-10.5 11.4Q-7 8.2-3.5 11.4T3.5 11.4T10.5 11.4",
        "#3f7fa6",
        1.4,
      )}
      {line("M0 3.5V-11", LINE, 1.2)}
      {fill("M1-10.6Q8.5-6.4 7 .8H1Z", IVORY)}
      {fill("M-1-8.6Q-6-5-5.6.8H-1Z", IVORY)}
      {fill("M-9.5 2.4H9.5Q8.4 7-.4 7T-9.5 2.4Z", WOOD)}
    </>
  ),
  common_mission: (
    <>
      {fill("M-10.5 11V1H3V11Z", IVORY)}
      {fill("M3 11V-5L7-8.6L11-5V11Z", IVORY)}
      {fill("M-11.5 1.4L-4-4.6L4 1.4Z", "#a8503a")}
      {line("M7-12.4V-8.6M5.4-11H8.6", LINE, 1.3)}
      {fill("M-6 11V6.6Q-4 4.6-2 6.6V11Z", WOOD)}
      {fill("M5.6-.5V-3.4H8.4V-.5Z", WOOD)}
    </>
  ),
  common_court: (
    <>
      {fill("M-7 11.5V3H7V11.5H4.6V7H-4.6V11.5Z", WOOD)}
      {fill("M-6 3V-8Q0-14 6-8V3Z", "#8e2f45")}
      {fill("M-3.6-2.6L-4.6-7.4L-2-6L0-8.6L2-6L4.6-7.4L3.6-2.6Z", GOLD)}
      {line("M-9-1V4H9V-1", WOOD, 1.8)}
    </>
  ),
  common_workshops: (
    <>
      {line("M-8 10L3.5-3", WOOD, 2.6)}
      {fill("M-2.4-7L2-11.4L10-3.4L5.6 1Z", STEEL)}
      {line("M8.5 10.5L-1.5 1", WOOD, 2.2)}
      {line("M-10.6-6.4L-8-9.4L-2 .6L-4.4 2.4Z", LINE, 1)}
    </>
  ),
  common_estate: (
    <>
      {fill("M-11.5 9Q-4 3 11.5 8V11.5H-11.5Z", "#8aa35c")}
      {fill("M-6 8V-1H6V7.4Z", IVORY)}
      {fill("M-8 0L0-6.6L8 0Z", RED)}
      {fill("M8-1.4a3 3 0 1 1 3-5a3 3 0 0 1-3 5Z", GREEN)}
      {fill("M-2 8V3H2V8Z", WOOD)}
    </>
  ),
};

/** What stands for a good on its own: a coin with its number, for prices. */
export function Price({ ducats }: { ducats: number }) {
  return (
    <g class="plusultra-price">
      <path d={COIN} transform="scale(1.9)" fill={GOLD} stroke={LINE} stroke-width="0.8" />
      <text font-size="21" dy="0.35em">
        {ducats}
      </text>
    </g>
  );
}
