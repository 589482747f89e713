/**
 * What can be chosen: characters and common actions, with large cards for them; and the roles of
 * this turn.
 */

import {
  extentOf,
  type Fixed,
  Icon,
  Outline,
  ofType,
  Piece,
  type PieceOf,
  Place,
  type Point,
  rowOf,
  SeatSign,
  Text,
  useLeast,
  wrapped,
} from "lonja";
import { type Drawn, keysOf } from "./fields.tsx";
import { capital, LargeCard } from "./words.tsx";

/** The cards to choose from; if there are none, the decider and the role. */
export function Stage({ scene }: { scene: Drawn }) {
  const { says, board } = scene;
  const cards = ofType(scene, "character");
  return (
    <>
      <Place at="pack">
        <Outline class="plusultra-stage" shape={board.kinds.wide?.shape ?? {}} round={14} />
        {cards.length === 0 && <Acting scene={scene} />}
        {cards.length > 0 && <title>{says.place("pack")}</title>}
      </Place>
      {cards.map((piece) => (
        <Character key={piece.key} scene={scene} piece={piece} />
      ))}
    </>
  );
}

/** Where the least letters are larger than this, in units, names have no room in a row of many. */
const CROWDED = 16;

/**
 * The position, size and scale of a character. Where many are narrower than their names they are in
 * two rows; on a narrow board, a few of them are larger.
 */
function characterAt({ x, y, nth, among }: PieceOf, narrow: boolean) {
  const isCramped = narrow || useLeast() > CROWDED;
  const columns = isCramped && among > 4 ? Math.ceil(among / 2) : among;
  const rows = Math.ceil(among / columns);
  const isFlat = rows > 1 && !narrow;
  const scale = narrow && rows === 1 ? Math.min(1.7, 4 / columns) : 1;
  const width = Math.min(narrow ? 168 * scale : 210, 672 / columns);
  return {
    at: [
      x + ((nth % columns) - (columns - 1) / 2) * width,
      y + (Math.floor(nth / columns) - (rows - 1) / 2) * (isFlat ? 80 : 166),
    ] as const,
    size: [width, isFlat ? 78 : narrow ? 162 * scale : 154] as const,
    isFlat,
    scale,
  };
}

/** The width of a letter of a name, relative to its height. */
const LETTER = 0.5;

/**
 * A character to choose. On a flat card, a name of two lines has the icon beside its end: short words
 * stand in the first line, so that the last one is short.
 */
function Character({ scene, piece }: { scene: Drawn; piece: PieceOf }) {
  const { says, narrow } = scene;
  const id = piece.id ?? "";
  const name = says.name("characters", id);
  const { at, size, isFlat, scale } = characterAt(piece, narrow);
  const [width, height] = size;
  const room = width - 10;
  const isLong = isFlat && wrapped(name, Math.floor(room / (useLeast() * LETTER))).length > 1;
  const [aside, over, radius] = isLong
    ? [23 - width / 2, 16, 14]
    : isFlat
      ? [0, -15, 20]
      : [0, -29, Math.min(38, width / 2 - 9)];
  const [high, low] = isLong ? [72, 0] : isFlat ? [26, 22] : [56 * scale, 44 * scale];
  return (
    <Piece
      of={piece}
      at={at}
      shape={{ rect: [width - 4, height] }}
      class={`plusultra-of-${id}`}
      looks
    >
      <title>{`${name}: ${says.text("characters", id)}`}</title>
      <Outline class="plusultra-card" shape={{ rect: [width - 8, height - 4] }} round={10} />
      <g transform={`scale(${scale}) translate(${aside} ${over})`}>
        <circle class="plusultra-medal" cy="-1" r={radius + 2} />
        <Icon name={id} radius={radius} />
      </g>
      <Text box={[room, high]} at={[0, low]} max={narrow ? 22 * scale : 18}>
        {isLong ? name.replace(/ (?=\S{1,2} )/g, "\u00a0") : name}
      </Text>
    </Piece>
  );
}

/** Who decides what, and the roles of this turn. */
function Acting({ scene }: { scene: Drawn }) {
  const { says, view, narrow } = scene;
  const { decider, activation, phase } = view;
  const top = narrow ? -140 : -62;
  const known = activation?.character ?? null;
  const asked =
    decider === null
      ? view.end_reason
        ? says.label(`reason.${view.end_reason}`)
        : ""
      : says.label(`decision.${phase}`);
  const backs = phase === "draft" ? 8 - view.picks : 0;
  const cast = castOf(scene);
  return (
    <>
      {cast.length === 0 && (
        <g
          class="plusultra-pillars plusultra-faint"
          transform={narrow ? "scale(1 1.8)" : undefined}
        >
          <path d="M-306 70V-62M306 70V-62M-324 72h36M288 72h36M-324-64h36M288-64h36" />
        </g>
      )}
      {cast.length === 0 && backs === 0 && (
        <>
          <path
            class="plusultra-banner"
            d="M-306 36Q-150-4 0 18T306 4V44Q150 76 0 54T-306 76L-286 54Z"
          />
          <text class="plusultra-motto" font-size="34" dy="0.35em" y="36">
            PLVS · VLTRA
          </text>
        </>
      )}
      {decider !== null && (
        <g transform={`translate(-312 ${top})`}>
          <SeatSign sign={scene.sign(decider)} size={1.5} />
        </g>
      )}
      <Text
        broad
        class="plusultra-left plusultra-title"
        box={[600, 30]}
        at={[decider === null ? -250 : -284, top]}
        max={narrow ? 26 : 22}
        short={capital(asked)}
      >
        {decider === null ? capital(asked) : `${says.owner(decider)}: ${asked}`}
      </Text>
      {cast.length > 0 && <Cast scene={scene} acting={known} />}
      {known !== null && (
        <Text
          class="plusultra-left"
          box={narrow ? [648, 180] : [656, 80]}
          at={[-328, narrow ? 72 : 42]}
          max={narrow ? 24 : 18}
        >
          {`${says.name("characters", known)}: ${says.text("characters", known)}`}
        </Text>
      )}
      {[...Array(backs).keys()].map((card) => (
        <g key={card} transform={`translate(${(card - (backs - 1) / 2) * 52} 38)`}>
          <Icon name="character" radius={34} />
        </g>
      ))}
    </>
  );
}

interface Role {
  readonly id: string;
  readonly seat: number;
  readonly used: boolean;
  /** Where it stands on the stage. */
  readonly x: number;
}

/** The roles of this turn that are known, in peer order, two of each player. */
function castOf({ view, narrow }: Drawn): Role[] {
  const among = view.peer_order.length;
  const wide = Math.min(narrow ? 158 : 150, 660 / among);
  return view.peer_order.flatMap((seat, place) => {
    const player = view.players[seat];
    const used = player?.characters_used as readonly string[] | undefined;
    const x = (place - (among - 1) / 2) * wide;
    return (player?.characters ?? []).map((id, nth) => ({
      id,
      seat,
      used: used?.includes(id) ?? false,
      x: x + (narrow ? (nth - 0.5) * 74 : nth * 46 - 6),
    }));
  });
}

/** The roles of this turn: those who have acted are ticked off. */
function Cast({ scene, acting }: { scene: Drawn; acting: string | null }) {
  const { narrow, says } = scene;
  const radius = narrow ? 34 : 21;
  const y = acting === null ? 30 : narrow ? -62 : -20;
  return (
    <>
      {castOf(scene).map(({ id, seat, used, x }, nth, all) => (
        <g key={id} transform={`translate(${x} ${y})`}>
          {all[nth - 1]?.seat !== seat && (
            <g transform={narrow ? "translate(37 -52)" : "translate(-36 0)"}>
              <SeatSign sign={scene.sign(seat)} size={narrow ? 1.2 : 0.95} />
            </g>
          )}
          <g class={`plusultra-of-${id}`} data-looks>
            <title>{`${says.owner(seat)}: ${says.name("characters", id)}`}</title>
            <circle class={`plusultra-medal ${id === acting ? "acts" : ""}`} r={radius} />
            <Icon name={id} radius={radius - 2} />
            {used && <path class="plusultra-tick" d="M6 14l6 7L22 6" />}
          </g>
        </g>
      ))}
    </>
  );
}

/** The cost and gain of a common action, as icons. */
const BARGAIN: Readonly<Record<string, string>> = {
  ducats: "ducat",
  ducats_per_step: "ducat",
  pg: "pg",
  tercio: "tercio",
  sea_trade: "ship",
  place_house: "house",
  pending_order_steps: "peer",
  estate: "estate",
};

/** The cost and gain of an action: numbers, and icons by name. */
function bargain({ tables }: Fixed, id: string): (number | string)[] {
  const row = rowOf(tables, "common_actions", id);
  const sides = [row?.cost, row?.gain] as Record<string, number | string[]>[];
  const [cost = [], gain = []] = sides.map((side) =>
    Object.entries(side ?? {}).flatMap(([what, many]) =>
      Array.isArray(many) ? many : [many, BARGAIN[what] ?? what],
    ),
  );
  return [...cost, "▸", ...gain.filter((part, nth) => part !== 1 || nth > 0)];
}

/** The same in a row within a width around a point. */
function Bargain({
  scene,
  id,
  width,
  at: [x, y] = [0, 0],
}: {
  scene: Fixed;
  id: string;
  width: number;
  at?: Point;
}) {
  const parts = bargain(scene, id);
  const scale = Math.min(1.7, width / (24 * parts.length));
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`}>
      {parts.map((part, nth) => (
        <g key={nth} transform={`translate(${(nth - (parts.length - 1) / 2) * 24} 0)`}>
          {scene.board.icons.includes(String(part)) ? (
            <Icon name={String(part)} radius={12.5} />
          ) : (
            <text class="plusultra-title" font-size="25" dy="0.35em">
              {part}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

/** Where the least letters are larger than this, in units, the name of a card needs most of it. */
const CRAMPED = 24;

export function Commons({ scene }: { scene: Drawn }) {
  const { says, board, narrow } = scene;
  const shape = board.kinds.common?.shape ?? {};
  const [width, height] = extentOf(shape);
  const seals = ofType(scene, "taken");
  const taken = new Set(seals.map(({ place }) => place));
  const least = useLeast();
  const compact = narrow || least > CRAMPED;
  // Three lines of letters that are large beside the card need more of it.
  const head = compact ? 64 : Math.max(64, 3.3 * least);
  const edge = narrow ? 24 : 30;
  const body = height - head - 6;
  const low = [0, (height - body) / 2 - 3] as const;
  return (
    <>
      {keysOf(scene, "common").map((key) => (
        <Place at={key} key={key} class={`plusultra-of-${key}`} looks>
          <Outline class="plusultra-card" shape={shape} round={12} />
          <path
            class="plusultra-head"
            d={`M${-width / 2} ${head - height / 2}v${12 - head}a12 12 0 0 1 12-12h${width - 24}a12 12 0 0 1 12 12v${head - 12}Z`}
          />
          {taken.has(key) && <Outline class="plusultra-veil" shape={shape} round={12} />}
          <g transform={`translate(${edge - width / 2} ${head / 2 - height / 2})`}>
            <Icon name={key} radius={narrow ? 19 : 23} />
          </g>
          {compact ? (
            <>
              <Bargain
                scene={scene.fixed}
                id={key}
                width={width - 2 * edge}
                at={[edge - 3, head / 2 - height / 2]}
              />
              <Text
                broad={narrow}
                class={narrow ? "plusultra-title" : ""}
                box={[width - 8, body]}
                at={low}
                max={22}
              >
                {says.name("common_actions", key)}
              </Text>
            </>
          ) : (
            <>
              <Text
                broad
                class="plusultra-left plusultra-title"
                box={[124, head]}
                at={[-36, head / 2 - height / 2]}
                max={18}
              >
                {says.name("common_actions", key)}
              </Text>
              {taken.has(key) ? (
                <Bargain scene={scene.fixed} id={key} width={122} at={[-28, low[1]]} />
              ) : (
                <Text
                  box={[182, body]}
                  at={low}
                  max={18}
                  short={() => <Bargain scene={scene.fixed} id={key} width={170} />}
                >
                  {says.text("common_actions", key)}
                </Text>
              )}
            </>
          )}
        </Place>
      ))}
      {seals.map((piece) => (
        <Piece
          of={piece}
          key={piece.key}
          at={
            compact
              ? [piece.x + edge - width / 2, piece.y + head / 2 - height / 2]
              : [piece.x + width / 2 - 30, piece.y + height / 2 - 30]
          }
          shape={{ circle: compact ? 22 : 28 }}
          class={`plusultra-of-${piece.place}`}
          name={says.label("board.taken", { spaces: [piece.place] })}
          looks
        >
          <Icon name="taken" radius={compact ? 22 : 27} />
        </Piece>
      ))}
    </>
  );
}

/** Large cards stand above the small ones. */
export function LargeCards({ scene }: { scene: Drawn }) {
  const { board, narrow } = scene;
  const [room] = board.size;
  const stage = board.places.pack;
  const [, height] = extentOf(board.kinds.common?.shape ?? {});
  return (
    <>
      {castOf(scene).map(({ id, x }) => (
        <LargeCard
          key={id}
          scene={scene.fixed}
          table="characters"
          id={id}
          at={[(stage?.x ?? 0) + x, (stage?.y ?? 0) - (narrow ? 170 : 90)]}
          room={room}
        />
      ))}
      {ofType(scene, "character").map((piece) => {
        const { at, scale } = characterAt(piece, narrow);
        return (
          <LargeCard
            key={piece.id}
            scene={scene.fixed}
            table="characters"
            id={piece.id ?? ""}
            at={narrow ? [piece.x, at[1] - 84 * scale] : [at[0], 644]}
            room={room}
          />
        );
      })}
      {keysOf(scene, "common").map((key) => {
        const { x = 0, y = 0 } = board.places[key] ?? {};
        return (
          <LargeCard
            key={key}
            scene={scene.fixed}
            table="common_actions"
            id={key}
            at={[x, y - height / 2 - (narrow ? 3 : 6)]}
            room={room}
          />
        );
      })}
    </>
  );
}
