/** The court: turns, peer order, church, crown, market, war, and supplies. */

import {
  colour,
  extentOf,
  Icon,
  ofType,
  Piece,
  type PieceOf,
  Place,
  type Point,
  rowsOf,
  SeatSign,
  Text,
  useLeast,
} from "lonja";
import type { ComponentChildren } from "preact";
import { type Drawn, Face, keysOf, Tile, tileWords } from "./fields.tsx";
import { MOVED } from "./narrow.ts";
import { capital } from "./words.tsx";

function Panel({
  box: [x, y, width, height],
  title,
  short,
}: {
  box: readonly number[];
  title?: string;
  short?: string;
}) {
  return (
    <g class="plusultra-panel">
      <rect x={x} y={y} width={width} height={height} rx="12" />
      {title && (
        <Text
          broad
          class="plusultra-left plusultra-title"
          box={[(width ?? 0) - 24, 26]}
          at={[(x ?? 0) + 16, (y ?? 0) + 20]}
          max={20}
          short={short}
        >
          {title}
        </Text>
      )}
    </g>
  );
}

const AWNING =
  "M810 364h326v12q-16 14-32 0q-16 14-33 0q-16 14-32 0q-17 14-33 0q-16 14-33 0q-16 14-32 0q-17 14-33 0q-16 14-32 0q-17 14-33 0q-16 14-33 0Z";

/** The ground under the fields of the court, with the names of the fields. */
export function Court({ scene: { says, view, narrow } }: { scene: Drawn }) {
  return (
    <>
      {narrow ? (
        <>
          <rect class="plusultra-city" x="2" y="6" width="688" height="776" rx="16" />
          <rect class="plusultra-city" x="2" y="1606" width="688" height="880" rx="16" />
        </>
      ) : (
        <rect class="plusultra-city" x="672" y="8" width="920" height="812" rx="16" />
      )}
      <g transform={narrow ? `translate(${MOVED.turns})` : undefined}>
        <Panel box={[682, 14, 688, 86]} />
      </g>
      <g transform={narrow ? `translate(${MOVED.court})` : undefined}>
        <Panel box={[682, 108, 344, 108]} title={says.label("board.peer_order")} />
        <Panel box={[1034, 108, 336, 108]} title={says.label("board.next_order")} />
        <Panel box={[682, 222, 346, 130]} title={says.label("board.church")} />
        <Panel
          box={[1036, 222, 334, 130]}
          title={says.label("where.crown", { ducats: view.crown })}
          short={says.label("short.crown")}
        />
        <Panel box={[682, 358, 464, 134]} title={says.label("board.market")} />
        <Panel box={[1150, 358, 220, 134]} title={says.label("board.surplus")} />
        <Panel box={[682, 500, 688, 128]} title={says.label("board.war")} />
        <path class="plusultra-awning" d={AWNING} transform="translate(114) scale(.9 1)" />
      </g>
    </>
  );
}

export function Turns({ scene }: { scene: Drawn }) {
  const { says, view, board } = scene;
  return (
    <>
      {board.tracks?.turns?.places.map((key, index) => (
        <Place at={key} key={key}>
          <title>{says.place(key)}</title>
          <circle
            class={index + 1 < view.turn ? "face plusultra-past" : "face"}
            r="30"
            fill={colour("paper")}
          />
          <text class="plusultra-title" font-size="26" dy="0.35em">
            {index + 1}
          </text>
        </Place>
      ))}
      <Place at="round">
        <title>{says.place("round")}</title>
        <Face scene={scene} at="round" />
        <Text
          broad
          class="plusultra-title"
          box={[130, 60]}
          max={26}
          short={view.round ? String(view.round) : undefined}
        >
          {view.round ? capital(says.label("board.round", { round: view.round })) : "–"}
        </Text>
      </Place>
      {ofType(scene, "turn_marker").map((piece) => (
        <Piece of={piece} key={piece.key} shape={{ circle: 33 }} name={says.place(piece.place)}>
          <circle class="plusultra-now" r="30" />
          <g transform="translate(26 -24)">
            <Icon name="turn" radius={14} />
          </g>
        </Piece>
      ))}
    </>
  );
}

export function Orders({ scene }: { scene: Drawn }) {
  const { says } = scene;
  const keys = keysOf(scene, "order");
  return (
    <>
      {keys.map((key) => (
        <Place at={key} key={key}>
          <title>{says.place(key)}</title>
          <circle class="face" r="34" fill={colour("paper")} />
          <text class="plusultra-faint" font-size="28" dy="0.35em">
            {key.split("_")[1]}
          </text>
        </Place>
      ))}
      {ofType(scene, "peer").map((piece) => (
        <Piece
          of={piece}
          key={piece.key}
          shape={{ circle: 30 }}
          name={says.owner(piece.owner ?? 0)}
        >
          <title>{says.owner(piece.owner ?? 0)}</title>
          <path class="plusultra-shield" d="M-24-26H24V2Q22 20 0 30Q-22 20-24 2Z" />
          <SeatSign sign={scene.sign(piece.owner ?? 0)} size={1.45} />
        </Piece>
      ))}
    </>
  );
}

export function Church({ scene }: { scene: Drawn }) {
  return (
    <>
      {keysOf(scene, "church").map((key) => (
        <Place at={key} key={key}>
          <title>{scene.says.place(key)}</title>
          <path class="plusultra-arch" d="M-53 44V-8Q-50-32 0-44Q50-32 53-8V44Z" />
          <g class="plusultra-faint">
            <Icon name="rosette" radius={20} />
          </g>
        </Place>
      ))}
      {ofType(scene, "tile")
        .filter(({ place }) => place.startsWith("church_"))
        .map((piece) => (
          <Tile key={piece.key} scene={scene.fixed} piece={piece} size={[94, 74]} />
        ))}
    </>
  );
}

/** The King's gains by the wealth of the crown. */
function favour({ tables }: Drawn, ducats: number): string {
  const row = rowsOf(tables, "king_favor").find(
    ({ crown_min, crown_max }) => Number(crown_min) <= ducats && ducats <= Number(crown_max),
  );
  return String(row?.pg ?? 0);
}

export function Crown({ scene }: { scene: Drawn }) {
  const { says, board } = scene;
  // A large digit needs most of the width.
  const [sign, radius, digit] = useLeast() > 32 ? [-14, 7, 7] : [-8, 10, 12];
  return (
    <>
      {board.tracks?.crown?.places.map((key, ducats) => (
        <Place at={key} key={key}>
          <title>{says.place(key)}</title>
          <Face scene={scene} at={key} />
          <text class="plusultra-title" font-size="22" y="-20" dy="0.35em">
            {ducats}
          </text>
          <g transform={`translate(${sign} 20)`}>
            <Icon name="pg" radius={radius} />
          </g>
          <text font-size="21" x={digit} y="20" dy="0.35em">
            {favour(scene, ducats)}
          </text>
        </Place>
      ))}
      {ofType(scene, "crown_ducats").map((piece) => (
        <Piece of={piece} key={piece.key} shape={{ rect: [44, 74] }} name={says.place(piece.place)}>
          <rect class="plusultra-now" x="-21" y="-36" width="42" height="72" rx="10" />
          <g transform="translate(0 -44)">
            <Icon name="crown" radius={15} />
          </g>
        </Piece>
      ))}
    </>
  );
}

/** The price of a good: others of its kind in the market lower it. */
function priceOf({ tables, view }: Drawn, good: string, inMarket: boolean): number {
  const { base_price, minimum } = tables.merchant as { base_price: number; minimum: number };
  const others = view.market.filter((other) => other === good).length - Number(inMarket);
  return Math.max(base_price - others, minimum);
}

export function Market({ scene }: { scene: Drawn }) {
  const { says, view, board } = scene;
  const goods = ofType(scene, "tile");
  const heap = goods.filter(({ place }) => place === "surplus");
  const sold = view.merchant_market_slot === "slot_1" ? 1 : view.market.length;
  const top = heap.at(-1);
  return (
    <>
      {[1, 2, 3, 4].map((slot) => (
        <Place at={`market_${slot}`} key={slot}>
          <title>{says.place(`market_${slot}`)}</title>
          <Face scene={scene} at={`market_${slot}`} />
          <text class="plusultra-faint" font-size="34" dy="0.35em">
            {slot}
          </text>
        </Place>
      ))}
      <Place at="surplus">
        <title>{says.place("surplus")}</title>
        <Face scene={scene} at="surplus" />
      </Place>
      {goods
        .filter(({ place }) => place.startsWith("market_"))
        .map((piece) => (
          <Tile key={piece.key} scene={scene.fixed} piece={piece} size={[96, 86]} />
        ))}
      {heap.map((piece) => (
        <Heaped key={piece.key} scene={scene} piece={piece} />
      ))}
      {view.market[sold - 1] && (
        <Above place={board.places[`market_${sold}`]} by={[36, -36]}>
          <Price ducats={priceOf(scene, view.market[sold - 1] ?? "", true)} />
        </Above>
      )}
      {top && (
        <Above place={board.places.surplus} by={[86, -36]}>
          <Price ducats={priceOf(scene, top.id ?? "", false)} />
        </Above>
      )}
    </>
  );
}

/** A piece on a place, offset from its centre. */
function Above({
  place: { x, y } = { x: 0, y: 0 },
  by: [dx, dy],
  children,
}: {
  place?: { readonly x: number; readonly y: number } | undefined;
  by: Point;
  children: ComponentChildren;
}) {
  return <g transform={`translate(${x + dx} ${y + dy})`}>{children}</g>;
}

/** A good of the surplus. The top good is prominent, because it is sold first. */
function Heaped({ scene, piece }: { scene: Drawn; piece: PieceOf }) {
  const { nth, among, x, y, id } = piece;
  if (nth === among - 1)
    return (
      <g>
        <Tile scene={scene.fixed} piece={{ ...piece, x: x + 56 }} size={[92, 86]} />
      </g>
    );
  const columns = Math.max(4, Math.ceil((among - 1) / 3));
  const gap = 98 / columns;
  const at: Point = [x - 90 + (nth % columns) * gap, y - 28 + Math.floor(nth / columns) * 28];
  const known = scene.board.catalogue.tile_kinds;
  return (
    <Piece of={piece} at={at} shape={{ circle: 14 }}>
      <title>{tileWords(scene, piece)}</title>
      <circle class="face" r="13" fill={colour(known?.colours?.[id ?? ""] ?? "paper")} />
      <Icon name={known?.icons?.[id ?? ""] ?? "tile"} radius={10} />
    </Piece>
  );
}

export function War({ scene }: { scene: Drawn }) {
  const { says, view } = scene;
  return (
    <>
      {[1, 2, 3, 4, 5, 6].map((space) => (
        <Place
          at={`war_${space}`}
          key={space}
          class={space > view.war_level ? "plusultra-needless" : ""}
        >
          <title>{says.place(`war_${space}`)}</title>
          <circle class="plusultra-drum" r="40" />
          <circle class="face" r="33" fill={colour("paper")} />
          <text class="plusultra-faint" font-size="30" dy="0.35em">
            {space}
          </text>
        </Place>
      ))}
      <Place at="war_level">
        <title>{says.place("war_level")}</title>
        <Face scene={scene} at="war_level" />
        <g transform="translate(-36 0)">
          <Icon name="war" radius={24} />
        </g>
        <text class="plusultra-title" font-size="32" x="30" dy="0.35em">
          {`${view.war.length}/${view.war_level}`}
        </text>
      </Place>
      {ofType(scene, "tercio").map((piece) => {
        const sign = scene.sign(piece.owner ?? 0);
        return (
          <Piece
            of={piece}
            key={piece.key}
            shape={{ circle: 36 }}
            name={says.owner(piece.owner ?? 0)}
          >
            <title>{says.owner(piece.owner ?? 0)}</title>
            <circle r="33" class="plusultra-edge" fill={colour(sign.colour)} />
            <circle r="33" fill={`url(#pattern-${sign.pattern})`} />
            <circle r="24" class="plusultra-medal" />
            <g transform="translate(-5 0)">
              <Icon name="tercio" radius={20} />
            </g>
            <g transform="translate(17 14)">
              <SeatSign sign={sign} size={0.95} />
            </g>
          </Piece>
        );
      })}
    </>
  );
}

/** The icon of each supply, and its short name. */
const SUPPLIES = {
  pile: ["tile", "tiles"],
  bank: ["ducat", "ducats"],
  bulls: ["bull", "bulls"],
  rosettes: ["rosette", "rosettes"],
  magellan: ["magellan", "magellan"],
  estates: ["estate", "estates"],
} as const;

export function Supplies({ scene }: { scene: Drawn }) {
  const { says, view, board, narrow } = scene;
  const size = narrow ? 22 : 18;
  const [width] = extentOf(board.kinds.area?.shape ?? {});
  const [wide, tall] = extentOf(board.kinds.used?.shape ?? {});
  const used = view.estates_used.map((id) => says.name("estates", id));
  const left: Record<keyof typeof SUPPLIES, number> = {
    pile: view.pile,
    bank: view.bank,
    bulls: view.bull_supply,
    rosettes: view.rosette_supply,
    magellan: view.magellan_supply,
    estates: view.estate_stack,
  };
  return (
    <>
      {Object.entries(SUPPLIES).map(([key, [icon, name]]) => (
        <Place at={key} key={key}>
          <Face scene={scene} at={key} />
          <g transform={`translate(-50 ${narrow ? -26 : -16})`}>
            <Icon name={icon} radius={22} />
          </g>
          <text class="plusultra-title" font-size="32" x="14" y={narrow ? -27 : -17} dy="0.35em">
            {left[key as keyof typeof SUPPLIES]}
          </text>
          <Text
            class={useLeast() > size ? "plusultra-slim" : ""}
            box={[width - 4, 42]}
            at={[0, 24]}
            max={size}
            short={capital(says.label(`board.${name}`))}
          >
            {says.place(key)}
          </Text>
        </Place>
      ))}
      <Place at="estates_used">
        <Face scene={scene} at="estates_used" />
        {view.estates_used.length === 0 && (
          <g class="plusultra-faint" transform="translate(0 20)">
            <Icon name="estate" radius={narrow ? 28 : 50} />
          </g>
        )}
        <Text broad class="plusultra-title" box={[wide - 8, 28]} at={[0, 18 - tall / 2]} max={size}>
          {says.place("estates_used")}
        </Text>
        <Text box={[wide - 10, tall - 40]} at={[0, 16]} max={size}>
          {used.join(", ")}
        </Text>
      </Place>
    </>
  );
}

/** The symbol of a price: a coin with a number. */
function Price({ ducats }: { ducats: number }) {
  return (
    <g class="plusultra-price">
      <path
        d="M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0Z"
        transform="scale(1.9)"
        fill="#e2b93b"
        stroke="#2b2117"
        stroke-width="0.8"
      />
      <text font-size="21" dy="0.35em">
        {ducats}
      </text>
    </g>
  );
}
