/** The town: citizens along the street, buildings, the car, and the plaza with the turn. */

import {
  colour,
  extentOf,
  type Fixed,
  Icon,
  Outline,
  Piece,
  type PieceOf,
  rowOf,
  SeatSign,
  Text,
} from "lonja";
import flowers from "./art/flowers/*.svg";
import portraits from "./art/portraits/*.svg";
import { DOES, keysOf, Pawn, Ribbon, Strip, type Town, useIsSlim } from "./parts.tsx";

/**
 * The ground below the citizens, and the harbour. The places are drawn on top of both, so that the
 * halos of places are visible.
 */
export function Stones({ scene }: { scene: Town }) {
  const { places } = scene.board;
  return (
    <>
      {keysOf(scene, "stop").map((key, stop) => (
        <g key={key} transform={`translate(${places[key]?.x} ${places[key]?.y})`}>
          <rect
            class={scene.view.car === stop ? "santiago-stop santiago-here" : "santiago-stop"}
            x="-56"
            y="-56"
            width="112"
            height="112"
            rx={stop === 0 ? 26 : 56}
            fill={colour(stop === 0 ? "sea" : "paper")}
          />
          {stop === 0 && (
            <>
              <g transform="translate(0 -12)">
                <Icon name="anchor" radius={32} />
              </g>
              <Ribbon y={38} width={scene.narrow ? 108 : 126}>
                {scene.says.label("board.harbour")}
              </Ribbon>
            </>
          )}
        </g>
      ))}
    </>
  );
}

/** The stops that are free, and the pesos for each further one (R2). */
const FREE_STOPS = 1;
const PESOS_A_STOP = 1;

/** What it costs to drive to each stop, while somebody chooses. */
export function Fares({ scene }: { scene: Town }) {
  const { car, phase } = scene.view;
  const stops = keysOf(scene, "stop");
  if (phase !== "drive_car") return null;
  return (
    <g class="santiago-fares">
      {stops.map((key, stop) => {
        const { x = 0, y = 0 } = scene.board.places[key] ?? {};
        const steps = (stop - car + stops.length) % stops.length || stops.length;
        const fare = Math.max(0, steps - FREE_STOPS) * PESOS_A_STOP;
        return (
          <g key={key} transform={`translate(${x + 46} ${y + 6})`}>
            <circle class="santiago-edge" r="22" fill="#f2c230" />
            <text class="santiago-number santiago-on-gold" font-size="30" dy=".35em">
              {fare}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** A flower: recognisable by the number of its petals as well as by its colour. */
function Flower({ of: flower, radius }: { of: string; radius: number }) {
  return <g transform={`scale(${radius / 12})`}>{flowers[flower]}</g>;
}

export function Citizen({ scene, piece }: { scene: Fixed; piece: PieceOf }) {
  const id = piece.id ?? "";
  const asleep = piece.type === "citizen_face_down";
  const flower = rowOf(scene.tables, "citizens", id)?.flower as string | null | undefined;
  return (
    <Piece
      of={piece}
      shape={{ circle: 58 }}
      class={`santiago-has-${id} santiago-at-${piece.place}`}
      looks
    >
      <circle r="51" fill={asleep ? "#58747a" : colour(flower ? `quarter_${flower}` : "ground")} />
      <g class={asleep ? "santiago-asleep" : ""}>{portraits[id]}</g>
      <circle
        class="santiago-rim"
        r="49"
        stroke={asleep ? "#58747a" : colour(flower ? `flower_${flower}` : "street")}
      />
      <circle class="santiago-edge" r="52" fill="none" />
      {asleep && (
        <g>
          <path class="santiago-shutters" d="M-38-26H38M-46-10H46M-48 6H48M-44 22H44" />
          <title>{scene.says.label("piece.citizen_face_down")}</title>
        </g>
      )}
      {flower && (
        <g transform="translate(-42 -38)">
          <circle class="santiago-edge" r="19" fill={colour("paper")} />
          <Flower of={flower} radius={16} />
        </g>
      )}
      {!asleep && (
        <g transform="translate(38 -36)">
          <rect
            class="santiago-edge"
            x="-27"
            y="-17"
            width="54"
            height="34"
            rx="17"
            fill={colour("paper")}
          />
          <Strip of={DOES[id] ?? []} size={26} />
        </g>
      )}
      <Ribbon y={42} width={scene.narrow ? 112 : 136}>
        {scene.says.name("citizens", id)}
      </Ribbon>
    </Piece>
  );
}

export function Building({
  scene,
  piece,
  flower,
}: {
  scene: Fixed;
  piece: PieceOf;
  flower: string;
}) {
  const id = piece.id ?? "";
  const shape = scene.board.kinds.site?.shape ?? {};
  const [width, height] = extentOf(shape).map((side) => side - 10) as [number, number];
  const isSlim = useIsSlim();
  const room = scene.narrow ? [width - 4, 52] : [width - 10, 62];
  return (
    <Piece of={piece} shape={shape} class={`santiago-has-${id}`} looks>
      <Outline
        class="santiago-card"
        shape={{ rect: [width, height] }}
        round={9}
        fill={colour("paper")}
      />
      <path
        class="santiago-sky"
        d={`M${-width / 2}-9V${9 - height / 2}a9 9 0 0 1 9-9h${width - 18}a9 9 0 0 1 9 9V-9z`}
        fill={colour(`flower_${flower}`)}
      />
      <path d={`M${-width / 2}-9h${width}`} class="santiago-pavement" />
      <g class="santiago-facade">
        <Icon name={id} radius={37} />
      </g>
      <g transform={`translate(${width / 2 - 18} -25)`}>
        <Flower of={flower} radius={13} />
      </g>
      <Text
        broad={!isSlim}
        box={isSlim ? [width + 2, 76] : (room as [number, number])}
        at={[0, isSlim ? 2 : scene.narrow ? 14 : 11]}
        max={20}
        class={`santiago-on-art ${isSlim ? "santiago-slim" : "santiago-name"}`}
      >
        {scene.says.name("buildings", id)}
      </Text>
      <g transform={`translate(0 ${height / 2 - (scene.narrow ? 18 : 19)})`}>
        <Strip of={DOES[id] ?? []} size={29} />
      </g>
    </Piece>
  );
}

/** What stands on a building: where names are slim, higher, as they reach over the picture then. */
function useStanding({ narrow }: Fixed, { x, y }: PieceOf, aside: number): [number, number] {
  const up = useIsSlim() ? 14 : 0;
  return narrow ? [x + aside, y + 2 - up] : [x, y - up];
}

export function OwnerMarker({ scene, piece }: { scene: Fixed; piece: PieceOf }) {
  const owner = piece.owner ?? 0;
  return (
    <Piece
      of={piece}
      at={useStanding(scene, piece, -14)}
      shape={{ circle: 24 }}
      name={scene.says.owner(owner)}
    >
      <title>{scene.says.label("board.owner", { seat: piece.owner })}</title>
      <path class="santiago-pole" d="M-18-24V26" />
      <path class="santiago-edge" d="M-18-23H20l-7 16 7 16h-38z" fill={colour("paper")} />
      <g transform="translate(-3 -7)">
        <SeatSign sign={scene.sign(owner)} size={1.05} />
      </g>
    </Piece>
  );
}

export function PawnAt({ scene, piece }: { scene: Fixed; piece: PieceOf }) {
  const owner = piece.owner ?? 0;
  return (
    <Piece
      of={piece}
      at={useStanding(scene, piece, 14)}
      shape={{ circle: 28 }}
      name={scene.says.owner(owner)}
    >
      <title>{scene.says.label("board.pawn", { seat: piece.owner })}</title>
      <Pawn scene={scene} owner={owner} />
    </Piece>
  );
}

/** The direction of the car at each stop, in degrees from eastwards. */
const COURSE = [90, 100, 180, 180, 256, 270, 280, 0, 0, 76];
const NARROW_COURSE = [90, 90, 168, 180, 258, 270, 270, 348, 0, 78];

/** The length and the width of the car. */
const CAR = [92, 50] as const;
/** How far before its stop its middle is: beyond the name below a citizen who is driven to from there. */
const BEFORE = 106;

/** The convertible, from above: it stands just before its stop. */
export function Car({ scene, piece }: { scene: Town; piece: PieceOf }) {
  const course = (scene.narrow ? NARROW_COURSE : COURSE)[scene.view.car] ?? 0;
  const [dx, dy] = [Math.cos((course * Math.PI) / 180), Math.sin((course * Math.PI) / 180)];
  const scale = scene.narrow ? 0.85 : 1;
  // Its outline is no larger than the car as it stands: beside it are names, which it must not hide.
  const across = (one: number, other: number) =>
    scale * (CAR[0] * Math.abs(one) + CAR[1] * Math.abs(other));
  const stop = scene.board.places[piece.place];
  return (
    <Piece
      of={piece}
      at={[(stop?.x ?? 0) - BEFORE * dx, (stop?.y ?? 0) - BEFORE * dy]}
      shape={{ rect: [across(dx, dy), across(dy, dx)] }}
      name={scene.says.label("board.car")}
    >
      <title>{scene.says.label("board.car")}</title>
      <g transform={`rotate(${course}) scale(${scale})`} class="santiago-car">
        <path d="M-30-25h13v8h-13zM17-25h13v8H17zM-30 17h13v8h-13zM17 17h13v8H17z" fill="#2a2522" />
        <path
          d="M-44-16c0-5 4-6 8-6h70c8 0 12 8 12 22S42 22 34 22h-70c-4 0-8-1-8-6z"
          fill="#d8402f"
        />
        <path d="M14-17h26c4 8 4 26 0 34H14z" fill="#ef6a52" />
        <path d="M8-17c6 8 6 26 0 34l-7-3c4-8 4-20 0-28z" fill="#bfe0ea" />
        <path d="M-30-15H-2c3 8 3 22 0 30h-28z" fill="#f6e9cf" />
        <path d="M-14-15v30" fill="none" />
        <path d="M-41-14v8M-41 6v8" stroke="#ffdf6b" stroke-width="4" />
        <path d="M43-14v7M43 7v7" stroke="#fff7cf" stroke-width="4" />
      </g>
    </Piece>
  );
}

/** The turn, and the open question. */
function told({ view, says }: Town) {
  const { decider, phase } = view;
  const between =
    ["roll_demand", "choose_demand"].includes(phase) || view.end_reason === "turn_limit";
  const number = between && view.turns_done ? view.turns_done : view.turns_done + 1;
  const asked = view.end_reason
    ? says.label(`reason.${view.end_reason}`)
    : decider === null
      ? says.label("board.nature")
      : says.label(`decision.${phase}`);
  return { turn: says.label("board.turn", { number }), asked };
}

/** The centre of the town, which shows the turn. */
export function Plaza({ scene }: { scene: Town }) {
  const { view, says } = scene;
  const { decider } = view;
  const { turn, asked } = told(scene);
  return (
    <g transform="translate(540 500)" class="santiago-plaza">
      <rect
        class="santiago-card"
        x="-176"
        y="-158"
        width="352"
        height="316"
        rx="22"
        fill={colour("paper")}
      />
      <rect class="santiago-tiles" x="-166" y="-148" width="332" height="296" rx="15" />
      <Text box={[300, 30]} at={[0, -122]} max={22} class="santiago-quiet">
        {turn}
      </Text>
      {decider !== null && !view.end_reason ? (
        <>
          <g transform="translate(0 -68)">
            <SeatSign sign={scene.sign(decider)} size={2.6} />
          </g>
          <Text box={[300, 34]} at={[0, -10]} max={26} class="santiago-name">
            {says.owner(decider)}
          </Text>
        </>
      ) : (
        <g transform="translate(0 -50)">
          <Icon name={view.end_reason ? "ship" : "die"} radius={40} />
        </g>
      )}
      <Text box={[310, 76]} at={[0, 42]} max={26}>
        {asked}
      </Text>
      <path class="santiago-pavement" d="M-140 84H140" />
      <g transform="translate(0 120)">
        <Round scene={scene} />
      </g>
    </g>
  );
}

/** The turn on a narrow screen, above the town. */
export function Ledger({ scene }: { scene: Town }) {
  const { view, says } = scene;
  const { decider } = view;
  const { turn, asked } = told(scene);
  const whose = decider !== null && !view.end_reason;
  return (
    <g class="santiago-plaza">
      <rect
        class="santiago-card"
        x="6"
        y="6"
        width="668"
        height="112"
        rx="18"
        fill={colour("paper")}
      />
      <g transform="translate(52 62)">
        {whose ? (
          <SeatSign sign={scene.sign(decider)} size={2.4} />
        ) : (
          <Icon name={view.end_reason ? "ship" : "die"} radius={34} />
        )}
      </g>
      <Text box={[270, 30]} at={[236, 30]} max={24} class="santiago-name">
        {whose ? says.owner(decider) : turn}
      </Text>
      <Text box={[280, 60]} at={[236, 78]} max={22}>
        {asked}
      </Text>
      <path class="santiago-pavement" d="M386 18V106" />
      <g transform="translate(530 76)">
        <Round scene={scene} />
      </g>
      <Text box={[270, 30]} at={[530, 30]} max={22} class="santiago-quiet">
        {turn}
      </Text>
    </g>
  );
}

/** The players in order: whose turn it is, who waits, and who has passed. */
function Round({ scene }: { scene: Town }) {
  const { active, loading, tribute_queue } = scene.view;
  const out = new Set<unknown>(loading?.passed);
  const waiting = new Set<unknown>(tribute_queue);
  return (
    <>
      {scene.mats.map(({ owner }, index) => (
        <g
          key={owner}
          transform={`translate(${62 * (index - (scene.mats.length - 1) / 2)} 0)`}
          class={out.has(owner) ? "santiago-out" : ""}
        >
          {(owner === active || waiting.has(owner)) && (
            <circle class={owner === active ? "santiago-turn" : "santiago-queue"} r="25" />
          )}
          <SeatSign sign={scene.sign(owner)} size={1.3} />
          {out.has(owner) && <path class="santiago-cross" d="M-15-15 15 15M15-15-15 15" />}
        </g>
      ))}
    </>
  );
}

/** A large card for each building and citizen, shown while the small one is pointed to. */
export function Cards({ scene }: { scene: Town }) {
  const { view } = scene;
  const shown = [
    ...view.buildings.map(({ building, space }) => ["buildings", building, space] as const),
    ...view.street.flatMap(({ citizen, stop }) =>
      citizen ? [["citizens", citizen, `stop_${stop}`] as const] : [],
    ),
  ];
  return (
    <g class="santiago-cards">
      {shown.map(([table, id, place]) => (
        <g
          key={id}
          class={`large santiago-large santiago-large-${id}`}
          transform={scene.narrow ? above(scene.board.places[place]?.y ?? 0) : "translate(540 500)"}
        >
          <Large scene={scene.fixed} table={table} id={id} />
        </g>
      ))}
    </g>
  );
}

/**
 * A large card stands above its small one. On a touch screen, the first tap scrolls the small one
 * to the lower end of the screen.
 */
function above(y: number): string {
  return `translate(340 ${y - 195})`;
}

/** The format of a large card: upright on the plaza, or as wide as a narrow screen. */
function Large({
  scene: { says, narrow },
  table,
  id,
}: {
  scene: Fixed;
  table: "buildings" | "citizens";
  id: string;
}) {
  const part = narrow ? LYING : UPRIGHT;
  const face = table === "citizens" ? portraits[id] : <Icon name={id} radius={56} />;
  return (
    <>
      <Outline
        class="santiago-card"
        shape={{ rect: part.size }}
        round={22}
        fill={colour("paper")}
      />
      <g transform={`translate(${part.face}) scale(${table === "citizens" ? 1.3 : 1})`}>{face}</g>
      <Text box={part.name} at={part.named} max={26} class="santiago-name">
        {says.name(table, id)}
      </Text>
      <Text box={part.text} at={part.told} max={26}>
        {says.text(table, id)}
      </Text>
    </>
  );
}

const UPRIGHT = {
  size: [352, 316],
  face: [0, -85],
  name: [320, 34],
  named: [0, -4],
  text: [326, 130],
  told: [0, 82],
} as const;
const LYING = {
  size: [640, 240],
  face: [-236, 0],
  name: [440, 40],
  named: [84, -84],
  text: [460, 160],
  told: [84, 20],
} as const;
