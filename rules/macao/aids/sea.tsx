/** The sea between Macao and Europe, with its ports and ships. */

import { colour, Icon, ofType, Piece, type PieceOf, Place, spread, Text, useLeast } from "lonja";
import { areaOf, CRAMPED, placesOf, type Table } from "./places.ts";
import { Badge, Ship } from "./symbols.tsx";

const WAVES = [
  [29, 106],
  [319, 94],
  [509, 26],
  [409, 166],
  [199, 246],
  [49, 236],
  [419, 426],
  [229, 404],
  [509, 476],
  [289, 216],
  [129, 436],
  [549, 152],
] as const;

/** The land behind the ports, drawn around each port. */
const SHORE = "M-82-10C-88-44-44-54-8-48 30-58 82-46 82-6 88 36 50 50 8 46-36 56-84 44-82-10z";

export function Sea({ scene }: { scene: Table }) {
  const { board, says, view } = scene;
  const { at, size } = areaOf(scene, "sea");
  const cramped = useLeast() > CRAMPED;
  const [across, down] = size;
  return (
    <>
      <clipPath id="macao-sea">
        <rect width={across} height={down} rx="16" />
      </clipPath>
      <g transform={`translate(${at.join(" ")})`} clip-path="url(#macao-sea)">
        <rect width={across} height={down} fill={colour("sea")} />
        {WAVES.map(([x, y]) => (
          <path
            key={`${x} ${y}`}
            d="M-24 0q6-8 12 0t12 0 12 0 12 0"
            transform={`translate(${x} ${y})`}
            fill="none"
            stroke="var(--macao-wave)"
            stroke-opacity=".55"
            stroke-width="2.5"
          />
        ))}
        {placesOf(scene, "port").map((key, nth) => (
          <path
            key={key}
            d={SHORE}
            transform={`translate(${(board.places[key]?.x ?? 0) - at[0]} ${(board.places[key]?.y ?? 0) - at[1]}) scale(${nth % 2 ? -1 : 1} 1)`}
            fill={colour("land")}
            stroke="var(--macao-shore)"
            stroke-width="5"
          />
        ))}
        <path
          d="M590 236C549 246 509 262 489 288 475 312 477 336 493 362 519 386 559 392 590 398z"
          fill={colour("land")}
          stroke="var(--macao-shore)"
          stroke-width="5"
        />
        <Compass />
      </g>
      <Routes scene={scene} />
      {placesOf(scene, "sea").map((key) => (
        <Place key={key} at={key}>
          <title>{says.place(key)}</title>
          <circle r="20" fill={colour("paper")} fill-opacity=".85" class="macao-edge" />
          <text class="macao-quiet" font-size="18" dy="0.35em">
            {` ${board.places[key]?.mark} `}
          </text>
        </Place>
      ))}
      <Place at="macao">
        <title>{says.place("macao")}</title>
        <rect
          x="-43"
          y="-43"
          width="86"
          height="86"
          rx="10"
          fill={colour("quarter")}
          class="macao-edge"
        />
        <path
          d="M-43-20H43M-43 4H43M-43 28H43"
          stroke={colour("ink")}
          stroke-opacity=".15"
          stroke-width="2"
        />
        <g opacity=".3">
          <Icon name="anchor" radius={30} />
        </g>
      </Place>
      {view.ports.map((port) => {
        const name = says.place(port.port);
        const slim = cramped && name.length > 7 ? "macao-slim" : "";
        return (
          <Place key={port.port} at={port.port}>
            <title>{`${name}: ${says.name("goods", port.good)}`}</title>
            <rect
              x="-61"
              y="-33"
              width="122"
              height="66"
              rx="10"
              fill={colour("paper")}
              class="macao-edge"
            />
            <Text
              broad={!cramped}
              class={cramped ? slim : "macao-title"}
              box={[118, 30]}
              at={[0, -17]}
              max={18}
            >
              {name}
            </Text>
            <g transform="translate(-42 12)">
              <Badge of={port.good} radius={16} />
            </g>
          </Place>
        );
      })}
      {ofType(scene, "slots_filled").map((piece) => (
        <PortSlots key={piece.key} scene={scene} piece={piece} />
      ))}
      {ofType(scene, "ship").map((piece) => (
        <Piece
          key={piece.key}
          of={piece}
          at={anchorage(scene, piece)}
          shape={{ circle: 24 }}
          name={says.owner(piece.owner ?? 0)}
        >
          <title>{says.owner(piece.owner ?? 0)}</title>
          <Ship sign={scene.sign(piece.owner ?? 0)} size={piece.place === "macao" ? 0.95 : 0.9} />
        </Piece>
      ))}
    </>
  );
}

/** The position of a ship: at the quay, off the port, or on its space. */
function anchorage(scene: Table, piece: PieceOf): readonly [number, number] {
  if (piece.place === "macao") return spread(piece, 40, 2);
  const [x, y] = spread(piece, 30, 4);
  if (scene.board.places[piece.place]?.kind !== "port") return [x, y - 4];
  const coast = y - areaOf(scene, "sea").at[1] < 60;
  return [x + 26, y + (coast ? 46 : -50)];
}

function Routes({ scene: { board } }: { scene: Table }) {
  const drawn = Object.entries(board.places).flatMap(([key, from]) =>
    board.kinds[from.kind]?.table === "sea_spaces"
      ? (from.neighbours ?? []).flatMap((other) => {
          const to = board.places[other];
          return to && key < other ? [{ key, other, from, to }] : [];
        })
      : [],
  );
  return (
    <>
      {drawn.map(({ key, other, from, to }) => (
        <path
          key={`${key} ${other}`}
          class="macao-route"
          d={`M${from.x} ${from.y}L${to.x} ${to.y}`}
        />
      ))}
    </>
  );
}

function Compass() {
  return (
    <g transform="translate(63 476)" opacity=".85">
      <circle r="44" fill="none" stroke="var(--macao-wave)" stroke-width="2" />
      <circle r="37" fill="none" stroke="var(--macao-wave)" stroke-width="1" />
      {[0, 90, 180, 270].map((turn) => (
        <g key={turn} transform={`rotate(${turn})`}>
          <path d="M0 0 24-24 6-10z" fill="var(--macao-gold)" transform="rotate(0)" />
          <path d="M0-56 9-9 0 0z" fill="var(--macao-seal)" />
          <path d="M0-56-9-9 0 0z" fill="#fbf3dc" />
        </g>
      ))}
    </g>
  );
}

/** The payment of each slot of a port; a seal marks a slot that is taken. */
function PortSlots({ scene, piece }: { scene: Table; piece: PieceOf }) {
  const port = scene.view.ports.find((found) => found.port === piece.place);
  const filled = piece.count ?? 0;
  return (
    <Piece
      of={piece}
      shape={{ rect: [78, 30] }}
      name={`${filled}/${port?.slot_points.length ?? 0}`}
    >
      {port?.slot_points.map((points, nth) => (
        <g key={`${nth + 1}`} transform={`translate(${(nth - 1) * 26} 0)`}>
          {nth < filled ? (
            <Badge of={port.good} radius={11} />
          ) : (
            <>
              <circle
                r="12"
                fill="none"
                stroke={colour("ink")}
                stroke-width="1.5"
                stroke-dasharray="3 2"
              />
              <text class="macao-number" font-size="18" dy="0.35em">
                {points}
              </text>
            </>
          )}
        </g>
      ))}
    </Piece>
  );
}
