/** The harbour: the ship with its demand and pay, the ships to come, and the supply on the quay. */

import {
  colour,
  extentOf,
  type Fixed,
  Icon,
  Outline,
  ofType,
  Piece,
  type PieceOf,
  Place,
  type Point,
  rowsOf,
  type Shape,
  Text,
  useLeast,
} from "lonja";
import { HARBOUR, QUAY } from "./narrow.ts";
import { GOODS, icon, keysOf, type Town } from "./parts.tsx";

/** The ship with its dice, the value of its goods, and the ships to come. */
export function Harbour({ scene }: { scene: Town }) {
  const { view, says } = scene;
  return (
    <>
      <g
        class="santiago-ship"
        transform={
          scene.narrow
            ? `translate(340 ${HARBOUR - 51}) scale(1.24 1) translate(-1335 0)`
            : undefined
        }
      >
        <path d="M1180 130v110M1500 130v110" stroke="#6b4526" stroke-width="9" />
        <g class="santiago-sails">
          <path d="M1174 132C1150 160 1120 190 1112 232H1174z" />
          <path d="M1188 132C1240 160 1300 176 1316 232H1188z" />
          <path d="M1492 132C1440 160 1372 176 1352 232H1492z" />
          <path d="M1508 132C1530 160 1552 196 1560 232H1508z" />
        </g>
        <path d="M1104 146Q1335 176 1566 146" fill="none" stroke="#6b4526" stroke-width="3" />
        <path d="M1078 238H1598L1548 388H1128z" fill="#9a5b2c" />
        <path d="M1078 238H1598L1592 258H1085z" fill="#f4e3b8" />
        <path d="M1107 324H1569M1118 354H1558" stroke="#6b3d1c" stroke-width="3" fill="none" />
        <path
          d="M1090 396q18-14 36 0t36 0 36 0 36 0 36 0 36 0 36 0 36 0 36 0 36 0 36 0 36 0 36 0"
          fill="none"
          stroke="#fff"
          stroke-width="6"
          opacity=".8"
        />
      </g>
      <Text
        box={[330, 30]}
        at={scene.narrow ? [340, HARBOUR + 313] : [1335, 364]}
        max={24}
        class="santiago-on-hull"
      >
        {says.label("board.ship", {
          number: Math.min(view.ship_number, view.ships),
          ships: view.ships,
        })}
      </Text>
      {keysOf(scene, "flag").map((key, index) => {
        const value = rowsOf(scene.tables, "value_track")[index]?.vp_per_good;
        const raised = view.value_index === index;
        return (
          <Place key={key} at={key}>
            <path
              class="santiago-edge"
              d="M-46-38H46V20L0 40-46 20z"
              fill={raised ? "#f2c230" : colour("paper")}
            />
            {typeof value === "number" ? (
              <text
                class={raised ? "santiago-number santiago-on-gold" : "santiago-number"}
                font-size="50"
                dy=".3em"
              >
                {value}
              </text>
            ) : (
              <path
                d="M-36-30h18v16h-18zM0-30h18v16H0zM-18-14H0V2h-18zM18-14h18V2H18zM-36 2h18v12h-18zM0 2h18v16H0z"
                fill={raised ? "#2b2118" : colour("ink")}
              />
            )}
            <title>{says.place(key)}</title>
          </Place>
        );
      })}
      {GOODS.slice(0, 5).map((good) => (
        <Place key={good} at={`die_${good}`}>
          <rect
            class="santiago-slot"
            x="-44"
            y="-44"
            width="88"
            height="88"
            rx="12"
            fill={colour("paper")}
          />
          <g class="santiago-faint">
            <Icon name={icon(scene, good)} radius={28} />
          </g>
          {view.left_out === good && <path class="santiago-cross" d="M-30-30 30 30M30-30-30 30" />}
        </Place>
      ))}
      {[...ofType(scene, "demand"), ...ofType(scene, "rolled")].map((piece) => (
        <Die key={piece.key} scene={scene.fixed} piece={piece} />
      ))}
      {keysOf(scene, "berth").map((key) => {
        const number = Number(key.slice("ship_".length));
        return (
          <Place key={key} at={key}>
            <circle
              class="santiago-edge"
              r="30"
              fill={colour(number < view.ship_number ? "sea" : "paper")}
            />
            {number < view.ship_number ? (
              <path class="santiago-gone" d="M-13 1-4 11 14-10" />
            ) : (
              <text class="santiago-number" font-size="28" dy=".35em">
                {number}
              </text>
            )}
          </Place>
        );
      })}
      {ofType(scene, "ship").map((piece) => (
        <Piece key={piece.key} of={piece} shape={{ circle: 34 }} name={says.place(piece.place)}>
          <circle class="santiago-edge" r="34" fill="#f2c230" />
          <Icon name="ship" radius={28} />
        </Piece>
      ))}
      {ofType(scene, "value_marker").map((piece) => (
        <Piece key={piece.key} of={piece} shape={{ circle: 22 }} name={says.label("board.value")}>
          <title>{says.label("board.value")}</title>
          <path class="santiago-edge" d="M0-18 20 12H-20z" fill="#f2c230" />
        </Piece>
      ))}
    </>
  );
}

function Die({ scene, piece }: { scene: Fixed; piece: PieceOf }) {
  const good = piece.place.slice("die_".length);
  const none = piece.count === 0;
  return (
    <Piece of={piece} shape={{ rect: [86, 86] }} name={scene.says.place(piece.place)}>
      <g class={none ? "santiago-none" : ""}>
        <rect
          class="santiago-die"
          x="-40"
          y="-40"
          width="80"
          height="80"
          rx="14"
          fill={colour(good)}
        />
        <circle r="29" cx="-5" cy="-5" fill={colour("paper")} />
        <text class="santiago-number" font-size="50" x="-5" y="-5" dy=".35em">
          {piece.count}
        </text>
        <circle class="santiago-edge" r="19" cx="24" cy="24" fill={colour("paper")} />
        <g transform="translate(24 24)">
          <Icon name={icon(scene, good)} radius={15} />
        </g>
      </g>
    </Piece>
  );
}

/** The upper part of a place on the quay, without the name of its good. */
function above(side: number, [top, bottom]: readonly [number, number]): Shape {
  return {
    polygon: [
      [-side, top],
      [side, top],
      [side, bottom],
      [-side, bottom],
    ],
  };
}

/** Larger letters have no room for the names of goods, for which their icons stand. */
const LARGEST = 25;

function GoodName({
  children,
  short,
  box,
  y,
}: {
  children: string;
  short: string;
  box: Point;
  y: number;
}) {
  return useLeast() > LARGEST ? null : (
    <Text box={box} at={[0, y]} max={20} short={short} class="santiago-slim">
      {children}
    </Text>
  );
}

/** The supply on the quay, and the number of turns. */
export function Quay({ scene }: { scene: Town }) {
  const { says, view, board, narrow } = scene;
  const [width, height] = extentOf(board.kinds.supply?.shape ?? {});
  const [deck] = extentOf(board.kinds.area?.shape ?? {});
  return (
    <>
      {GOODS.map((good) => (
        <Place key={good} at={`supply_${good}`}>
          <rect
            class="santiago-edge"
            x={-width / 2}
            y={-height / 2}
            width={width}
            height={height}
            rx="10"
            fill={colour("paper")}
          />
          <path
            d={`M${-width / 2} ${25 - height / 2}v-15a10 10 0 0 1 10-10h${width - 20}a10 10 0 0 1 10 10v15z`}
            class="santiago-edge"
            fill={colour(good)}
          />
          <GoodName
            short={says.label(`short.${good}`)}
            box={[width - 6, narrow ? 24 : 46]}
            y={height / 2 - 26}
          >
            {says.name("goods", good)}
          </GoodName>
        </Place>
      ))}
      {ofType(scene, "good").map((piece) => (
        <Piece
          key={piece.key}
          of={piece}
          shape={above(width / 2 - 3, narrow ? [-75, 50] : [-95, 74])}
        >
          <g class={piece.count === 0 ? "santiago-none" : ""}>
            <g transform={`translate(0 ${narrow ? -36 : -58})`}>
              <Icon name={icon(scene, piece.id ?? "")} radius={narrow ? 28 : 32} />
            </g>
            <text class="santiago-number" font-size="52" y={narrow ? 20 : 6} dy=".35em">
              {piece.count}
            </text>
          </g>
          {Array.from({ length: narrow ? 0 : 8 }, (_, nth) => (
            <rect
              key={`${nth}`}
              class={nth < (piece.count ?? 0) ? "santiago-crate" : "santiago-crate santiago-gap"}
              x={-32 + 16.5 * (nth % 4)}
              y={40 + 17 * Math.floor(nth / 4)}
              width="14"
              height="14"
              rx="3"
              fill={colour(piece.id ?? "ink")}
            />
          ))}
        </Piece>
      ))}
      <Text
        box={[300, 28]}
        at={narrow ? [340, QUAY + 20] : [1335, 574]}
        max={20}
        class="santiago-quiet"
      >
        {says.label("board.supply")}
      </Text>
      <Place at="turns">
        <Outline
          class="santiago-edge"
          shape={board.kinds.area?.shape ?? {}}
          round={14}
          fill={colour("paper")}
        />
        <Text box={[deck - 190, 40]} at={[-70, 0]} max={22}>
          {says.place("turns")}
        </Text>
        <text class="santiago-number" font-size={narrow ? 44 : 54} x="150" dy=".35em">
          {view.turns_done}
        </text>
      </Place>
    </>
  );
}
