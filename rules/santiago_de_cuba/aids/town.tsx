/** The town: citizens along the street, buildings, the car, and the plaza that tells the turn. */

import { colour, Icon, Piece, type PieceOf, rowOf, SeatSign, Text } from "lonja";
import { Flower } from "./icons.tsx";
import { DOES, keysOf, Ribbon, Strip, type Town } from "./parts.tsx";
import { portraits } from "./portraits.tsx";

/** What the citizens stand on, and the harbour; the places themselves lie above, so that one sees their halos. */
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

export function Citizen({ scene, piece }: { scene: Town; piece: PieceOf }) {
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

export function Building({ scene, piece }: { scene: Town; piece: PieceOf }) {
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

/** Which way the car drives at each stop, in degrees from eastwards. */
const COURSE = [90, 118, 180, 180, 242, 270, 298, 0, 0, 62];

/** The convertible, from above: it stands just before the stop that it came to. */
export function Car({ scene, piece }: { scene: Town; piece: PieceOf }) {
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
export function Plaza({ scene }: { scene: Town }) {
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

/** A card for each building and citizen, large: shown on the plaza while one is pointed to. */
export function Cards({ scene }: { scene: Town }) {
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
