/** Plus Ultra: the New World, the ocean between, and the court. Mats are drawn in mat.tsx. */

import {
  colour,
  type components,
  Icon,
  Outline,
  ofType,
  Piece,
  type PieceOf,
  Place,
  type Point,
  type Renderer,
  rowOf,
  rowsOf,
  type Scene,
  SeatSign,
  signPath,
} from "lonja";
import style from "./board.css";
import { icons, Price } from "./icons.tsx";
import { drawMat } from "./mat.tsx";
import { LANDSCAPE, OCEAN } from "./scenery.tsx";
import { capital, LargeCard, Lines, linesOf, squeezed } from "./words.tsx";

type View = components["schemas"]["PlusUltraView"];
type Drawn = Scene<View>;

const renderer: Renderer<View> = {
  icons,
  style,
  draw: (scene) => <Board scene={scene} />,
  mat: drawMat,
};
export default renderer;

function Board({ scene }: { scene: Drawn }) {
  const [width, height] = scene.board.size;
  return (
    <g class="plusultra-board">
      <rect width={width} height={height} rx="18" fill={colour("ground")} />
      {LANDSCAPE}
      {OCEAN}
      <Court scene={scene} />
      <NewWorld scene={scene} />
      <Sea scene={scene} />
      <Turns scene={scene} />
      <Orders scene={scene} />
      <Church scene={scene} />
      <Crown scene={scene} />
      <Market scene={scene} />
      <War scene={scene} />
      <Supplies scene={scene} />
      <Stage scene={scene} />
      <Commons scene={scene} />
      <LargeCards scene={scene} />
    </g>
  );
}

/** A field to which pieces come: its outline, and what is on it. */
function Face({ scene, at, tone }: { scene: Drawn; at: string; tone?: string }) {
  const place = scene.board.places[at];
  const kind = place && scene.board.kinds[place.kind];
  if (!place || !kind) return null;
  return (
    <Outline
      class="face"
      shape={place.shape ?? kind.shape}
      round={10}
      fill={colour(tone ?? kind.colour)}
    />
  );
}

/** The places of a kind, which are there before anything stands on them. */
function keysOf({ board: { places } }: Drawn, kind: string): string[] {
  return Object.keys(places).filter((key) => places[key]?.kind === kind);
}

function Panel({ box: [x, y, width, height], title }: { box: readonly number[]; title?: string }) {
  return (
    <g class="plusultra-panel">
      <rect x={x} y={y} width={width} height={height} rx="12" />
      {title && (
        <Lines at={[(x ?? 0) + 16, (y ?? 0) + 20]} width={width ?? 0} size={20} bold>
          {title}
        </Lines>
      )}
    </g>
  );
}

/** What lies under the fields of the court, with its names. */
function Court({ scene: { says, view } }: { scene: Drawn }) {
  return (
    <>
      <rect class="plusultra-city" x="672" y="8" width="920" height="812" rx="16" />
      <Panel box={[682, 14, 688, 86]} />
      <Panel box={[682, 108, 344, 108]} title={says.label("board.peer_order")} />
      <Panel box={[1034, 108, 336, 108]} title={says.label("board.next_order")} />
      <Panel box={[682, 222, 346, 130]} title={says.label("board.church")} />
      <Panel
        box={[1036, 222, 334, 130]}
        title={says.label("where.crown", { ducats: view.crown })}
      />
      <Panel box={[682, 358, 464, 134]} title={says.label("board.market")} />
      <Panel box={[1150, 358, 220, 134]} title={says.label("board.surplus")} />
      <Panel box={[682, 500, 688, 128]} title={says.label("board.war")} />
    </>
  );
}

function NewWorld({ scene }: { scene: Drawn }) {
  const { says, view, tables } = scene;
  return (
    <>
      <Lines at={[26, 31]} width={330} size={24} bold>
        {says.label("board.land")}
      </Lines>
      {keysOf(scene, "row").map((_, index) => (
        <g key={`row ${index + 1}`}>
          <path class="plusultra-path" d={`M150 ${102 + index * 108}h30`} />
          <Place at={`row_${index + 1}`}>
            <title>{says.place(`row_${index + 1}`)}</title>
            <Face scene={scene} at={`row_${index + 1}`} />
            <text class="plusultra-faint" font-size="34" dy="0.35em">
              {index + 1}
            </text>
          </Place>
          <Place at={`settlement_${index + 1}`}>
            <title>{says.place(`settlement_${index + 1}`)}</title>
            <rect class="plusultra-clearing" x="-86" y="-48" width="172" height="96" rx="30" />
          </Place>
        </g>
      ))}
      {ofType(scene, "settlement").map((piece) => {
        const size = Number(piece.id?.split("_")[1]);
        const pg = rowOf(tables, "settlements", piece.id ?? "")?.majority_pg;
        return (
          <Piece of={piece} key={piece.key} shape={{ rect: [168, 92] }}>
            <title>{tileWords(scene, piece)}</title>
            <rect
              x="-82"
              y="-44"
              width="164"
              height="88"
              rx="12"
              class="face"
              fill={colour("settlement")}
            />
            <g transform="translate(-58 -23)">
              <Icon name="settlement" radius={17} />
            </g>
            <g transform="translate(24 -23)">
              <Icon name="pg" radius={14} />
            </g>
            <text class="plusultra-title" font-size="24" x="54" y="-23" dy="0.35em">
              {String(pg ?? "")}
            </text>
            {[...Array(size).keys()].map((slot) => (
              <rect
                key={slot}
                class="plusultra-slot"
                x={slotX(slot, size) - 16}
                y="2"
                width="32"
                height="34"
                rx="6"
              />
            ))}
          </Piece>
        );
      })}
      {ofType(scene, "tile")
        .filter(({ place }) => place.startsWith("row_"))
        .map((piece) => (
          <Tile key={piece.key} scene={scene} piece={piece} />
        ))}
      {Object.values(Object.groupBy(ofType(scene, "house"), ({ place }) => place)).flatMap(
        (houses) =>
          houses?.map((piece, slot) => {
            const space = Number(piece.place.split("_")[1]);
            const size = view.settlements[space - 1]?.size ?? 4;
            return (
              <Piece
                of={piece}
                key={piece.key}
                at={[piece.x + slotX(slot, size), piece.y + 18]}
                shape={{ circle: 20 }}
                name={scene.says.owner(piece.owner ?? 0)}
              >
                <title>{scene.says.owner(piece.owner ?? 0)}</title>
                <House scene={scene} owner={piece.owner} />
              </Piece>
            );
          }) ?? [],
      )}
    </>
  );
}

function slotX(slot: number, size: number): number {
  return (slot - (size - 1) / 2) * 38;
}

function House({ scene, owner }: { scene: Drawn; owner: PieceOf["owner"] }) {
  const sign = scene.sign(owner ?? 0);
  const outline = "M-15 16V0L0-17L15 0V16Z";
  return (
    <>
      <path d={outline} class="plusultra-edge" fill={colour(sign.colour)} />
      <path d={outline} fill={`url(#pattern-${sign.pattern})`} />
      <path d={signPath(sign)} transform="translate(0 4) scale(.7)" class="plusultra-badge" />
    </>
  );
}

function tileWords({ says }: Drawn, piece: PieceOf): string {
  const id = piece.id ?? "";
  return [says.name("tile_kinds", id), says.text("tile_kinds", id)].filter(Boolean).join(": ");
}

/** A tile of the New World: its picture and its name; the pillars, where it lies face down. */
function Tile({
  scene,
  piece,
  size: [width, height] = [124, 84],
}: {
  scene: Drawn;
  piece: PieceOf;
  size?: Point;
}) {
  const id = piece.id ?? "";
  const known = scene.board.catalogue.tile_kinds;
  const back = id === "face_down";
  return (
    <Piece of={piece} shape={{ rect: [width + 4, height + 4] }}>
      <title>{tileWords(scene, piece)}</title>
      <rect
        class={back ? "plusultra-back" : "face"}
        x={-width / 2}
        y={-height / 2}
        width={width}
        height={height}
        rx="9"
        fill={colour(known?.colours?.[id] ?? "paper")}
      />
      {back ? (
        <g class="plusultra-pillars">
          <path d="M-26 24V-22M26 24V-22M-34 25h16M18 25h16M-34-23h16M18-23h16" />
          <path class="plusultra-ribbon" d="M-34 12Q-10 24 0 0T34-12" />
        </g>
      ) : (
        <>
          <circle class="plusultra-medal" r="25" cy="-12" />
          <g transform="translate(0 -12)">
            <Icon name={known?.icons?.[id] ?? "tile"} radius={21} />
          </g>
          <text class="plusultra-on-tile" font-size="18" y={height / 2 - 14} dy="0.35em">
            {capital(scene.says.name("tile_kinds", id))}
          </text>
        </>
      )}
    </Piece>
  );
}

function Sea({ scene }: { scene: Drawn }) {
  const track = scene.board.tracks?.sea_trade?.places ?? [];
  const points = track.map((key) => scene.board.places[key]);
  const route = points.map((place) => `${place?.x},${place?.y}`).join(" ");
  return (
    <>
      <polyline class="plusultra-route" points={route} />
      {track.map((key, steps) => (
        <Place at={key} key={key}>
          <title>{scene.says.place(key)}</title>
          <rect class="plusultra-water" x="-48" y="-39" width="96" height="78" rx="16" />
          <text class="plusultra-title" font-size="22" x="-30" y="-22" dy="0.35em">
            {steps}
          </text>
        </Place>
      ))}
      {ofType(scene, "sea_marker").map((piece) => {
        const alone = piece.among === 1;
        const x = alone ? 4 : ((piece.nth % 2) - 0.5) * 44;
        const y = alone ? 2 : piece.among < 3 ? 6 : (Math.floor(piece.nth / 2) - 0.5) * 38 + 2;
        return (
          <Piece
            of={piece}
            key={piece.key}
            at={[piece.x + x, piece.y + y]}
            shape={{ circle: alone ? 30 : 20 }}
            name={scene.says.owner(piece.owner ?? 0)}
          >
            <title>{scene.says.owner(piece.owner ?? 0)}</title>
            <g transform={`scale(${alone ? 1.5 : 1})`}>
              <Galleon scene={scene} owner={piece.owner} />
            </g>
          </Piece>
        );
      })}
    </>
  );
}

function Galleon({ scene, owner }: { scene: Drawn; owner: PieceOf["owner"] }) {
  const sign = scene.sign(owner ?? 0);
  const sail = "M-13-15Q0-20 13-15Q17-4 13 6Q0 1-13 6Q-17-4-13-15Z";
  return (
    <>
      <path class="plusultra-mast" d="M0 10V-20" />
      <path d={sail} class="plusultra-edge" fill={colour(sign.colour)} />
      <path d={sail} fill={`url(#pattern-${sign.pattern})`} />
      <path d={signPath(sign)} transform="translate(0 -5) scale(.72)" class="plusultra-badge" />
      <path class="plusultra-hull" d="M-19 6L-14 10H14L19 4Q19 18 9 19H-9Q-18 18-19 6Z" />
    </>
  );
}

function Turns({ scene }: { scene: Drawn }) {
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
        <text class="plusultra-title" font-size="24" dy="0.35em">
          {view.round ? capital(says.label("board.round", { round: view.round })) : "–"}
        </text>
      </Place>
      {ofType(scene, "turn_marker").map((piece) => (
        <Piece of={piece} key={piece.key} shape={{ circle: 33 }} name={says.place(piece.place)}>
          <circle class="plusultra-now" r="30" />
          <g transform="translate(22 -20)">
            <Icon name="turn" radius={14} />
          </g>
        </Piece>
      ))}
    </>
  );
}

function Orders({ scene }: { scene: Drawn }) {
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

function Church({ scene }: { scene: Drawn }) {
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
          <Tile key={piece.key} scene={scene} piece={piece} size={[94, 74]} />
        ))}
    </>
  );
}

/** What the King gains by the wealth of the crown. */
function favour({ tables }: Drawn, ducats: number): string {
  const row = rowsOf(tables, "king_favor").find(
    ({ crown_min, crown_max }) => Number(crown_min) <= ducats && ducats <= Number(crown_max),
  );
  return String(row?.pg ?? 0);
}

function Crown({ scene }: { scene: Drawn }) {
  const { says, board } = scene;
  return (
    <>
      {board.tracks?.crown?.places.map((key, ducats) => (
        <Place at={key} key={key}>
          <title>{says.place(key)}</title>
          <Face scene={scene} at={key} />
          <text class="plusultra-title" font-size="22" y="-20" dy="0.35em">
            {ducats}
          </text>
          <g transform="translate(-8 20)">
            <Icon name="pg" radius={10} />
          </g>
          <text font-size="18" x="12" y="20" dy="0.35em">
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

/** What a good brings: others of its kind in the market lower it. */
function priceOf({ tables, view }: Drawn, good: string, inMarket: boolean): number {
  const { base_price, minimum } = tables.merchant as { base_price: number; minimum: number };
  const others = view.market.filter((other) => other === good).length - Number(inMarket);
  return Math.max(base_price - others, minimum);
}

function Market({ scene }: { scene: Drawn }) {
  const { says, view } = scene;
  const goods = ofType(scene, "tile");
  const heap = goods.filter(({ place }) => place === "surplus");
  const sold = view.merchant_market_slot === "slot_1" ? 1 : view.market.length;
  const top = heap.at(-1);
  return (
    <>
      <path
        class="plusultra-awning"
        d="M810 364h326v12q-16 14-32 0q-16 14-33 0q-16 14-32 0q-17 14-33 0q-16 14-33 0q-16 14-32 0q-17 14-33 0q-16 14-32 0q-17 14-33 0q-16 14-33 0Z"
      />
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
          <Tile key={piece.key} scene={scene} piece={piece} size={[96, 86]} />
        ))}
      {heap.map((piece) => (
        <Heaped key={piece.key} scene={scene} piece={piece} />
      ))}
      {view.market[sold - 1] && (
        <g transform={`translate(${742 + (sold - 1) * 112 + 36} 402)`}>
          <Price ducats={priceOf(scene, view.market[sold - 1] ?? "", true)} />
        </g>
      )}
      {top && (
        <g transform="translate(1348 402)">
          <Price ducats={priceOf(scene, top.id ?? "", false)} />
        </g>
      )}
    </>
  );
}

/** A good of the surplus: the top one can be seen well, for it is sold first. */
function Heaped({ scene, piece }: { scene: Drawn; piece: PieceOf }) {
  const { nth, among, x, y, id } = piece;
  if (nth === among - 1)
    return (
      <g>
        <Tile scene={scene} piece={{ ...piece, x: x + 56 }} size={[92, 86]} />
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

function War({ scene }: { scene: Drawn }) {
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

const SUPPLIES = {
  pile: "tile",
  bank: "ducat",
  bulls: "bull",
  rosettes: "rosette",
  magellan: "magellan",
  estates: "estate",
};

function Supplies({ scene }: { scene: Drawn }) {
  const { says, view } = scene;
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
      {Object.entries(SUPPLIES).map(([key, icon]) => (
        <Place at={key} key={key}>
          <Face scene={scene} at={key} />
          <g transform="translate(-50 -16)">
            <Icon name={icon} radius={22} />
          </g>
          <text class="plusultra-title" font-size="32" x="14" y="-17" dy="0.35em">
            {left[key as keyof typeof SUPPLIES]}
          </text>
          <Centred width={194} y={24}>
            {says.place(key)}
          </Centred>
        </Place>
      ))}
      <Place at="estates_used">
        <Face scene={scene} at="estates_used" />
        {view.estates_used.length === 0 && (
          <g class="plusultra-faint" transform="translate(0 20)">
            <Icon name="estate" radius={50} />
          </g>
        )}
        <Lines at={[0, -86]} width={184} middle bold>
          {says.place("estates_used")}
        </Lines>
        {view.estates_used
          .flatMap((id) => linesOf(says.name("estates", id), 186, 17))
          .map((said, index) => (
            <Lines key={said} at={[0, -58 + index * 21]} width={186} middle>
              {said}
            </Lines>
          ))}
      </Place>
    </>
  );
}

/** One or two lines about a height. */
function Centred({ children, width, y }: { children: string; width: number; y: number }) {
  const among = linesOf(children, width, 17).length;
  return (
    <Lines at={[0, y - (among - 1) * 9.7]} width={width} middle>
      {children}
    </Lines>
  );
}

/** The cards to choose from; else who decides, and as whom. */
function Stage({ scene }: { scene: Drawn }) {
  const { says } = scene;
  const cards = ofType(scene, "character");
  return (
    <>
      <Place at="pack">
        <rect class="plusultra-stage" x="-342" y="-84" width="684" height="168" rx="14" />
        {cards.length === 0 && <Acting scene={scene} />}
        {cards.length > 0 && <title>{says.place("pack")}</title>}
      </Place>
      {cards.map((piece) => {
        const width = Math.min(124, 672 / piece.among);
        const at: Point = [piece.x + (piece.nth - (piece.among - 1) / 2) * width, piece.y];
        return (
          <Piece
            of={piece}
            key={piece.key}
            at={at}
            shape={{ rect: [width - 4, 154] }}
            class={`plusultra-of-${piece.id}`}
          >
            <title>{`${says.name("characters", piece.id ?? "")}: ${says.text("characters", piece.id ?? "")}`}</title>
            <rect
              class="plusultra-card"
              x={4 - width / 2}
              y="-75"
              width={width - 8}
              height="150"
              rx="10"
            />
            <circle class="plusultra-medal" cy="-30" r={Math.min(40, width / 2 - 6)} />
            <g transform="translate(0 -29)">
              <Icon name={piece.id ?? ""} radius={Math.min(38, width / 2 - 9)} />
            </g>
            <CardName width={width - 10}>{says.name("characters", piece.id ?? "")}</CardName>
          </Piece>
        );
      })}
    </>
  );
}

/** A name below a portrait; a word that is too long for its card is drawn together. */
function CardName({ children, width }: { children: string; width: number }) {
  const lines = linesOf(children, width + 6, 17);
  return (
    <text font-size="17">
      {lines.map((said, number) => (
        <tspan
          key={said}
          x="0"
          y={42 + (number - (lines.length - 1) / 2) * 19}
          dy="0.35em"
          {...squeezed(said, width, 17)}
        >
          {said}
        </tspan>
      ))}
    </text>
  );
}

function Acting({ scene }: { scene: Drawn }) {
  const { says, view } = scene;
  const { decider, activation, phase } = view;
  const known = activation?.character ?? null;
  const asked =
    decider === null
      ? view.end_reason
        ? says.label(`reason.${view.end_reason}`)
        : ""
      : says.label(`decision.${phase}`);
  const backs = phase === "draft" ? 8 - view.picks : 0;
  return (
    <>
      <g class="plusultra-pillars plusultra-faint">
        <path d="M-306 70V-62M306 70V-62M-324 72h36M288 72h36M-324-64h36M288-64h36" />
      </g>
      {known === null && backs === 0 && (
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
        <g transform="translate(-240 -58)">
          <SeatSign sign={scene.sign(decider)} size={1.5} />
        </g>
      )}
      <Lines at={[decider === null ? -250 : -212, -58]} width={500} size={22} bold>
        {decider === null ? capital(asked) : `${says.owner(decider)}: ${asked}`}
      </Lines>
      {known !== null && (
        <>
          <circle class="plusultra-medal" cx="-228" cy="26" r="46" />
          <g transform="translate(-228 27)">
            <Icon name={known} radius={43} />
          </g>
          <Lines at={[-168, -31]} width={400} size={20} bold>
            {says.name("characters", known)}
          </Lines>
          <Lines at={[-168, -8]} width={446} size={17}>
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

function Commons({ scene }: { scene: Drawn }) {
  const { says } = scene;
  const keys = keysOf(scene, "common");
  return (
    <>
      {keys.map((key) => {
        const name = says.name("common_actions", key);
        const heads = linesOf(name, 126, 18, true).length;
        return (
          <Place at={key} key={key} class={`plusultra-of-${key}`}>
            <rect class="plusultra-card" x="-95" y="-94" width="190" height="188" rx="12" />
            <path
              class="plusultra-head"
              d="M-95-30V-82a12 12 0 0 1 12-12H83a12 12 0 0 1 12 12V-30Z"
            />
            <g transform="translate(-65 -62)">
              <Icon name={key} radius={23} />
            </g>
            <Lines at={[-36, -62 - (heads - 1) * 10.2]} width={126} size={18} bold>
              {name}
            </Lines>
            <Lines at={[-86, -14]} width={180} size={17}>
              {says.text("common_actions", key)}
            </Lines>
          </Place>
        );
      })}
      {ofType(scene, "taken").map((piece) => (
        <Piece
          of={piece}
          key={piece.key}
          shape={{ rect: [190, 188] }}
          class={`plusultra-of-${piece.place}`}
          name={says.label("board.taken", { spaces: [piece.place] })}
        >
          <rect class="plusultra-veil" x="-95" y="-94" width="190" height="188" rx="12" />
          <g transform="translate(60 60)">
            <Icon name="taken" radius={30} />
          </g>
        </Piece>
      ))}
    </>
  );
}

function LargeCards({ scene }: { scene: Drawn }) {
  return (
    <>
      {ofType(scene, "character").map(({ id, x, nth, among }) => (
        <LargeCard
          key={id}
          scene={scene}
          table="characters"
          id={id ?? ""}
          above={[x + (nth - (among - 1) / 2) * 84, 644]}
        />
      ))}
      {Object.entries(scene.board.places).map(
        ([key, { kind, x }]) =>
          kind === "common" && (
            <LargeCard key={key} scene={scene} table="common_actions" id={key} above={[x, 828]} />
          ),
      )}
    </>
  );
}
