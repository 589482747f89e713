/** The places of the board, without pieces. */

import {
  colour,
  extentOf,
  Icon,
  Outline,
  Place,
  type Point,
  rowOf,
  type Scene,
  SeatSign,
  shapeOf,
  Text,
  useLeast,
} from "lonja";
import type { JSX } from "preact";
import { Coin, Cost, type View } from "./pieces.tsx";
import { capital } from "./words.ts";

interface Space {
  readonly costs: readonly number[];
  readonly payout?: number;
  readonly income_on_placement?: number;
}
interface Of {
  readonly scene: Scene<View>;
  readonly at: string;
}

export function Places({ scene }: { scene: Scene<View> }) {
  return Object.entries(scene.board.places).map(([key, { kind }]) => {
    const Face = FACES[kind] ?? Area;
    return (
      <Place key={key} at={key}>
        <Face scene={scene} at={key} />
      </Place>
    );
  });
}

const FACES: Readonly<Record<string, (of: Of) => JSX.Element | null>> = {
  sea: Water,
  port: Port,
  shipyard: Shipyard,
  pirate: PirateBoat,
  pirate_place: PiratePlace,
  pilot: Pilot,
  office: Insurance,
  punt: Load,
  berth: Berth,
  start: Start,
  price: Price,
  supply: Supply,
};

function rowOfSpace(scene: Scene<View>, space: string): Space {
  return rowOf(scene.tables, "placement_spaces", space) as unknown as Space;
}

function placeOf(scene: Scene<View>, at: string) {
  const place = scene.board.places[at];
  if (!place) throw new Error(`the board has no place ${at}`);
  return place;
}

/** The label of a place, for screen readers and as a tooltip. */
function Called({ scene, at, text = "" }: Of & { text?: string }) {
  return <title>{[scene.says.place(at), text].filter(Boolean).join(": ")}</title>;
}

function Card({ scene, at, fill = "paper" }: Of & { fill?: string }) {
  const shape = shapeOf(scene.board, placeOf(scene, at));
  return <Outline shape={shape} round={12} fill={colour(fill)} class="manila-card" />;
}

/** A vacant place: an empty ring with its price. */
function Vacant({
  cost,
  x = 0,
  y = 0,
  radius = 29,
}: {
  cost: number;
  x?: number;
  y?: number;
  radius?: number;
}) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <circle r={radius} class="manila-vacant" />
      <Cost amount={cost} radius={radius * 0.66} />
    </g>
  );
}

/** The width and height of a place. */
function extent(scene: Scene<View>, at: string): Point {
  return extentOf(shapeOf(scene.board, placeOf(scene, at)));
}

function Water({ scene, at }: Of) {
  const { mark, colour: tone } = placeOf(scene, at);
  const [width, height] = extent(scene, at);
  return (
    <>
      <Called scene={scene} at={at} />
      <rect
        x={1 - width / 2}
        y={2 - height / 2}
        width={width - 2}
        height={height - 4}
        rx="9"
        class={tone ? "manila-water manila-risky" : "manila-water"}
      />
      {width > 50 && <path d="M-18-22q5-6 10 0t10 0M-2 4q5-6 10 0t10 0" class="manila-wave" />}
      {mark ? (
        <text y="39" font-size="21" class="manila-number">
          {mark}
        </text>
      ) : (
        <g transform="translate(0 29)" class="manila-pale">
          <Icon name="port" radius={12} />
        </g>
      )}
      {tone && (
        <g transform="translate(0 -22)" class="manila-pale">
          <Icon name="pirate" radius={14} />
        </g>
      )}
    </>
  );
}

function Port({ scene, at }: Of) {
  const slot = at.slice(-1) as "a";
  const { costs, payout } = rowOfSpace(scene, at);
  const { accomplice } = scene.view.ports[slot] ?? {};
  const edge = extent(scene, at)[0] / 2;
  return (
    <>
      <Called scene={scene} at={at} text={scene.says.text("placement_spaces", at)} />
      <Card scene={scene} at={at} />
      <path
        d={`M4 30Q14 24 24 30T44 30 64 30 84 30 ${edge - 12} 30 ${edge - 2} 30V40Q${edge - 2} 47 ${edge - 9} 47H4z`}
        class="manila-basin"
      />
      <path d="M4-46V46" class="manila-quay" />
      <text x={25 - edge} y="-14" font-size="30" class="manila-strong">
        {`${slot.toUpperCase()} `}
      </text>
      <Payout
        amount={payout ?? 0}
        x={scene.narrow ? -27 : -37}
        y={-28}
        size={scene.narrow ? 20 : 23}
      />
      {accomplice == null && (
        <Vacant cost={costs[0] ?? 0} x={-30} y={16} radius={scene.narrow ? 25 : 27} />
      )}
      <g transform="translate(52 -4)" class="manila-faint">
        <Icon name="port" radius={24} />
      </g>
    </>
  );
}

function Shipyard({ scene, at }: Of) {
  const slot = at.slice(-1) as "a";
  const { costs, payout } = rowOfSpace(scene, at);
  const { accomplice } = scene.view.shipyards[slot] ?? {};
  return (
    <>
      <Called scene={scene} at={at} text={scene.says.text("placement_spaces", at)} />
      <Card scene={scene} at={at} />
      <path d="M-2 46 60 46 60 38 2 38zM10 38 14 2M52 38 48 2" class="manila-slipway" />
      <text x="-46" y="-25" font-size="30" class="manila-strong">
        {`${slot.toUpperCase()} `}
      </text>
      <Payout amount={payout ?? 0} x={8} y={-35} />
      {accomplice == null && <Vacant cost={costs[0] ?? 0} x={-32} y={22} radius={26} />}
      <g transform="translate(30 20)" class="manila-faint">
        <Icon name="shipyard" radius={17} />
      </g>
    </>
  );
}

/** What a place pays to its accomplices. */
function Payout({
  amount,
  x,
  y,
  size = 23,
}: {
  amount: number;
  x: number;
  y: number;
  size?: number;
}) {
  return (
    <g transform={`translate(${x} ${y})`} class="manila-payout">
      <text font-size={size} y="8">
        {`+${amount} `}
      </text>
    </g>
  );
}

function PirateBoat({ scene, at }: Of) {
  return (
    <>
      <Called scene={scene} at={at} text={scene.says.text("placement_spaces", at)} />
      <Card scene={scene} at={at} fill="danger" />
      <path d="M-132 24Q0 40 132 16 124 54 92 54H-88Q-124 54-132 24z" class="manila-hull" />
      <path d="M-110 26V-50H-60L-72-32-60-14H-110" class="manila-black-flag" />
      <g transform="translate(-88 -32)">
        <Icon name="pirate" radius={14} />
      </g>
    </>
  );
}

function PiratePlace({ scene, at }: Of) {
  const which = at === "pirate_captain" ? 0 : 1;
  const holder = which ? scene.view.pirates.second : scene.view.pirates.captain;
  return (
    <>
      <Called scene={scene} at={at} />
      <circle r="38" fill={colour("paper")} class="manila-edge" />
      {which === 0 && (
        <g transform="translate(0 46)">
          <Icon name="pirate" radius={11} />
        </g>
      )}
      {holder === null && (
        <Vacant cost={rowOfSpace(scene, "pirate").costs[which] ?? 0} radius={32} />
      )}
    </>
  );
}

function Pilot({ scene, at }: Of) {
  const big = at === "pilot_big";
  const holder = big ? scene.view.pilots.big : scene.view.pilots.small;
  return (
    <>
      <Called scene={scene} at={at} text={scene.says.text("placement_spaces", at)} />
      <path
        d="M-80 34Q-84 4-56-14-40-58 0-56 44-60 58-26 86-4 80 30 74 58 0 57-76 58-80 34z"
        class="manila-island"
      />
      <g transform="translate(-64 26)">
        <path d="M0 14Q4 0 0-14" class="manila-trunk" />
        <path
          d="M0-14Q-12-24-18-10-8-16 0-14 12-24 18-10 8-16 0-14 2-28-8-30-2-22 0-14 10-26 14-26 4-18 0-14z"
          class="manila-palm"
        />
      </g>
      <g transform={`translate(-24 ${big ? 0 : 8})`}>
        <Icon name="pilot" radius={big ? 36 : 27} />
      </g>
      <text x="36" y="-25" font-size="27" class="manila-strong">
        {big ? "±2 " : "±1 "}
      </text>
      {holder === null && <Vacant cost={rowOfSpace(scene, at).costs[0] ?? 0} x={40} y={14} />}
    </>
  );
}

function Insurance({ scene, at }: Of) {
  const { income_on_placement = 0 } = rowOfSpace(scene, at);
  return (
    <>
      <Called scene={scene} at={at} text={scene.says.text("placement_spaces", at)} />
      <Card scene={scene} at={at} />
      <Heading scene={scene} at={at} />
      {scene.view.insurance === null && <circle cy="19" r="27" class="manila-vacant" />}
      <g transform="translate(-50 16)">
        <Icon name="insurance" radius={18} />
      </g>
      {scene.view.insurance === null && <Payout amount={income_on_placement} x={0} y={19} />}
    </>
  );
}

/** Where the least letters are larger than this, in units, headings are pressed together. */
const CRAMPED = 22;
/** The width of such a letter, relative to its height. */
const PRESSED = 0.5;
/** Where they are larger than this, headings are slim. */
const TIGHT = 30;

function Heading({ scene, at }: Of) {
  const [width] = extent(scene, at);
  const least = useLeast();
  const name = scene.says.place(at);
  const short = scene.says.label(`short.${at}`);
  const isLong = least > CRAMPED && name.length * least * PRESSED > width - 14;
  return (
    <Text
      box={scene.narrow ? [width - 30, 42] : [width - 14, 40]}
      at={[0, -36]}
      max={18}
      short={short}
      class={least > TIGHT ? "manila-slim" : "manila-heading"}
    >
      {isLong ? short : name}
    </Text>
  );
}

/** A punt seen from above, with the same berths as on its lane. */
function Load({ scene, at }: Of) {
  const ware = at.slice("punt_".length);
  const { profit = 0 } = rowOf(scene.tables, "wares", ware) as { profit?: number };
  const ashore = scene.view.left_out === ware;
  const punt = scene.view.punts.find((found) => found.ware === ware);
  const aboard = punt?.seats.filter((seat) => seat !== null).length ?? 0;
  const { says } = scene;
  return (
    <>
      <Called scene={scene} at={at} text={says.text("placement_spaces", at)} />
      <Card scene={scene} at={at} fill={ware} />
      <path d="M-138-36H118Q138-30 138 26 138 84 118 92H-138z" class="manila-deck" />
      <path d="M-138-12H132M-138 68H132" class="manila-plank" />
      <g transform="translate(-108 -72)">
        <circle r="29" class="manila-disc" />
        <Icon name={ware} radius={23} />
      </g>
      <Text
        box={[128, 56]}
        at={[-8, -72]}
        max={26}
        short={capital(says.label(`short.${ware}`))}
        class="manila-name"
      >
        {capital(says.name("wares", ware))}
      </Text>
      <g transform="translate(100 -72)">
        <Cost amount={profit} radius={29} />
      </g>
      {aboard > 1 && (
        <text y="86" font-size="18" class="manila-number">
          {`${profit} ÷ ${aboard} = ${profit / aboard} `}
        </text>
      )}
      {ashore && (
        <g class="manila-ashore">
          <rect x="-140" y="-40" width="280" height="30" rx="6" />
          <text y="-18" font-size="21">
            {says.label("where.left_out")}
          </text>
        </g>
      )}
    </>
  );
}

function Berth({ scene, at }: Of) {
  const [, ware, number] = at.split("_");
  const row = rowOfSpace(scene, `punt_${ware}`);
  const cost = row.costs[Number(number)] ?? 0;
  const punt = scene.view.punts.find((found) => found.ware === ware);
  const taken = punt?.seats[Number(number)] != null;
  const { left_out, phase } = scene.view;
  if (phase === "place_punts" && ware !== left_out) return null; // its start spaces lie there
  return (
    <>
      <Called scene={scene} at={at} />
      <circle r="31" class="manila-seat" />
      {!taken && <Cost amount={cost} radius={19} />}
    </>
  );
}

/** A start space of a punt, which can be chosen while the punts are placed. */
function Start({ scene, at }: Of) {
  const [, ware, number] = at.split("_");
  const { left_out, phase } = scene.view;
  if (phase !== "place_punts" || ware === left_out) return null;
  return (
    <>
      <Called scene={scene} at={at} />
      <rect x="-40" y="-29" width="80" height="58" rx="9" class="manila-water manila-start" />
      <text y="10" font-size="30" class="manila-strong">
        {number}
      </text>
    </>
  );
}

function Price({ scene, at }: Of) {
  const [, ware = "", value] = at.split("_");
  const now = (scene.view.market as Record<string, number>)[ware] ?? 0;
  const reached = Number(value) <= now;
  const here = Number(value) === now;
  const [width, height] = extent(scene, at);
  return (
    <>
      <Called scene={scene} at={at} />
      <rect
        x={-width / 2}
        y={-height / 2}
        width={width}
        height={height}
        rx="8"
        fill={colour(reached ? ware : "paper")}
        class="manila-card"
      />
      <text x={here ? 18 : 0} y="8" font-size="24" class={here ? "manila-strong" : "manila-number"}>
        {value}
      </text>
    </>
  );
}

function Supply({ scene, at }: Of) {
  const shape = shapeOf(scene.board, placeOf(scene, at));
  return (
    <>
      <Called scene={scene} at={at} />
      <Outline shape={shape} round={8} class="manila-tray" />
    </>
  );
}

function Area({ scene, at }: Of) {
  const { icon } = placeOf(scene, at);
  const Shown = SHOWN[at];
  return (
    <>
      <Card scene={scene} at={at} />
      <Heading scene={scene} at={at} />
      {icon && at !== "auction" && (
        <g transform="translate(0 16)" class="manila-faint">
          <Icon name={icon} radius={26} />
        </g>
      )}
      {Shown && <Shown scene={scene} />}
    </>
  );
}

const SHOWN: Readonly<Record<string, (of: { scene: Scene<View> }) => JSX.Element | null>> = {
  voyage: Voyage,
  auction: Auction,
  left_out: LeftOut,
};

/** The number of the voyage, and its finished rounds of placement and movement. */
function Voyage({ scene }: { scene: Scene<View> }) {
  const { view } = scene;
  const schedules = scene.tables.voyage_schedule as Record<string, readonly string[]>;
  const rounds = schedules[String(view.players.length)] ?? [];
  const begun = { placement: view.placement_round, movement: view.movement_round };
  let [placement, movement] = [0, 0];
  const gap = 132 / rounds.length;
  const now = (["placement", "movement"] as const).flatMap((kind) =>
    begun[kind] ? [scene.says.label(`board.${kind}`, { number: begun[kind] })] : [],
  );
  return (
    <>
      <title>{now.join(" · ")}</title>
      <text y="18" font-size="38" class="manila-strong">
        {view.voyage}
      </text>
      {rounds.map((kind, nth) => {
        const number = kind === "movement" ? ++movement : ++placement;
        const past = number <= begun[kind as "movement"];
        const x = (nth - (rounds.length - 1) / 2) * gap;
        return (
          <g
            key={nth}
            transform={`translate(${x} 38)`}
            class={past ? "manila-past" : "manila-coming"}
          >
            {kind === "movement" ? (
              <>
                <rect x="-8" y="-8" width="16" height="16" rx="3" />
                <circle cx="-3.5" cy="-3.5" r="1.8" class="manila-pip" />
                <circle cx="3.5" cy="3.5" r="1.8" class="manila-pip" />
              </>
            ) : (
              <path d="M-8 6Q-2-2 0-9 2-2 8 6 0 10-8 6z" />
            )}
          </g>
        );
      })}
    </>
  );
}

function Auction({ scene }: { scene: Scene<View> }) {
  const { auction } = scene.view;
  if (!auction)
    return (
      <g transform="translate(0 16)" class="manila-faint">
        <Icon name="hammer" radius={26} />
      </g>
    );
  return (
    <>
      <g transform="translate(0 8)">
        <Coin radius={24} />
        <text y="9" font-size="26" class="manila-onto-gold">
          {auction.high}
        </text>
      </g>
      {auction.passed.map((seat, nth) => (
        <g key={seat} transform={`translate(${(nth - (auction.passed.length - 1) / 2) * 30} 42)`}>
          <SeatSign sign={scene.sign(seat)} size={0.7} />
          <path d="M-10 8 10-8" class="manila-out" />
        </g>
      ))}
    </>
  );
}

function LeftOut({ scene }: { scene: Scene<View> }) {
  const ware = scene.view.left_out;
  if (ware === null) return null;
  return (
    <g transform="translate(0 10)">
      <title>{scene.says.name("wares", ware)}</title>
      <rect x="-34" y="-24" width="68" height="52" rx="6" fill={colour(ware)} class="manila-edge" />
      <path d="M-34-8H34M-34 12H34" class="manila-rope" />
      <circle cy="2" r="20" class="manila-disc" />
      <g transform="translate(0 2)">
        <Icon name={ware} radius={17} />
      </g>
    </g>
  );
}
