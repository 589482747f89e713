/**
 * What can be chosen: characters and common actions, with large cards for them; and the roles of
 * this turn.
 */

import {
  extentOf,
  Icon,
  Outline,
  ofType,
  Piece,
  type PieceOf,
  Place,
  type Point,
  rowOf,
  SeatSign,
} from "lonja";
import { type Drawn, keysOf } from "./fields.tsx";
import { capital, LargeCard, Lines, linesOf, squeezed } from "./words.tsx";

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

/** The position and size of a character; on a narrow board they are in two rows. */
function characterAt({ x, y, nth, among }: PieceOf, narrow: boolean): [number, number, number] {
  const columns = narrow && among > 4 ? Math.ceil(among / 2) : among;
  const rows = Math.ceil(among / columns);
  const width = Math.min(narrow ? 168 : 124, 672 / columns);
  return [
    x + ((nth % columns) - (columns - 1) / 2) * width,
    y + (Math.floor(nth / columns) - (rows - 1) / 2) * 166,
    width,
  ];
}

/** A character to choose. */
function Character({ scene, piece }: { scene: Drawn; piece: PieceOf }) {
  const { says, narrow } = scene;
  const id = piece.id ?? "";
  const [x, y, width] = characterAt(piece, narrow);
  const height = narrow ? 162 : 154;
  return (
    <Piece
      of={piece}
      at={[x, y]}
      shape={{ rect: [width - 4, height] }}
      class={`plusultra-of-${id}`}
      looks
    >
      <title>{`${says.name("characters", id)}: ${says.text("characters", id)}`}</title>
      <Outline class="plusultra-card" shape={{ rect: [width - 8, height - 4] }} round={10} />
      <circle class="plusultra-medal" cy="-30" r={Math.min(40, width / 2 - 6)} />
      <g transform="translate(0 -29)">
        <Icon name={id} radius={Math.min(38, width / 2 - 9)} />
      </g>
      <CardName width={width - 10} size={narrow ? 22 : 17}>
        {says.name("characters", id)}
      </CardName>
    </Piece>
  );
}

/** A name below a portrait; a word that is too long for its card is condensed. */
function CardName({ children, width, size }: { children: string; width: number; size: number }) {
  const lines = linesOf(children, width + 6, size);
  return (
    <text font-size={size} y="42" data-within={width + 6}>
      {lines.map((said, number) => (
        <tspan
          key={said}
          x="0"
          dy={`${number === 0 ? 0.35 - (lines.length - 1) * 0.56 : 1.12}em`}
          {...squeezed(said, width, size)}
        >
          {said}
        </tspan>
      ))}
    </text>
  );
}

function Acting({ scene }: { scene: Drawn }) {
  const { says, view, narrow } = scene;
  const { decider, activation, phase } = view;
  const [top, size] = narrow ? [-112, 22] : [-58, 17];
  const known = activation?.character ?? null;
  const asked =
    decider === null
      ? view.end_reason
        ? says.label(`reason.${view.end_reason}`)
        : ""
      : says.label(`decision.${phase}`);
  const backs = phase === "draft" ? 8 - view.picks : 0;
  const cast = backs === 0 && view.players.some(({ characters }) => characters?.length);
  return (
    <>
      <g class="plusultra-pillars plusultra-faint" transform={narrow ? "scale(1 1.8)" : undefined}>
        <path d="M-306 70V-62M306 70V-62M-324 72h36M288 72h36M-324-64h36M288-64h36" />
      </g>
      {known === null && cast && <Cast scene={scene} />}
      {known === null && backs === 0 && !cast && (
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
        <g transform={`translate(-240 ${top})`}>
          <SeatSign sign={scene.sign(decider)} size={1.5} />
        </g>
      )}
      <Lines at={[decider === null ? -250 : -212, top]} width={500} size={22} bold>
        {decider === null ? capital(asked) : `${says.owner(decider)}: ${asked}`}
      </Lines>
      {known !== null && (
        <>
          <circle class="plusultra-medal" cx="-228" cy="26" r={narrow ? 60 : 46} />
          <g transform="translate(-228 27)">
            <Icon name={known} radius={narrow ? 56 : 43} />
          </g>
          <Lines at={[-148, top + 34]} width={400} size={narrow ? 24 : 20} bold>
            {says.name("characters", known)}
          </Lines>
          <Lines at={[-148, top + (narrow ? 66 : 56)]} width={narrow ? 474 : 460} size={size}>
            {says.text("characters", known)}
          </Lines>
        </>
      )}
      {known === null &&
        [...Array(backs).keys()].map((card) => (
          <g key={card} transform={`translate(${(card - (backs - 1) / 2) * 52} 38)`}>
            <Icon name="character" radius={34} />
          </g>
        ))}
    </>
  );
}

/** The roles of this turn, in peer order; players who have acted are ticked off. */
function Cast({ scene }: { scene: Drawn }) {
  const { view, narrow } = scene;
  const among = view.peer_order.length;
  const [radius, y] = narrow ? [34, 44] : [27, 26];
  return (
    <>
      {view.peer_order.map((seat, place) => {
        const player = view.players[seat];
        const used = player?.characters_used as readonly string[] | undefined;
        return (
          <g
            key={seat}
            transform={`translate(${(place - (among - 1) / 2) * (narrow ? 158 : 150)} ${y})`}
          >
            <g transform={`translate(0 ${narrow ? -74 : -44})`}>
              <SeatSign sign={scene.sign(seat)} size={narrow ? 1.3 : 1} />
            </g>
            {player?.characters?.map((id, nth) => (
              <g
                key={id}
                transform={`translate(${(nth - 0.5) * (2 * radius + 6)} ${narrow ? 0 : 10})`}
              >
                <circle class="plusultra-medal" r={radius} />
                <Icon name={id} radius={radius - 2} />
                {used?.includes(id) && <path class="plusultra-tick" d="M8 20l7 8L30 8" />}
              </g>
            ))}
          </g>
        );
      })}
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
function bargain({ tables }: Drawn, id: string): (number | string)[] {
  const row = rowOf(tables, "common_actions", id);
  const sides = [row?.cost, row?.gain] as Record<string, number | string[]>[];
  const [cost = [], gain = []] = sides.map((side) =>
    Object.entries(side ?? {}).flatMap(([what, many]) =>
      Array.isArray(many) ? many : [many, BARGAIN[what] ?? what],
    ),
  );
  return [...cost, "▸", ...gain.filter((part, nth) => part !== 1 || nth > 0)];
}

function Bargain({ scene, id }: { scene: Drawn; id: string }) {
  return (
    <>
      {bargain(scene, id).map((part, nth) => (
        <g key={nth} transform={`translate(${-26 + nth * 24} -45)`}>
          {scene.board.icons.includes(String(part)) ? (
            <Icon name={String(part)} radius={12.5} />
          ) : (
            <text class="plusultra-title" font-size="25" dy="0.35em">
              {part}
            </text>
          )}
        </g>
      ))}
    </>
  );
}

export function Commons({ scene }: { scene: Drawn }) {
  const { says, board, narrow } = scene;
  const shape = board.kinds.common?.shape ?? {};
  const [width, height] = extentOf(shape);
  return (
    <>
      {keysOf(scene, "common").map((key) => (
        <Place at={key} key={key} class={`plusultra-of-${key}`} looks>
          <Outline class="plusultra-card" shape={shape} round={12} />
          <path
            class="plusultra-head"
            d={`M${-width / 2} ${64 - height / 2}v-52a12 12 0 0 1 12-12h${width - 24}a12 12 0 0 1 12 12v52Z`}
          />
          <g transform={`translate(${(narrow ? 24 : 30) - width / 2} ${32 - height / 2})`}>
            <Icon name={key} radius={narrow ? 19 : 23} />
          </g>
          {narrow ? (
            <>
              <Bargain scene={scene} id={key} />
              <Heading at={[0, 32]} width={width - 8} size={21} middle>
                {says.name("common_actions", key)}
              </Heading>
            </>
          ) : (
            <>
              <Heading at={[-36, -62]} width={126} size={18}>
                {says.name("common_actions", key)}
              </Heading>
              <Lines at={[-86, -14]} width={180} size={17}>
                {says.text("common_actions", key)}
              </Lines>
            </>
          )}
        </Place>
      ))}
      {ofType(scene, "taken").map((piece) => (
        <Piece
          of={piece}
          key={piece.key}
          shape={shape}
          class={`plusultra-of-${piece.place}`}
          name={says.label("board.taken", { spaces: [piece.place] })}
          looks
        >
          <Outline class="plusultra-veil" shape={shape} round={12} />
          <g transform={`translate(${width / 2 - 34} ${height / 2 - 34})`}>
            <Icon name="taken" radius={30} />
          </g>
        </Piece>
      ))}
    </>
  );
}

/** A name in lines centred at a height. */
function Heading({
  children,
  at: [x, y],
  width,
  size,
  middle = false,
}: {
  children: string;
  at: Point;
  width: number;
  size: number;
  middle?: boolean;
}) {
  const among = linesOf(children, width, size, true).length;
  return (
    <Lines at={[x, y - (among - 1) * size * 0.57]} width={width} size={size} bold middle={middle}>
      {children}
    </Lines>
  );
}

/** Large cards stand above the small ones. */
export function LargeCards({ scene }: { scene: Drawn }) {
  const { board, narrow } = scene;
  const [room] = board.size;
  const [, height] = extentOf(board.kinds.common?.shape ?? {});
  return (
    <>
      {ofType(scene, "character").map((piece) => {
        const { id, x, nth, among } = piece;
        return (
          <LargeCard
            key={id}
            scene={scene}
            table="characters"
            id={id ?? ""}
            at={
              narrow
                ? [x, characterAt(piece, narrow)[1] - 84]
                : [x + (nth - (among - 1) / 2) * 84, 644]
            }
            room={room}
          />
        );
      })}
      {keysOf(scene, "common").map((key) => {
        const { x = 0, y = 0 } = board.places[key] ?? {};
        return (
          <LargeCard
            key={key}
            scene={scene}
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
