/** The ground: the street around the town, the sea and the quay. */

import { colour } from "lonja";
import { HARBOUR, QUAY, TOWN } from "./narrow.ts";

/** The ground: the town in its street, palms, the sea and the quay. */
export function Land() {
  const ring = (inset: number, round: number) => (
    <rect
      x={38 + inset}
      y={38 + inset}
      width={1004 - 2 * inset}
      height={924 - 2 * inset}
      rx={round}
    />
  );
  return (
    <g class="santiago-land">
      <rect width="1600" height="1000" rx="18" fill={colour("ground")} />
      <path
        d="M1092 0H1582a18 18 0 0 1 18 18V548H1092C1072 440 1060 380 1080 300S1074 120 1092 0z"
        fill={colour("sea")}
      />
      <path class="santiago-surf" d="M1092 0C1074 120 1100 220 1080 300S1072 440 1092 548" />
      <g class="santiago-waves">
        {[40, 160, 220, 420, 520].map((y, line) =>
          [1110, 1230, 1370, 1480].map((x) => (
            <path key={`${x} ${y}`} d={`M${x + (line % 2) * 50} ${y}q9-9 18 0t18 0 18 0`} />
          )),
        )}
      </g>
      <g fill={colour("street")} class="santiago-kerb">
        {ring(0, 242)}
      </g>
      <g class="santiago-lane">{ring(42, 200)}</g>
      <g fill={colour("ground")} class="santiago-kerb">
        {ring(84, 158)}
      </g>
      {[
        ["yellow", -1, -1],
        ["blue", 1, -1],
        ["red", 1, 1],
        ["white", -1, 1],
      ].map(([flower, sx, sy]) => (
        <path
          key={flower}
          d="M4 4H404V210A145 145 0 0 1 260 364H4z"
          transform={`translate(540 500) scale(${sx} ${sy})`}
          fill={colour(`quarter_${flower}`)}
        />
      ))}
      <Arrows
        at={[
          [560, 80, 0],
          [250, 920, 180],
          [545, 920, 180],
          [80, 350, 270],
          [80, 640, 270],
          [1000, 660, 90],
          [250, 80, 0],
        ]}
      />
      {[
        [34, 44, 1],
        [1030, 60, 0.8],
        [36, 950, 1],
        [1040, 950, 0.9],
      ].map(([x, y, size]) => (
        <g key={`${x} ${y}`} transform={`translate(${x} ${y}) scale(${size})`}>
          <Palm />
        </g>
      ))}
      <path
        d="M1080 548H1600V982a18 18 0 0 1-18 18H1096C1060 900 1066 640 1080 548z"
        fill={colour("street")}
      />
      <path class="santiago-planks" d="M1079 548H1600M1076 566H1600" />
    </g>
  );
}

const QUARTERS = ["yellow", "blue", "red", "white"];

/** The ground for a narrow screen, where each quarter is a row of the town. */
export function NarrowLand() {
  const ring = (inset: number, round: number) => (
    <rect
      x={16 + inset}
      y={TOWN + 20 + inset}
      width={648 - 2 * inset}
      height={832 - 2 * inset}
      rx={round}
    />
  );
  return (
    <g class="santiago-land">
      <rect width="680" height="1736" rx="18" fill={colour("ground")} />
      <g fill={colour("street")} class="santiago-kerb">
        {ring(0, 170)}
      </g>
      <g class="santiago-lane">{ring(46, 124)}</g>
      <g fill={colour("ground")} class="santiago-kerb">
        {ring(92, 78)}
      </g>
      {QUARTERS.map((flower, row) => (
        <rect
          key={flower}
          x="120"
          y={TOWN + 137 + 150 * row}
          width="440"
          height="148"
          rx="14"
          fill={colour(`quarter_${flower}`)}
        />
      ))}
      <Arrows
        at={[
          [340, TOWN + 66, 0],
          [340, TOWN + 806, 180],
          [130, TOWN + 740, 225],
          [130, TOWN + 132, 315],
          [550, TOWN + 132, 45],
          [550, TOWN + 740, 135],
        ]}
      />
      {[
        [40, 40],
        [646, 44],
        [40, 846],
        [646, 842],
      ].map(([x = 0, y = 0]) => (
        <g key={`${x} ${y}`} transform={`translate(${x} ${TOWN + y})`}>
          <Palm />
        </g>
      ))}
      <path d={`M0 ${HARBOUR}H680V${QUAY}H0z`} fill={colour("sea")} />
      <path class="santiago-surf" d={`M0 ${HARBOUR}q85 14 170 0t170 0 170 0 170 0`} />
      <g class="santiago-waves">
        {[150, 330, 400].map((y, line) =>
          [20, 180, 350, 520].map((x) => (
            <path
              key={`${x} ${y}`}
              d={`M${x + (line % 2) * 60} ${HARBOUR + y}q9-9 18 0t18 0 18 0`}
            />
          )),
        )}
      </g>
      <path
        d={`M0 ${QUAY}H680V1718a18 18 0 0 1-18 18H18a18 18 0 0 1-18-18z`}
        fill={colour("street")}
      />
      <path class="santiago-planks" d={`M0 ${QUAY}H680`} />
    </g>
  );
}

/** The direction of the car. */
function Arrows({ at }: { at: readonly (readonly number[])[] }) {
  return (
    <>
      {at.map(([x, y, turn]) => (
        <path
          key={`${x} ${y}`}
          class="santiago-arrow"
          d="M-12-13 4 0-12 13M2-13 18 0 2 13"
          transform={`translate(${x} ${y}) rotate(${turn})`}
        />
      ))}
    </>
  );
}

function Palm() {
  return (
    <g class="santiago-palm">
      <path d="M-4 30C-2 10 0 0 2-10" stroke="#8a6137" stroke-width="7" fill="none" />
      {[-160, -115, -65, -20, 25, 200].map((turn) => (
        <path
          key={turn}
          d="M0 0C12-12 26-10 34 4 22-2 12-2 0 0z"
          fill="#4f8f4a"
          transform={`translate(2 -10) rotate(${turn})`}
        />
      ))}
    </g>
  );
}
