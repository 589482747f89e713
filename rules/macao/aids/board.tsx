/** The table of Macao: the sea to Europe, the city, its wall, the dice, and the cards on offer. */

import {
  colour,
  extentOf,
  Icon,
  Outline,
  ofType,
  Piece,
  type PieceOf,
  Place,
  type Renderer,
  rowOf,
  type Scene,
  SeatSign,
  shapeOf,
  spread,
  Text,
} from "lonja";
import style from "./board.css";
import { Amount, DisplayCard, hint, LargeCard, largeCards } from "./cards.tsx";
import { drawMat, type View } from "./mat.tsx";
import { Badge, Cube, Cubes, Die, Disc, House, icons, Ship } from "./symbols.tsx";

type Table = Scene<View>;

const renderer: Renderer<View> = {
  icons,
  draw: (scene) => <Board scene={scene} />,
  mat: drawMat,
  style: `${style}\n${largeCards}`,
};
export default renderer;

function Board({ scene }: { scene: Table }) {
  const [width, height] = scene.board.size;
  return (
    <g class="macao">
      <rect width={width} height={height} rx="18" fill={colour("ground")} />
      <Rounds scene={scene} />
      <Sea scene={scene} />
      <City scene={scene} />
      <Wall scene={scene} />
      <Dice scene={scene} />
      <Tribute scene={scene} />
      <Bank scene={scene} />
      <Piles scene={scene} />
      <Display scene={scene} />
    </g>
  );
}

/** The keys of the places of one kind, in the order of the geometry. */
function placesOf({ board }: Table, kind: string): string[] {
  return Object.keys(board.places).filter((key) => board.places[key]?.kind === kind);
}

function Rounds({ scene }: { scene: Table }) {
  const { says, view } = scene;
  const now =
    view.phase === "finished"
      ? says.label("board.finished")
      : view.active !== null
        ? `${says.owner(view.active)}: ${says.label(`decision.${view.phase}`)}`
        : says.label(view.queue.length > 0 ? "board.together" : "board.nature");
  return (
    <>
      {placesOf(scene, "round").map((key, nth) => {
        const round = nth + 1;
        const cap = Number(scene.board.places[key]?.says?.cap);
        return (
          <Place key={key} at={key}>
            <title>{says.place(key)}</title>
            <Outline
              class="macao-edge"
              shape={{ rect: [44, 54] }}
              round={8}
              fill={colour(round < view.round ? "stone" : "paper")}
            />
            <text class="macao-number" font-size="20" y={cap < 6 ? -10 : 0} dy="0.35em">
              {round}
            </text>
            {cap < 6 && (
              <text class="macao-quiet" font-size="16" y="14" dy="0.35em">
                {`≤${cap}`}
              </text>
            )}
          </Place>
        );
      })}
      {ofType(scene, "round_marker").map((piece) => (
        <Piece key={piece.key} of={piece} shape={{ rect: [47, 58] }}>
          <title>{says.label("board.round", { round: view.round, rounds: view.rounds })}</title>
          <rect
            x="-21"
            y="-26"
            width="42"
            height="52"
            rx="8"
            fill="none"
            stroke="var(--macao-seal)"
            stroke-width="6"
          />
        </Piece>
      ))}
      <g transform="translate(795 42)">
        <rect
          x="-196"
          y="-27"
          width="392"
          height="54"
          rx="27"
          fill={colour("paper")}
          class="macao-edge"
        />
        {view.active !== null && (
          <g transform="translate(-168 0)">
            <SeatSign sign={scene.sign(view.active)} size={1.3} />
          </g>
        )}
        <Text box={[326, 48]} at={[14, 0]} max={20}>
          {now}
        </Text>
      </g>
      <Place at="turn_order">
        <title>{says.place("turn_order")}</title>
        <path d="M-94-26H78L95 0 78 26H-94z" fill={colour("paper")} class="macao-edge" />
      </Place>
      {ofType(scene, "turn_order").map((piece) => (
        <Piece
          key={piece.key}
          of={piece}
          at={[piece.x - 66 + piece.nth * 43, piece.y]}
          shape={{ circle: 20 }}
          name={says.owner(piece.owner ?? 0)}
        >
          <title>{says.owner(piece.owner ?? 0)}</title>
          <g opacity={view.queue.some((seat) => seat === piece.owner) ? 1 : 0.5}>
            <SeatSign sign={scene.sign(piece.owner ?? 0)} size={1.35} />
          </g>
        </Piece>
      ))}
    </>
  );
}

const WAVES = [
  [40, 190],
  [330, 178],
  [520, 110],
  [420, 250],
  [210, 330],
  [60, 320],
  [430, 510],
  [240, 488],
  [520, 560],
  [300, 300],
  [140, 520],
  [560, 236],
] as const;

/** The land behind the ports, drawn about each. */
const SHORE = "M-82-10C-88-44-44-54-8-48 30-58 82-46 82-6 88 36 50 50 8 46-36 56-84 44-82-10z";

function Sea({ scene }: { scene: Table }) {
  const { board, says, view } = scene;
  return (
    <>
      <clipPath id="macao-sea">
        <rect x="11" y="84" width="590" height="556" rx="16" />
      </clipPath>
      <g clip-path="url(#macao-sea)">
        <rect x="11" y="84" width="590" height="556" fill={colour("sea")} />
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
            transform={`translate(${board.places[key]?.x} ${board.places[key]?.y}) scale(${nth % 2 ? -1 : 1} 1)`}
            fill={colour("land")}
            stroke="var(--macao-shore)"
            stroke-width="5"
          />
        ))}
        <path
          d="M601 320C560 330 520 346 500 372 486 396 488 420 504 446 530 470 570 476 601 482z"
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
          <text class="macao-quiet" font-size="17" dy="0.35em">
            {board.places[key]?.mark}
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
      {view.ports.map((port) => (
        <Place key={port.port} at={port.port}>
          <title>{`${says.place(port.port)}: ${says.name("goods", port.good)}`}</title>
          <rect
            x="-61"
            y="-33"
            width="122"
            height="66"
            rx="10"
            fill={colour("paper")}
            class="macao-edge"
          />
          <Text class="macao-title" box={[118, 24]} at={[0, -18]} max={18}>
            {says.place(port.port)}
          </Text>
          <g transform="translate(-42 12)">
            <Badge of={port.good} radius={16} />
          </g>
        </Place>
      ))}
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

/** Where a ship lies: at the quay, off the port, or on its space. */
function anchorage({ board }: Table, piece: PieceOf): readonly [number, number] {
  if (piece.place === "macao") return spread(piece, 40, 2);
  const [x, y] = spread(piece, 30, 4);
  return board.places[piece.place]?.kind === "port" ? [x + 26, y - 50] : [x, y - 4];
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
    <g transform="translate(74 560)" opacity=".85">
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

/** What the slots of a port pay; those that are taken bear a seal. */
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
              <text class="macao-number" font-size="17" dy="0.35em">
                {points}
              </text>
            </>
          )}
        </g>
      ))}
    </Piece>
  );
}

function City({ scene }: { scene: Table }) {
  const { board, says, view } = scene;
  return (
    <>
      <rect
        x="605"
        y="84"
        width="584"
        height="556"
        rx="16"
        fill={colour("land")}
        class="macao-edge"
      />
      <rect
        x="609"
        y="88"
        width="576"
        height="548"
        rx="14"
        fill="var(--macao-street)"
        opacity=".55"
      />
      {view.quarters.map(({ quarter, owner }) => {
        const place = board.places[quarter];
        if (!place) return null;
        const [width, height] = extentOf(shapeOf(board, place));
        const row = rowOf(scene.tables, "quarters", quarter) as
          | { readonly cost: Readonly<Record<string, number>> }
          | undefined;
        const dark = place.colour === "dark";
        const narrow = width < 80;
        return (
          <Place key={quarter} at={quarter}>
            <title>{says.place(quarter)}</title>
            <rect
              x={-width / 2 + 1}
              y={-height / 2}
              width={width - 2}
              height={height}
              rx="6"
              fill={colour(dark ? "dark" : "quarter")}
              class="macao-edge"
            />
            <Roof width={width - 2} top={-height / 2} />
            {owner === null ? (
              <Cost of={row?.cost ?? {}} narrow={narrow} />
            ) : (
              <rect
                x={-width / 2 + 1}
                y={-height / 2}
                width={width - 2}
                height={height}
                rx="6"
                fill={colour(scene.sign(owner).colour)}
                fill-opacity=".6"
              />
            )}
            <text
              class={owner === null ? "macao-quiet" : "macao-number"}
              font-size="16"
              x={-width / 2 + 15}
              y={-height / 2 + 22}
              dy="0.35em"
            >
              {place.mark}
            </text>
          </Place>
        );
      })}
      {ofType(scene, "tile").map((piece) => {
        const place = board.places[piece.place];
        const narrow = place !== undefined && extentOf(shapeOf(board, place))[0] < 80;
        return (
          <Piece
            key={piece.key}
            of={piece}
            at={[piece.x + (narrow ? 8 : 0), piece.y - (narrow ? 13 : 11)]}
            shape={{ circle: 20 }}
          >
            <title>{says.name("goods", piece.id ?? "")}</title>
            <rect x="-19" y="-19" width="38" height="38" rx="7" fill="#fff8e6" class="macao-edge" />
            <Icon name={piece.id ?? ""} radius={16} />
          </Piece>
        );
      })}
      {ofType(scene, "marker").map((piece) => (
        <Piece
          key={piece.key}
          of={piece}
          at={[piece.x, piece.y + 8]}
          shape={{ circle: 30 }}
          name={says.owner(piece.owner ?? 0)}
        >
          <title>{says.owner(piece.owner ?? 0)}</title>
          <House sign={scene.sign(piece.owner ?? 0)} />
        </Piece>
      ))}
    </>
  );
}

/** What a quarter costs, along its street. */
function Cost({ of, narrow }: { of: Readonly<Record<string, number>>; narrow: boolean }) {
  if (!narrow) return <Cubes of={of} size={22} at={[0, 28]} />;
  const count = Object.values(of).reduce((sum, number) => sum + number, 0);
  return <Cubes of={of} size={16} columns={count > 3 ? 2 : 3} at={[0, count > 3 ? 24 : 28]} />;
}

/** A row of tiles along the top of a quarter. */
function Roof({ width, top }: { width: number; top: number }) {
  const tiles = Math.round(width / 13);
  const step = width / tiles;
  return (
    <path
      d={`M${-width / 2} ${top + 7}v-3q0-4 4-4H${width / 2 - 4}q4 0 4 4v3${`q${-step / 2} 7 ${-step} 0`.repeat(tiles)}z`}
      fill="var(--macao-roof)"
      stroke={colour("ink")}
      stroke-opacity=".4"
    />
  );
}

function Wall({ scene }: { scene: Table }) {
  const { says } = scene;
  const merlons = Array.from({ length: 33 }, (_, nth) => `M${12 + nth * 36} 652v-10h20v10z`).join(
    "",
  );
  return (
    <>
      <path d={merlons} fill={colour("stone")} stroke="var(--macao-mortar)" stroke-width="1.5" />
      <rect
        x="10"
        y="650"
        width="1180"
        height="66"
        rx="4"
        fill={colour("stone")}
        stroke="var(--macao-mortar)"
        stroke-width="2"
      />
      {placesOf(scene, "wall").map((key, nth) => (
        <Place key={key} at={key}>
          <title>{says.place(key)}</title>
          <rect
            x="-34"
            y="-29"
            width="68"
            height="60"
            rx="6"
            fill={colour("paper")}
            fill-opacity=".35"
            stroke="var(--macao-mortar)"
            stroke-width="1.5"
          />
          <path
            d="M-34-9H-8M8 11H34M-34 31v-20M-8-29v20"
            stroke="var(--macao-mortar)"
            stroke-opacity=".5"
            stroke-width="1.5"
            fill="none"
          />
          <text class="macao-title" font-size="22" opacity=".7" dy="0.35em">
            {nth}
          </text>
        </Place>
      ))}
      {ofType(scene, "disc").map((piece) => {
        const radius = piece.among > 1 ? 16 : 22;
        // Of a stack the top is first.
        const first = { ...piece, nth: piece.among - 1 - piece.nth };
        const [x, y] = spread(first, piece.among > 2 ? 31 : 33, 2);
        return (
          <Piece
            key={piece.key}
            of={piece}
            at={[x, y]}
            shape={{ circle: radius + 2 }}
            name={says.owner(piece.owner ?? 0)}
          >
            <title>{says.owner(piece.owner ?? 0)}</title>
            <Disc sign={scene.sign(piece.owner ?? 0)} radius={radius - (piece.among > 2 ? 1 : 0)} />
          </Piece>
        );
      })}
    </>
  );
}

function Dice({ scene }: { scene: Table }) {
  const { says, view } = scene;
  return (
    <>
      {placesOf(scene, "die").map((key) => (
        <Place key={key} at={key}>
          <title>{says.place(key)}</title>
          <rect
            x="-36"
            y="-36"
            width="72"
            height="72"
            rx="14"
            fill="var(--macao-felt)"
            class="macao-edge"
          />
          {view.die_values === null && (
            <g opacity=".55">
              <Cube of={key.replace("die_", "")} size={34} />
            </g>
          )}
        </Place>
      ))}
      {ofType(scene, "die").map((piece) => {
        const of = piece.place.replace("die_", "");
        const rolled = view.dice?.[of] ?? piece.count;
        return (
          <Piece
            key={piece.key}
            of={piece}
            shape={{ rect: [64, 64] }}
            name={says.place(piece.place)}
          >
            <title>{`${says.place(piece.place)}: ${piece.count}`}</title>
            <Die of={of} value={piece.count ?? 0} />
            {rolled !== piece.count && (
              <text class="count macao-number" font-size="16" x="-22" y="-24" dy="0.35em">
                {`${rolled}→`}
              </text>
            )}
          </Piece>
        );
      })}
    </>
  );
}

function Tribute({ scene: { says, sign, view, viewer } }: { scene: Table }) {
  const own = viewer === null ? undefined : view.players[viewer]?.tribute_price;
  return (
    <>
      {(["gold", "prestige"] as const).map((part) => (
        <Place key={part} at={`tribute_${part}`}>
          <title>{says.place(`tribute_${part}`)}</title>
          <rect
            x="-43"
            y="-36"
            width="86"
            height="72"
            rx="14"
            fill={colour("paper")}
            class="macao-edge"
          />
          <Amount of={part} number={view.tribute[part]} radius={26} />
          {part === "gold" && viewer !== null && own !== undefined && own < view.tribute.gold && (
            <g transform="translate(24 22)">
              <Amount of="gold" number={own} radius={14} />
              <g transform="translate(-18 4)">
                <SeatSign sign={sign(viewer)} size={0.6} />
              </g>
            </g>
          )}
        </Place>
      ))}
      <path d="M586 764h18m-8-8 8 8-8 8" fill="none" stroke={colour("ink")} stroke-width="4" />
    </>
  );
}

function Bank({ scene }: { scene: Table }) {
  return (
    <>
      <Place at="bank">
        <title>{scene.says.place("bank")}</title>
        <rect
          x="-246"
          y="-36"
          width="492"
          height="72"
          rx="14"
          fill={colour("paper")}
          class="macao-edge"
        />
        <text class="macao-quiet" font-size="16" y="-22" dy="0.35em">
          {scene.says.place("bank")}
        </text>
      </Place>
      {ofType(scene, "cube").map((piece) => (
        <Piece
          key={piece.key}
          of={piece}
          at={[piece.x + (piece.nth - 2.5) * 80, piece.y + 10]}
          shape={{ rect: [72, 40] }}
        >
          <g transform="translate(-16 0)">
            <Cube of={piece.id ?? ""} size={30} />
          </g>
          <text class="macao-number" font-size="22" x="18" dy="0.36em">
            {piece.count}
          </text>
        </Piece>
      ))}
    </>
  );
}

/** The cards on offer; while there are none, the offices of the next rounds lie there. */
function Display({ scene }: { scene: Table }) {
  const { says, view } = scene;
  const shown = ofType(scene, "card");
  const next = view.future_offices.slice(0, 3).flat();
  return (
    <>
      {placesOf(scene, "card").map((key, nth) => (
        <Place key={key} at={key}>
          <title>{says.place(key)}</title>
          <rect
            x="-93"
            y="-117"
            width="186"
            height="234"
            rx="12"
            fill="var(--macao-felt)"
            stroke={colour("ink")}
            stroke-opacity=".35"
            stroke-width="2"
            stroke-dasharray="9 6"
          />
          {shown.length === 0 && next[nth] && (
            <g class={`macao-card-${nth}`}>
              <title>{hint(scene, next[nth])}</title>
              <DisplayCard scene={scene} id={next[nth]} faint />
            </g>
          )}
        </Place>
      ))}
      {shown.length === 0 &&
        [0, 1, 2].map(
          (pair) =>
            view.future_offices[pair] && (
              <g key={pair} transform={`translate(${203 + pair * 396.8} 1049)`}>
                <rect x="-72" y="-14" width="144" height="28" rx="14" fill={colour("ink")} />
                <text font-size="16" dy="0.35em" style={{ fill: colour("ground") }}>
                  {says.label("board.round", {
                    round: view.rounds - view.future_offices.length + pair + 1,
                    rounds: view.rounds,
                  })}
                </text>
              </g>
            ),
        )}
      {shown.map((piece, nth) => (
        <Piece key={piece.key} of={piece} shape={{ rect: [192, 240] }} class={`macao-card-${nth}`}>
          <title>{hint(scene, piece.id ?? "")}</title>
          <DisplayCard scene={scene} id={piece.id ?? ""} />
        </Piece>
      ))}
      {(shown.length > 0 ? shown.map(({ id }) => id ?? "") : next).map((id, nth) => (
        <LargeCard key={id} scene={scene} id={id} nth={nth} at={[600, 560]} />
      ))}
    </>
  );
}

/** What lies aside. */
function Piles({ scene }: { scene: Table }) {
  const { says, view } = scene;
  const [soon] = view.future_offices;
  const names = (ids: readonly string[]) => ids.map((id) => says.name("cards", id)).join(", ");
  const last = view.discard.at(-1);
  return (
    <>
      <Pile
        scene={scene}
        at="future_offices"
        icon="office"
        text={soon ? `${says.label("board.next_offices")}: ${names(soon)}` : "–"}
        more={view.future_offices.map(names).join("\n")}
      />
      <Pile
        scene={scene}
        at="discard"
        icon="discard"
        text={`${says.place("discard")}: ${view.discard.length}${last ? ` (${says.name("cards", last)})` : ""}`}
        more={names(view.discard)}
      />
      <Pile
        scene={scene}
        at="jokers_used"
        icon="joker"
        text={`${says.place("jokers_used")}: ${view.jokers_used}`}
        more=""
      />
    </>
  );
}

function Pile({
  scene,
  at,
  icon,
  text,
  more,
}: {
  scene: Table;
  at: string;
  icon: string;
  text: string;
  more: string;
}) {
  const place = scene.board.places[at];
  const [width, height] = place ? extentOf(shapeOf(scene.board, place)) : [0, 0];
  return (
    <Place at={at}>
      <title>{[scene.says.place(at), more].filter(Boolean).join(":\n")}</title>
      <rect
        x={-width / 2}
        y={-height / 2}
        width={width}
        height={height}
        rx="12"
        fill={colour("paper")}
        class="macao-edge"
      />
      <g transform={`translate(${-width / 2 + 24} 0)`}>
        <Badge of={icon} radius={15} />
      </g>
      <Text box={[width - 58, height - 4]} at={[18, 0]} max={18}>
        {text}
      </Text>
    </Place>
  );
}
