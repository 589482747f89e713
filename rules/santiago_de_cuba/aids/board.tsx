/** Santiago de Cuba: the street around the town, the harbour, and what everybody has. */

import {
  type components,
  colour,
  Icon,
  type Mat,
  ofType,
  Piece,
  Place,
  type PieceOf,
  type Renderer,
  rowOf,
  type Scene,
  SeatSign,
  Text,
} from "lonja";
import style from "./board.css";
import { Flower, icons } from "./board_icons.tsx";
import { portraits } from "./board_portraits.tsx";

type View = components["schemas"]["SantiagoDeCubaView"];
type Town = Scene<View>;

const GOODS = ["sugar", "citrus", "tobacco", "rum", "cigars", "wood"];

/** What citizens and buildings do: icons by their names, all else as it is written. */
const DOES: Readonly<Record<string, readonly string[]>> = {
  pedro: ["2", "tobacco"],
  maria: ["2", "vp"],
  jose: ["2", "sugar_cane"],
  martinez: ["3", "peso"],
  conchita: ["2", "citrus"],
  miguel: ["2", "wood"],
  el_zorro: ["mask", "peso"],
  pablo: ["1", "chest"],
  alonso: ["owner_marker", "scales"],
  casino: ["3", "peso", "⇄", "1", "vp"],
  bank: ["+2", "peso"],
  church: ["+1", "vp"],
  port_office: ["◂", "flag", "▸"],
  distillery: ["sugar_cane", "▸", "rum"],
  tobacco_factory: ["tobacco", "▸", "cigars"],
  office: ["die", "−1", "▸", "2", "vp"],
  black_market: ["chest", "⇄", "chest"],
  sawmill: ["wood", "▸", "vp", "peso"],
  newspaper: ["+1", "peso", "face_down"],
  cafe: ["rum", "cigars", "▸", "2", "vp"],
  customs: ["die", "▸", "0"],
};

/** Which way the car drives at each stop, in degrees from eastwards. */
const COURSE = [90, 118, 180, 180, 242, 270, 298, 0, 0, 62];

function Strip({ of: signs, size = 26 }: { of: readonly string[]; size?: number }) {
  const width = (sign: string) => (sign in icons ? size * 1.1 : size * 0.62 * sign.length);
  const whole = signs.reduce((sum, sign) => sum + width(sign), 0);
  let x = -whole / 2;
  return (
    <>
      {signs.map((sign, index) => {
        const middle = x + width(sign) / 2;
        x += width(sign);
        return (
          <g key={`${index} ${sign}`} transform={`translate(${middle} 0)`}>
            {sign in icons ? (
              <Icon name={sign} radius={size / 2} />
            ) : (
              <text class="santiago-number" font-size={size * 0.92} dy=".35em">
                {sign}
              </text>
            )}
          </g>
        );
      })}
    </>
  );
}

function keysOf({ board }: Town, kind: string): string[] {
  return Object.keys(board.places).filter((key) => board.places[key]?.kind === kind);
}

function draw(scene: Town) {
  return (
    <>
      <Land />
      <Stones scene={scene} />
      {keysOf(scene, "site").map((key) => (
        <Place key={key} at={key}>
          <rect
            class="santiago-lot"
            x="-87"
            y="-81"
            width="174"
            height="162"
            rx="12"
            fill={colour(scene.board.places[key]?.colour ?? "city")}
          />
        </Place>
      ))}
      <Plaza scene={scene} />
      <Harbour scene={scene} />
      <Quay scene={scene} />
      {ofType(scene, "building").map((piece) => (
        <Building key={piece.key} scene={scene} piece={piece} />
      ))}
      {[...ofType(scene, "citizen"), ...ofType(scene, "citizen_face_down")].map((piece) => (
        <Citizen key={piece.key} scene={scene} piece={piece} />
      ))}
      {keysOf(scene, "stop").map((key, stop) => {
        const citizen = scene.view.street[stop]?.citizen;
        return (
          <Place key={key} at={key} class={citizen ? `santiago-has-${citizen}` : ""}>
            <title>{citizen ? scene.says.name("citizens", citizen) : scene.says.place(key)}</title>
          </Place>
        );
      })}
      {ofType(scene, "owner_marker").map((piece) => (
        <Piece
          key={piece.key}
          of={piece}
          shape={{ circle: 24 }}
          name={scene.says.owner(piece.owner ?? 0)}
        >
          <title>{scene.says.label("board.owner", { seat: piece.owner })}</title>
          <path class="santiago-pole" d="M-18-24V26" />
          <path class="santiago-edge" d="M-18-23H20l-7 16 7 16h-38z" fill={colour("paper")} />
          <g transform="translate(-3 -7)">
            <SeatSign sign={scene.sign(piece.owner ?? 0)} size={1.05} />
          </g>
        </Piece>
      ))}
      {ofType(scene, "pawn").map((piece) => (
        <Piece
          key={piece.key}
          of={piece}
          shape={{ circle: 28 }}
          name={scene.says.owner(piece.owner ?? 0)}
        >
          <title>{scene.says.label("board.pawn", { seat: piece.owner })}</title>
          <Pawn scene={scene} owner={piece.owner ?? 0} />
        </Piece>
      ))}
      {ofType(scene, "car").map((piece) => (
        <Car key={piece.key} scene={scene} piece={piece} />
      ))}
      <Cards scene={scene} />
    </>
  );
}

/** What lies under everything: the town in its street, palms, the sea and the quay. */
function Land() {
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
      {[
        [560, 80, 0],
        [250, 920, 180],
        [545, 920, 180],
        [80, 350, 270],
        [80, 640, 270],
        [1000, 660, 90],
        [250, 80, 0],
      ].map(([x, y, turn]) => (
        <path
          key={`${x} ${y}`}
          class="santiago-arrow"
          d="M-12-13 4 0-12 13M2-13 18 0 2 13"
          transform={`translate(${x} ${y}) rotate(${turn})`}
        />
      ))}
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

/** What the citizens stand on, and the harbour; the places themselves lie above, so that one sees their halos. */
function Stones({ scene }: { scene: Town }) {
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
              <Ribbon y={38} width={108}>
                {scene.says.label("board.harbour")}
              </Ribbon>
            </>
          )}
        </g>
      ))}
    </>
  );
}

function Ribbon({ children, y, width }: { children: string; y: number; width: number }) {
  return (
    <g transform={`translate(0 ${y})`} class="santiago-fine">
      <rect class="santiago-ribbon" x={-width / 2} y="-14" width={width} height="28" rx="8" />
      <Text box={[width - 6, 26]} max={20} class="santiago-name">
        {children}
      </Text>
    </g>
  );
}

function Citizen({ scene, piece }: { scene: Town; piece: PieceOf }) {
  const id = piece.id ?? "";
  const asleep = piece.type === "citizen_face_down";
  const flower = rowOf(scene.tables, "citizens", id)?.flower as string | null | undefined;
  return (
    <Piece of={piece} shape={{ circle: 58 }} class={`santiago-has-${id}`}>
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
          <title>{scene.says.label("board.inactive")}</title>
        </g>
      )}
      {flower && (
        <g transform="translate(-42 -38)">
          <circle class="santiago-edge" r="19" fill={colour("paper")} />
          <Flower of={flower} radius={16} />
        </g>
      )}
      {!asleep && (
        <g transform="translate(38 -36)" class="santiago-fine">
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
      <Ribbon y={42} width={112}>
        {scene.says.name("citizens", id)}
      </Ribbon>
    </Piece>
  );
}

function Building({ scene, piece }: { scene: Town; piece: PieceOf }) {
  const id = piece.id ?? "";
  const flower = scene.view.buildings.find(({ building }) => building === id)?.flower ?? "white";
  return (
    <Piece of={piece} shape={{ rect: [174, 162] }} class={`santiago-has-${id}`}>
      <rect
        class="santiago-card"
        x="-82"
        y="-76"
        width="164"
        height="152"
        rx="9"
        fill={colour("paper")}
      />
      <path
        class="santiago-sky"
        d="M-82-67a9 9 0 0 1 9-9H73a9 9 0 0 1 9 9V-9H-82z"
        fill={colour(`flower_${flower}`)}
      />
      <path d="M-82-9H82" class="santiago-pavement" />
      <g class="santiago-facade">
        <Icon name={id} radius={37} />
      </g>
      <g transform="translate(64 -25)">
        <Flower of={flower} radius={13} />
      </g>
      <g class="santiago-fine">
        <Text box={[140, 46]} at={[0, 14]} max={20} class="santiago-name">
          {scene.says.name("buildings", id)}
        </Text>
      </g>
      <g transform="translate(0 55)" class="santiago-fine">
        <Strip of={DOES[id] ?? []} size={29} />
      </g>
    </Piece>
  );
}

function Pawn({ scene, owner }: { scene: Town; owner: number | string }) {
  const sign = scene.sign(owner);
  return (
    <>
      <path
        class="santiago-pawn"
        d="M0-34a13 13 0 0 1 9 22c8 5 12 16 15 34h-48c3-18 7-29 15-34a13 13 0 0 1 9-22z"
        fill={colour(sign.colour)}
      />
      <circle cy="7" r="13" fill={colour("paper")} class="santiago-edge" />
      <g transform="translate(0 7)">
        <SeatSign sign={sign} size={0.85} />
      </g>
    </>
  );
}

/** The convertible, from above: it stands just before the stop that it came to. */
function Car({ scene, piece }: { scene: Town; piece: PieceOf }) {
  const course = COURSE[scene.view.car] ?? 0;
  const [dx, dy] = [Math.cos((course * Math.PI) / 180), Math.sin((course * Math.PI) / 180)];
  const stop = scene.board.places[piece.place];
  return (
    <Piece
      of={piece}
      at={[(stop?.x ?? 0) - 98 * dx, (stop?.y ?? 0) - 98 * dy]}
      shape={{ circle: 44 }}
      name={scene.says.label("board.car")}
    >
      <title>{scene.says.label("board.car")}</title>
      <g transform={`rotate(${course})`} class="santiago-car">
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

/** The middle of the town, where the turn is told. */
function Plaza({ scene }: { scene: Town }) {
  const { view, says } = scene;
  const { decider, active, phase } = view;
  const between =
    ["roll_demand", "choose_demand"].includes(phase) || view.end_reason === "turn_limit";
  const number = between && view.turns_done ? view.turns_done : view.turns_done + 1;
  const out = new Set<unknown>(view.loading?.passed);
  const waiting = new Set<unknown>(view.tribute_queue);
  const told = view.end_reason
    ? says.label(`reason.${view.end_reason}`)
    : decider === null
      ? says.label("board.nature")
      : says.label(`decision.${phase}`);
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
      <g class="santiago-fine">
        <Text box={[300, 30]} at={[0, -122]} max={22} class="santiago-quiet">
          {says.label("board.turn", { number })}
        </Text>
      </g>
      {decider !== null && !view.end_reason ? (
        <>
          <g transform="translate(0 -68)">
            <SeatSign sign={scene.sign(decider)} size={2.6} />
          </g>
          <g class="santiago-fine">
            <Text box={[300, 34]} at={[0, -10]} max={26} class="santiago-name">
              {says.owner(decider)}
            </Text>
          </g>
        </>
      ) : (
        <g transform="translate(0 -50)">
          <Icon name={view.end_reason ? "ship" : "die"} radius={40} />
        </g>
      )}
      <g class="santiago-fine">
        <Text box={[310, 76]} at={[0, 42]} max={26}>
          {told}
        </Text>
      </g>
      <path class="santiago-pavement" d="M-140 84H140" />
      {scene.mats.map(({ owner }, index) => (
        <g
          key={owner}
          transform={`translate(${62 * (index - (scene.mats.length - 1) / 2)} 120)`}
          class={out.has(owner) ? "santiago-out" : ""}
        >
          {(owner === active || waiting.has(owner)) && (
            <circle class={owner === active ? "santiago-turn" : "santiago-queue"} r="25" />
          )}
          <SeatSign sign={scene.sign(owner)} size={1.3} />
          {out.has(owner) && <path class="santiago-cross" d="M-15-15 15 15M15-15-15 15" />}
        </g>
      ))}
    </g>
  );
}

/** The ship with its dice, the value of what it takes, and the ships to come. */
function Harbour({ scene }: { scene: Town }) {
  const { view, says } = scene;
  return (
    <>
      <g class="santiago-ship">
        <path d="M1180 130v110M1500 130v110" stroke="#6b4526" stroke-width="9" />
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
      <g class="santiago-fine">
        <Text box={[330, 30]} at={[1335, 364]} max={24} class="santiago-on-hull">
          {says.label("board.ship", {
            number: Math.min(view.ship_number, view.ships),
            ships: view.ships,
          })}
        </Text>
      </g>
      {[2, 3, 4, 0].map((value, index) => (
        <Place key={value} at={`flag_${index}`}>
          <path
            class="santiago-edge"
            d="M-46-38H46V20L0 40-46 20z"
            fill={view.value_index === index ? "#f2c230" : colour("paper")}
          />
          {value > 0 ? (
            <text
              class={
                view.value_index === index ? "santiago-number santiago-on-gold" : "santiago-number"
              }
              font-size="50"
              dy=".3em"
            >
              {value}
            </text>
          ) : (
            <path
              d="M-36-30h18v16h-18zM0-30h18v16H0zM-18-14H0V2h-18zM18-14h18V2H18zM-36 2h18v12h-18zM0 2h18v16H0z"
              fill={colour("ink")}
            />
          )}
          <title>{says.place(`flag_${index}`)}</title>
        </Place>
      ))}
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
        <Die key={piece.key} scene={scene} piece={piece} />
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
              <text class="santiago-number santiago-fine" font-size="28" dy=".35em">
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

function icon({ board }: Town, good: string): string {
  return board.catalogue.goods?.icons?.[good] ?? good;
}

function Die({ scene, piece }: { scene: Town; piece: PieceOf }) {
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

/** The supply on the quay, and the number of turns. */
function Quay({ scene }: { scene: Town }) {
  const { says, view } = scene;
  return (
    <>
      {GOODS.map((good) => (
        <Place key={good} at={`supply_${good}`}>
          <rect
            class="santiago-edge"
            x="-40"
            y="-125"
            width="80"
            height="250"
            rx="10"
            fill={colour("paper")}
          />
          <path
            d="M-40-115a10 10 0 0 1 10-10h60a10 10 0 0 1 10 10v15h-80z"
            class="santiago-edge"
            fill={colour(good)}
          />
          <g class="santiago-fine">
            <Text box={[80, 46]} at={[0, 99]} max={20}>
              {says.name("goods", good)}
            </Text>
          </g>
        </Place>
      ))}
      {ofType(scene, "good").map((piece) => (
        <Piece key={piece.key} of={piece} shape={{ rect: [74, 190] }}>
          <g class={piece.count === 0 ? "santiago-none" : ""}>
            <g transform="translate(0 -58)">
              <Icon name={icon(scene, piece.id ?? "")} radius={32} />
            </g>
            <text class="santiago-number" font-size="52" y="6" dy=".35em">
              {piece.count}
            </text>
          </g>
          {Array.from({ length: 8 }, (_, nth) => (
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
      <g class="santiago-fine">
        <Text box={[300, 28]} at={[1335, 574]} max={20} class="santiago-quiet">
          {says.label("board.supply")}
        </Text>
      </g>
      <Place at="turns">
        <rect
          class="santiago-edge"
          x="-245"
          y="-42"
          width="490"
          height="84"
          rx="14"
          fill={colour("paper")}
        />
        <g class="santiago-fine">
          <Text box={[300, 40]} at={[-70, 0]} max={22}>
            {says.place("turns")}
          </Text>
        </g>
        <text class="santiago-number" font-size="54" x="150" dy=".35em">
          {view.turns_done}
        </text>
      </Place>
    </>
  );
}

/** A card for each building and citizen, large: shown on the plaza while one is pointed to. */
function Cards({ scene }: { scene: Town }) {
  const { says, view } = scene;
  const shown = [
    ...view.buildings.map(({ building }) => ["buildings", building] as const),
    ...view.street.flatMap(({ citizen }) => (citizen ? [["citizens", citizen] as const] : [])),
  ];
  return (
    <g class="santiago-cards">
      {shown.map(([table, id]) => (
        <g key={id} class={`santiago-large santiago-large-${id}`}>
          <rect
            class="santiago-card"
            x="-176"
            y="-158"
            width="352"
            height="316"
            rx="22"
            fill={colour("paper")}
          />
          <g transform={table === "citizens" ? "translate(0 -82) scale(1.3)" : "translate(0 -88)"}>
            {table === "citizens" ? portraits[id] : <Icon name={id} radius={56} />}
          </g>
          <Text box={[320, 34]} at={[0, -4]} max={26} class="santiago-name">
            {says.name(table, id)}
          </Text>
          <Text box={[326, 130]} at={[0, 82]} max={26}>
            {says.text(table, id)}
          </Text>
        </g>
      ))}
    </g>
  );
}

type Player = View["players"][number];

function mat(scene: Town, { owner, view: part, pieces }: Mat) {
  const player = part as unknown as Player;
  const { says, board } = scene;
  const hidden = player.goods === null;
  const sums = { pesos: player.pesos, vp: player.vp };
  return (
    <>
      {scene.view.decider === owner && (
        <rect class="santiago-deciding" x="1" y="1" width="478" height="168" rx="14" />
      )}
      {Object.entries(sums).map(([key, sum]) => (
        <Place key={key} at={key}>
          <Face />
          <title>{says.place(key, true)}</title>
          <g transform="translate(-28 0)">
            <Icon name={key === "vp" ? "vp" : "peso"} radius={22} />
          </g>
          <Sum of={sum} x={24} />
        </Place>
      ))}
      <Place at="markers">
        <Face />
        <title>{`${says.place("markers", true)}: ${player.markers_left}`}</title>
        {[0, 1, 2].map((nth) => (
          <g
            key={nth}
            transform={`translate(${34 * (nth - 1)} 0)`}
            class={nth < player.markers_left ? "" : "santiago-faint"}
          >
            <path class="santiago-pole" d="M-12-22V24" />
            <path class="santiago-edge" d="M-12-22h26l-4 11 4 11h-26z" fill={colour("paper")} />
            <g transform="translate(-1 -11)">
              <SeatSign sign={scene.sign(owner)} size={0.7} />
            </g>
          </g>
        ))}
      </Place>
      <Place at="pawn">
        <Face />
        <title>{says.place("pawn", true)}</title>
        {player.pawn ? (
          <>
            <g transform="translate(0 -11)">
              <Icon name={player.pawn} radius={19} />
            </g>
            <Text box={[90, 20]} at={[0, 22]} max={14}>
              {says.name("buildings", player.pawn)}
            </Text>
          </>
        ) : (
          <g transform="scale(.8)">
            <Pawn scene={scene} owner={owner} />
          </g>
        )}
      </Place>
      {GOODS.map((good) => (
        <Place key={good} at={`good_${good}`}>
          <rect
            class={hidden ? "santiago-edge santiago-screen" : "santiago-edge"}
            x="-37"
            y="-37"
            width="74"
            height="74"
            rx="9"
            fill={hidden ? "#b98a57" : colour("paper")}
          />
          <title>{says.name("goods", good)}</title>
          {hidden && (
            <>
              <path
                class="santiago-wicker"
                d="M-37-22h74M-37-6h74M-37 10h74M-37 26h74M-22-37v74M0-37v74M22-37v74"
              />
              <g transform="translate(0 -8)">
                <circle r="19" fill={colour("paper")} />
                <Icon name={board.catalogue.goods?.icons?.[good] ?? good} radius={14} />
              </g>
              <text class="santiago-number santiago-on-gold" font-size="22" y="26" dy=".3em">
                ?
              </text>
            </>
          )}
        </Place>
      ))}
      {ofType({ pieces }, "good").map((piece) => (
        <Piece key={piece.key} of={piece} shape={{ rect: [70, 70] }}>
          <g class={piece.count === 0 ? "santiago-none" : ""}>
            <rect
              x="-35"
              y="27"
              width="70"
              height="8"
              rx="4"
              fill={colour(piece.id ?? "ink")}
              class="santiago-band"
            />
            <g transform="translate(-14 -5)">
              <Icon name={icon(scene, piece.id ?? "")} radius={20} />
            </g>
            <text class="santiago-number" font-size="32" x="20" y="-5" dy=".35em">
              {piece.count}
            </text>
          </g>
        </Piece>
      ))}
    </>
  );
}

function Face() {
  return (
    <rect
      class="santiago-edge"
      x="-56"
      y="-34"
      width="112"
      height="68"
      rx="10"
      fill={colour("paper")}
    />
  );
}

/** A sum, or the back of one that is behind a screen. */
function Sum({ of: sum, x }: { of: number | null; x: number }) {
  if (sum !== null)
    return (
      <text class="santiago-number" font-size="36" x={x} dy=".35em">
        {sum}
      </text>
    );
  return (
    <g transform={`translate(${x} 0)`}>
      <rect class="santiago-edge" x="-20" y="-22" width="40" height="44" rx="6" fill="#b98a57" />
      <text class="santiago-number santiago-on-gold" font-size="26" dy=".35em">
        ?
      </text>
    </g>
  );
}

const opened = Object.keys(DOES)
  .map(
    (id) =>
      `.board:has(.santiago-has-${id}:hover) .santiago-large-${id},.board:has(.santiago-has-${id}:focus-visible) .santiago-large-${id}`,
  )
  .join(",");

const renderer: Renderer<View> = {
  icons,
  draw,
  mat,
  style: `${style}${opened}{visibility:visible;opacity:1;transition-delay:.25s}`,
};
export default renderer;
