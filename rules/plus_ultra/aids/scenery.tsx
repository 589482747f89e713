/** The decoration under the map: coast, hills, waves, a wind rose. */

import { colour } from "lonja";

const WAVES = [...Array(34).keys()].map((number) => {
  const x = 384 + ((number * 97) % 250);
  const y = 24 + ((number * 173) % 780);
  return `M${x} ${y}q7-8 14 0t14 0`;
});

/** The sea with its waves, a wind rose, and its creatures. */
export const OCEAN = (
  <g class="plusultra-ocean">
    <path class="plusultra-waves" d={WAVES.join("")} />
    <g transform="translate(514 700)">
      <circle r="25" />
      <path d="M0-29L6-6L29 0L6 6L0 29L-6 6L-29 0L-6-6Z" />
      <path class="plusultra-north" d="M0-29L6-6L0 0L-6-6Z" />
    </g>
    <path
      class="plusultra-serpent"
      d="M494 452q-2-26 14-26t14 22q2 14 12 8M496 396q10-18 24-2q8 10 18 2M502 478q8-14 22 0"
    />
  </g>
);

const HILLS = [
  [24, 58],
  [330, 152],
  [170, 160],
  [18, 266],
  [172, 376],
  [344, 368],
  [20, 482],
  [338, 584],
  [172, 592],
  [22, 698],
  [340, 806],
  [174, 806],
] as const;
const TREES = [
  [12, 160],
  [344, 262],
  [168, 268],
  [14, 372],
  [340, 478],
  [172, 484],
  [16, 590],
  [342, 692],
  [174, 700],
  [20, 806],
] as const;

/** The land with its coast. */
export const LANDSCAPE = (
  <>
    <rect x="8" y="8" width="656" height="812" rx="16" fill={colour("sea")} />
    <path
      class="plusultra-land"
      fill={colour("land")}
      d="M24 8H352q22 40 4 84t6 90t-8 86t12 92t-14 88t12 92t-10 90t10 84t-6 106H24a16 16 0 0 1-16-16V24A16 16 0 0 1 24 8Z"
    />
    <path
      class="plusultra-hills"
      d={HILLS.map(([x, y]) => `M${x - 10} ${y}l9-15l9 15m-4-7l6-9l9 16`).join("")}
    />
    <path
      class="plusultra-trees"
      d={TREES.map(([x, y]) => `M${x} ${y}v-12m-8-3q8-10 16 0q-8-4-16 0m3-6q5-8 11-1`).join("")}
    />
  </>
);
