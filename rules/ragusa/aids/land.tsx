/** The land round the city, the sea, and the buildings on corners and along the wall. */

import {
  colour,
  type Fixed,
  Icon,
  Outline,
  ofType,
  Piece,
  type PieceOf,
  Place,
  rowOf,
  Text,
  useLeast,
} from "lonja";
import type { ComponentChild } from "preact";
import { Bold, type RagusaScene, SignAt, Spot, Wooden } from "./parts.tsx";

const HEX = { hex: 84 };

type Trade = readonly [spent: string | null, gained: string | null];
/** The cost and gain of a city hex, as icons. */
const TRADES: Record<string, Trade> = {
  winery: ["grapes", "wine"],
  oil_press: ["olives", "oil"],
  silversmith: ["silver_ore", "silver"],
  mason: [null, "wall"],
  architect: [null, "tower"],
  fishmonger: ["fish", "vp"],
  market: ["commodities", "ship"],
  dock: ["commodities", "vp"],
  rectors_palace: [null, "bonus"],
  cathedral: ["commodities", "vp"],
};

export function Land({ scene }: { scene: RagusaScene }) {
  const places = Object.entries(scene.board.places);
  const of = (kind: string) => places.filter(([, place]) => place.kind === kind);
  return (
    <g class="ragusa-map">
      <Cartouche />
      <g class="ragusa-rim">
        {of("hex").map(([key, { x, y }]) => (
          <g key={key} transform={`translate(${x} ${y})`}>
            <Outline shape={{ hex: 92 }} />
          </g>
        ))}
      </g>
      {of("hex").map(([key, { icon = "", colour: name = "city" }]) => (
        <Place
          key={key}
          at={key}
          class={TRADES[key] ? `ragusa-of-${key}` : ""}
          looks={key in TRADES}
        >
          <Hex
            scene={scene.fixed}
            id={key}
            icon={icon}
            tone={name}
            current={scene.view.current_hex === key}
            pending={(scene.view.pending_hexes as readonly string[]).includes(key)}
          />
        </Place>
      ))}
      <Foundation scene={scene} />
      {of("wall").map(([key]) => (
        <Place key={key} at={key}>
          <title>{scene.says.place(key)}</title>
          <circle r="23" fill="transparent" />
        </Place>
      ))}
      {ofType(scene, "wall").map((piece) => (
        <Wall key={piece.key} scene={scene} piece={piece} />
      ))}
      {of("space").map(([key]) => (
        <Place key={key} at={key}>
          <Corner scene={scene} id={key} />
        </Place>
      ))}
      <Buildings scene={scene} />
      <Queue scene={scene} />
      <Scores scene={scene} />
    </g>
  );
}

// The ground

function Hex({
  scene: { says, narrow },
  id,
  icon,
  tone,
  current,
  pending,
}: {
  scene: Fixed;
  id: string;
  icon: string;
  tone: string;
  current: boolean;
  pending: boolean;
}) {
  const trade = TRADES[id];
  const isNamed = !narrow && useLeast() <= TOO_LARGE;
  const about = trade ? `: ${says.text("city_hexes", id)}` : "";
  return (
    <>
      <title>{`${says.place(id)}${about}`}</title>
      <Outline shape={HEX} class="ragusa-hex" fill={colour(tone)} />
      {trade ? (
        <>
          <path class="ragusa-line" opacity="0.4" d={PAVING} />
          {isNamed ? <NamedSign icon={icon} trade={trade} /> : <Sign icon={icon} trade={trade} />}
          {isNamed && <Called>{says.name("hexes", id)}</Called>}
        </>
      ) : (
        <>
          <g class="ragusa-art">{ART[icon]}</g>
          <circle class="ragusa-medal" r="21" />
          <Icon name={icon} radius={16} />
        </>
      )}
      {current && <Outline shape={{ hex: 78 }} class="ragusa-now" />}
      {pending && <Outline shape={{ hex: 78 }} class="ragusa-pending" />}
    </>
  );
}

/** Where the least letters are larger than this, in units, names of hexes are slim, or left out. */
const CRAMPED = 16;
const TOO_LARGE = 30;

interface Of {
  icon: string;
  trade: Trade;
}

/** What is done on a hex of the city, on which no name stands. */
function Sign({ icon, trade: [spent, gained] }: Of) {
  return (
    <g transform="scale(1.2)">
      <circle class="ragusa-medal" r="31" />
      <Spot name={icon} at={[0, 0]} radius={23} />
      {spent && <Spot name={spent} at={[-46, 0]} radius={12} />}
      {gained && <Spot name={gained} at={[46, 0]} radius={12} />}
    </g>
  );
}

/** The same around the name of the hex, which may have two lines where letters are large. */
function NamedSign({ icon, trade: [spent, gained] }: Of) {
  const [over, radius, under] = useLeast() > CRAMPED ? [-50, 23, 42] : [-43, 27, 35];
  return (
    <>
      <circle class="ragusa-medal" r={radius} cy={over} />
      <Spot name={icon} at={[0, over]} radius={radius - 7} />
      {spent && <Spot name={spent} at={[-19, under]} radius={14} />}
      {gained && <Spot name={gained} at={[19, under]} radius={14} />}
    </>
  );
}

/** The name of a hex, in its middle: houses at the corners leave nothing else free. */
function Called({ children }: { children: string }) {
  const isSlim = useLeast() > CRAMPED;
  return (
    <Text
      class={isSlim ? "ragusa-slim" : "ragusa-bold"}
      box={[138, isSlim ? 52 : 36]}
      at={[0, 0]}
      max={16}
    >
      {children}
    </Text>
  );
}

const PAVING =
  "M-60-20h22M-52 4h24M34 8h26M-22-56h18M8-62h16M-14 62h22M-40 40h14M30 44h18M40-34h18M-44-42h14M-66 22h14";

const around = (places: readonly (readonly [number, number, number])[], name: string) =>
  places.map(([x, y, radius]) => (
    <Spot key={`${x} ${y}`} name={name} at={[x, y]} radius={radius} />
  ));

/** The decoration of a hex, round its centre. */
const ART: Record<string, ComponentChild> = {
  wood: around(
    [
      [-14, -50, 11],
      [14, -46, 14],
      [-42, -22, 14],
      [42, -16, 13],
      [-44, 14, 11],
      [46, 18, 14],
      [-24, 44, 15],
      [18, 46, 12],
    ],
    "wood",
  ),
  stone: around(
    [
      [-8, -48, 13],
      [40, -22, 12],
      [-44, -8, 14],
      [38, 26, 15],
      [-26, 40, 12],
      [8, 50, 11],
    ],
    "stone",
  ),
  silver_ore: around(
    [
      [-4, -48, 17],
      [40, -22, 13],
      [-42, -12, 16],
      [40, 26, 15],
      [-22, 44, 14],
    ],
    "silver_ore",
  ),
  grapes: (
    <>
      <path
        class="ragusa-line"
        d="M-56-34Q0-50 56-34M-62-6Q0-22 62-6M-62 24Q0 8 62 24M-40 52Q0 40 40 52"
      />
      {around(
        [
          [-36, -36, 9],
          [0, -40, 9],
          [36, -36, 9],
          [-46, -6, 9],
          [46, -6, 9],
          [-44, 24, 9],
          [44, 24, 9],
          [-18, 48, 9],
          [18, 48, 9],
        ],
        "grapes",
      )}
    </>
  ),
  olives: (
    <g class="ragusa-edge" fill="#7fa04e">
      {[
        [-2, -46, 14],
        [36, -28, 12],
        [-40, -22, 13],
        [44, 10, 13],
        [-44, 18, 11],
        [18, 46, 13],
        [-18, 46, 11],
      ].map(([x = 0, y = 0, r = 0]) => (
        <g key={`${x} ${y}`}>
          <path d={`M${x} ${y + r - 3}v8`} stroke-width="4" />
          <circle cx={x} cy={y} r={r} />
        </g>
      ))}
    </g>
  ),
  fish: (
    <>
      <path
        class="ragusa-line"
        d="M-44-38q8-9 16 0t16 0M8-50q8-9 16 0t16 0M-62-6q8-9 16 0M34-8q8-9 16 0t14-2M-52 28q8-9 16 0M26 30q8-9 16 0t16 0M-16 52q8-9 16 0t16 0"
      />
    </>
  ),
};

/** The name of the city, and the north arrow. */
function Cartouche() {
  return (
    <>
      <text class="ragusa-title" x="88" y="52" font-size="42">
        Ragusa
      </text>
      <g transform="translate(86 140)" class="ragusa-edge">
        <circle r="46" fill="none" stroke-opacity="0.4" />
        <path d="M0-58 9-9 58 0 9 9 0 58-9 9-58 0-9-9z" fill={colour("paper")} />
        <path d="M0-58V0H58L9 9 0 0v58L-9 9-58 0H0L-9-9z" fill={colour("wine")} stroke="none" />
        <path d="M0-58 9-9 58 0 9 9 0 58-9 9-58 0-9-9z" fill="none" />
      </g>
      <g transform="translate(905 905)">
        <Icon name="ship" radius={48} />
      </g>
      <path
        class="ragusa-line"
        d="M790 930q12-13 24 0t24 0M835 965q12-13 24 0t24 0 24 0 24 0M955 950q12-13 24 0t24 0M700 970q12-13 24 0t24 0M968 795q12-13 24 0t24 0M950 168q12-13 24 0t24 0M978 120q12-13 24 0"
      />
    </>
  );
}

// Buildings

/** The line along which walls can be built. */
function Foundation({ scene: { board } }: { scene: RagusaScene }) {
  const corners = Object.entries(board.places).filter(([key]) => /^b\d/.test(key));
  return (
    <polygon
      class="ragusa-foundation"
      points={corners.map(([, { x, y }]) => `${x},${y}`).join(" ")}
    />
  );
}

function Wall({ scene, piece }: { scene: RagusaScene; piece: PieceOf }) {
  const row = rowOf(scene.tables, "walls", piece.id ?? "");
  const one = scene.board.places[String(row?.from_space)];
  const other = scene.board.places[String(row?.to_space)];
  if (!one || !other) return null;
  const turn = (Math.atan2(other.y - one.y, other.x - one.x) * 180) / Math.PI;
  const merlons = [-32, -20, -8, 4, 16, 28].map((x) => `M${x}-11h6v5h-6z`).join("");
  return (
    <Piece of={piece} shape={{ circle: 20 }}>
      <title>{scene.says.place(piece.place)}</title>
      <g transform={`rotate(${turn})`} class="ragusa-edge" fill={colour("stone")}>
        <path d="M-36-7h72V8h-72z" />
        <path d={merlons} />
        <path d="M-36 1h72M-24-7v8M0-7v8M24-7v8M-12 1v7M12 1v7" stroke-opacity="0.5" />
      </g>
    </Piece>
  );
}

function Corner({ scene, id }: { scene: RagusaScene; id: string }) {
  const { says, view } = scene;
  const house = (view.houses as Record<string, unknown>)[id];
  const tower = (view.towers as Record<string, unknown>)[id];
  const taken = house !== undefined || tower !== undefined;
  const patrician = view.patricians.find(({ spaces }) => (spaces as string[]).includes(id));
  return (
    <>
      <title>{says.place(id)}</title>
      <circle r="23" fill="transparent" />
      {!taken &&
        (id.startsWith("b") ? (
          <path class="ragusa-empty" d="M-9-9H9V9H-9z" />
        ) : (
          <circle class="ragusa-empty" r="9" />
        ))}
      {patrician && house === undefined && (
        <>
          <circle class="ragusa-last" r="17" />
          {patrician.owner === null ? (
            <Icon name="patrician" radius={10} />
          ) : (
            <SignAt scene={scene} owner={patrician.owner} at={[0, 0]} size={0.7} />
          )}
        </>
      )}
      {view.last_space === id && <circle class="ragusa-last" r="27" />}
    </>
  );
}

/** Houses and towers; a tower stands behind the house on the same corner. */
function Buildings({ scene }: { scene: RagusaScene }) {
  const houses = scene.view.houses as Record<string, unknown>;
  const towers = scene.view.towers as Record<string, unknown>;
  const built = scene.pieces.filter(({ type }) => type === "house" || type === "tower");
  const rank = ({ type, place }: PieceOf) =>
    (scene.board.places[place]?.y ?? 0) + (type === "house" ? 1 : 0);
  return (
    <>
      {built
        .toSorted((one, other) => rank(one) - rank(other))
        .map((piece) => {
          const { x = 0, y = 0 } = scene.board.places[piece.place] ?? {};
          const form = piece.type === "house" ? "house" : "tower";
          const both = piece.place in houses && piece.place in towers;
          const larger = scene.narrow ? 1.25 : 1;
          const [dx, dy] = both ? (form === "house" ? [-10, 6] : [13, -10]) : [0, 0];
          const owner = piece.owner ?? "neutral";
          return (
            <Piece
              key={piece.key}
              of={piece}
              at={[x + dx * larger, y + dy * larger]}
              shape={{ circle: both ? 18 : 22 }}
              name={scene.says.owner(owner)}
            >
              <title>{`${scene.says.owner(owner)}: ${scene.says.place(piece.place)}`}</title>
              <Wooden form={form} sign={scene.sign(owner)} size={(both ? 1.5 : 1.75) * larger} />
            </Piece>
          );
        })}
    </>
  );
}

/** The order in which the houses of the hex act. */
function Queue({ scene: { board, view, narrow } }: { scene: RagusaScene }) {
  const radius = narrow ? 19 : 13;
  return (
    <>
      {view.activation_queue.map(({ space }, index) => {
        const { x = 0, y = 0 } = board.places[space] ?? {};
        return (
          <g key={space} transform={`translate(${x - 20} ${y - 20})`} pointer-events="none">
            <circle class="ragusa-medal" r={radius} />
            <Bold at={[0, 0]} size={narrow ? 31 : 18}>
              {String(index + 1)}
            </Bold>
          </g>
        );
      })}
    </>
  );
}

/** All players' scores. */
function Scores({ scene }: { scene: RagusaScene }) {
  const { sides } = scene.view;
  const step = scene.narrow ? 54 : 46;
  const top = 984 - step * sides.length;
  return (
    <>
      {sides.map(({ side, vp }, index) => {
        // Three digits need more room.
        const [sign, star, radius] = vp.total > 99 ? [18, 112, 11] : [24, 104, 13];
        return (
          <g key={side} transform={`translate(12 ${top + step * index})`}>
            <title>{`${scene.says.owner(side)}: ${vp.total}`}</title>
            <rect width="126" height="42" rx="10" class="ragusa-face" fill={colour("paper")} />
            {side === scene.view.active && <path d="M130 9 148 21 130 33z" fill={colour("ink")} />}
            <SignAt scene={scene} owner={side} at={[sign, 21]} size={1.25} />
            <Bold at={[66, 21]} size={vp.total > 99 ? 28 : scene.narrow ? 34 : 30}>
              {String(vp.total)}
            </Bold>
            <Spot name="vp" at={[star, 21]} radius={radius} />
          </g>
        );
      })}
    </>
  );
}
