/** The panel beside the land: turn, ships, prices and decks. */

import {
  colour,
  extentOf,
  Icon,
  Outline,
  ofType,
  Piece,
  type PieceOf,
  Place,
  type Point,
  rowOf,
  shapeOf,
  Text,
  useLeast,
} from "lonja";
import { Back, Bold, BonusFace, type RagusaScene, SignAt, Spot } from "./parts.tsx";

const COMMODITIES = ["wine", "oil", "silver"] as const;

export function Market({ scene }: { scene: RagusaScene }) {
  const { board, narrow } = scene;
  const of = (kind: string) =>
    Object.entries(board.places).filter(([, place]) => place.kind === kind);
  return (
    <g class="ragusa-market">
      {!narrow && (
        <>
          <rect x="1036" y="2" width="402" height="996" rx="14" fill={colour("ground")} />
          <rect x="1036" y="2" width="402" height="996" rx="14" class="ragusa-rim" opacity="0.35" />
        </>
      )}
      <Turn scene={scene} />
      {of("slot").map(([key, place], slot) => (
        <Place key={key} at={key} class={`ragusa-of-${scene.view.ship_row[slot]}`}>
          <Slot scene={scene} id={key} says={place.says ?? {}} />
        </Place>
      ))}
      {ofType(scene, "ship").map((piece) => (
        <Ship key={piece.key} scene={scene} piece={piece} />
      ))}
      <Coming scene={scene} />
      {COMMODITIES.map((id) => (
        <Spot
          key={id}
          name={id}
          at={[narrow ? 36 : 1062, board.places[`price_${id}_0`]?.y ?? 0]}
          radius={narrow ? 30 : 19}
        />
      ))}
      {of("price").map(([key, { mark = "" }]) => (
        <Place key={key} at={key}>
          <title>{scene.says.place(key)}</title>
          <Face scene={scene} at={key} />
          <Bold at={[0, 0]} size={narrow ? 36 : 20}>
            {mark}
          </Bold>
        </Place>
      ))}
      {ofType(scene, "price_marker").map((piece) => (
        <PriceMarker key={piece.key} scene={scene} piece={piece} />
      ))}
      <Cards scene={scene} />
    </g>
  );
}

function Face({
  scene: { board },
  at,
  tone = "paper",
}: {
  scene: RagusaScene;
  at: string;
  tone?: string;
}) {
  const place = board.places[at];
  if (!place) return null;
  return (
    <Outline class="ragusa-face" shape={shapeOf(board, place)} round={8} fill={colour(tone)} />
  );
}

/** The signs of all who are asked, in a row. */
function Asked({ scene }: { scene: RagusaScene }) {
  const { asked } = scene.view;
  return (
    <>
      {asked.map((seat, nth) => (
        <SignAt
          key={seat}
          scene={scene}
          owner={seat}
          at={[40 * (nth - (asked.length - 1) / 2), 0]}
          size={1.3}
        />
      ))}
    </>
  );
}

/** The open decision, its hex, and the houses that act after it. */
function Turn({ scene }: { scene: RagusaScene }) {
  const { view, says, board, narrow } = scene;
  const scale = narrow ? 1.5 : 1;
  const [width, height] = extentOf(board.places.active?.shape ?? board.kinds.area?.shape ?? {});
  const [active] = ofType(scene, "active");
  const asked = view.end_reason
    ? says.label("board.over", { reason: view.end_reason })
    : view.asked.length > 0
      ? says.label(`decision.${view.phase}`)
      : says.label("board.nature");
  const others = view.asked.filter((seat) => seat !== view.active);
  const [across, down] = [width - (active ? 84 : 30) * scale, height - 4];
  const letters = narrow ? 34 : 18;
  const shorter = view.end_reason
    ? says.label(`reason.${view.end_reason}`)
    : active && says.owner(active.owner ?? 0);
  return (
    <>
      <Place at="active">
        <title>{says.place("active")}</title>
        <Face scene={scene} at="active" />
        <Text
          class="ragusa-bold"
          box={[across, down]}
          at={[active ? 28 * scale : 0, 0]}
          max={letters}
          short={() =>
            shorter ? (
              <Text class="ragusa-bold" box={[across, down]} max={letters} short={() => null}>
                {shorter}
              </Text>
            ) : (
              <Asked scene={scene} />
            )
          }
        >
          {asked}
        </Text>
      </Place>
      {active && (
        <Piece
          of={active}
          at={[active.x - width / 2 + 28 * scale, active.y]}
          name={says.owner(active.owner ?? 0)}
        >
          <title>{says.owner(active.owner ?? 0)}</title>
          <SignAt scene={scene} owner={active.owner ?? 0} at={[0, 0]} size={1.6 * scale} />
        </Piece>
      )}
      <Place at="now">
        <title>
          {[says.place("now"), view.current_hex && says.name("hexes", view.current_hex)]
            .filter(Boolean)
            .join(": ")}
        </title>
        <Face scene={scene} at="now" />
        {view.current_hex ? (
          <>
            <Spot name={view.current_hex} at={[narrow ? -154 : -26, 0]} radius={22 * scale} />
            {narrow && (
              <Text
                class="ragusa-bold"
                box={[others.length > 0 ? 230 : 300, 90]}
                at={[others.length > 0 ? 6 : 40, 0]}
                max={32}
              >
                {says.name("hexes", view.current_hex)}
              </Text>
            )}
            {others.slice(0, 1).map((seat) => (
              <SignAt
                key={seat}
                scene={scene}
                owner={seat}
                at={[narrow ? 160 : 28, 0]}
                size={1.5 * scale}
              />
            ))}
          </>
        ) : (
          <g class="ragusa-zero">
            <Icon name="turn" radius={19 * scale} />
          </g>
        )}
      </Place>
      <Place at="activated">
        <Face scene={scene} at="activated" />
        <Text
          box={narrow ? [330, 90] : [126, 58]}
          at={[narrow ? -340 : -128, 0]}
          max={narrow ? 32 : 18}
          short={() => null}
        >
          {says.place("activated")}
        </Text>
        {view.pending_hexes.map((id, nth) => (
          <g
            key={id}
            transform={`translate(${narrow ? -110 + 84 * nth : -44 + 48 * nth} 0) scale(${scale})`}
          >
            <title>{says.name("hexes", id)}</title>
            <circle class="ragusa-medal" r="22" />
            <Icon name={id} radius={17} />
          </g>
        ))}
        {view.activation_queue.slice(0, 6).map(({ space, owner }, nth) => (
          <g key={space}>
            <title>{`${says.owner(owner)}: ${says.name("spaces", space)}`}</title>
            <SignAt
              scene={scene}
              owner={owner}
              at={[
                (narrow ? 470 : 180) -
                  30 * scale * (Math.min(view.activation_queue.length, 6) - 1 - nth),
                0,
              ]}
              size={(nth === 0 ? 1.15 : 0.85) * scale}
            />
          </g>
        ))}
      </Place>
    </>
  );
}

/** On a narrow screen, elements that have room around them are enlarged by this factor. */
const LARGER = "scale(1.6)";

// Ships

function Slot({
  scene,
  id,
  says,
}: {
  scene: RagusaScene;
  id: string;
  says: Readonly<Record<string, unknown>>;
}) {
  const cost = Object.entries((says.cost ?? {}) as Record<string, number>).flatMap(
    ([commodity, units]) => Array.from({ length: units }, () => commodity),
  );
  return (
    <>
      <title>{scene.says.place(id)}</title>
      <Face scene={scene} at={id} tone="sea" />
      {scene.narrow ? (
        <>
          {cost.map((commodity, nth) => (
            <Spot key={nth} name={commodity} at={[-460 + 70 * nth, 0]} radius={33} />
          ))}
          <path d="M-256-8h30l-15 25z" class="ragusa-edge" fill={colour("wine")} />
          <Spot name={String(says.falls)} at={[-196, 4]} radius={22} />
        </>
      ) : (
        <>
          {cost.map((commodity, nth) => (
            <Spot
              key={nth}
              name={commodity}
              at={[-152 + 34 * (nth - (cost.length - 1) / 2), -11]}
              radius={17}
            />
          ))}
          <path d="M-174 16h16l-8 13z" class="ragusa-edge" fill={colour("wine")} />
          <Spot name={String(says.falls)} at={[-142, 23]} radius={10} />
        </>
      )}
    </>
  );
}

/** The positions of a ship's parts, from its centre. */
const SHIP = {
  size: [286, 66],
  shift: 47,
  ship: -108,
  good: -56,
  name: [92, 44],
  shorter: [92, 44],
  besides: [18, -12],
  middle: 18,
  letters: 18,
  extra: [15, 20],
  vp: 108,
  radius: 28,
} as const;
const NARROW_SHIP = {
  size: [672, 94],
  shift: 170,
  ship: -284,
  good: -204,
  name: [340, 90],
  shorter: [240, 90],
  besides: [-34, 0],
  middle: 16,
  letters: 34,
  extra: [188, 2],
  vp: 282,
  radius: 42,
} as const;

function Ship({ scene, piece }: { scene: RagusaScene; piece: PieceOf }) {
  const id = piece.id ?? "";
  const row = rowOf(scene.tables, "ships", id);
  const extra = Object.keys((row?.extra_cost ?? {}) as object);
  const { says, narrow } = scene;
  const part = narrow ? NARROW_SHIP : SHIP;
  const [width, height] = part.size;
  return (
    <Piece
      of={piece}
      at={[piece.x + part.shift, piece.y]}
      shape={{ rect: [width + 2, height + 2] }}
      class={`ragusa-of-${id}`}
      looks
    >
      <title>{says.text("ships", id)}</title>
      <Outline shape={{ rect: part.size }} round={10} class="ragusa-edge" fill={colour("paper")} />
      <Spot name="ship" at={[part.ship, -2]} radius={part.radius} />
      <Spot name={String(row?.good)} at={[part.good, 2]} radius={part.radius * 0.72} />
      <Text
        class="ragusa-bold"
        box={extra.length > 0 ? part.shorter : part.name}
        at={extra.length > 0 ? part.besides : [part.middle, 0]}
        max={part.letters}
        // The good is drawn, too.
        short={narrow ? undefined : () => null}
      >
        {says.name("ships", id)}
      </Text>
      {extra.map((commodity) => (
        <g key={commodity} transform={`translate(${part.extra}) scale(${narrow ? 1.7 : 1})`}>
          <Bold at={[-3 - 0.6 * Math.max(20, useLeast()), 0]} size={20}>
            +1
          </Bold>
          <Spot name={commodity} at={[15, -1]} radius={12} />
        </g>
      ))}
      <Spot name="vp" at={[part.vp, 0]} radius={part.radius * 1.1} />
      <text class="ragusa-worth" x={part.vp} y="2" dy="0.35em" font-size={part.radius * 0.86}>
        {`${row?.stars} `}
      </text>
    </Piece>
  );
}

/** The number of ships to come, and the back of the next one. */
function Coming({ scene }: { scene: RagusaScene }) {
  const { says, view } = scene;
  const larger = scene.narrow ? LARGER : undefined;
  const { cards, top_back: back } = view.ship_deck;
  return (
    <>
      <Place at="ship_deck">
        <title>{says.place("ship_deck")}</title>
        <Face scene={scene} at="ship_deck" />
        <g transform={larger}>
          <Back size={[62, 44]} at={[-46, 2]} />
          <Back size={[62, 44]} at={[-50, -2]}>
            <Icon name="ship" radius={17} />
          </Back>
          <Bold at={[38, 0]} size={30}>
            {String(cards)}
          </Bold>
        </g>
      </Place>
      <Place at="next_ship">
        <title>{says.place("next_ship")}</title>
        <Face scene={scene} at="next_ship" />
        {back && (
          <g transform={larger}>
            <Back size={[62, 44]} at={[-56, 0]}>
              <Icon name={back.commodity} radius={17} />
            </Back>
            {Array.from({ length: back.arrows }, (_, nth) => (
              <g key={nth} transform={`translate(${4 + 34 * nth} 0) rotate(90)`}>
                <Icon name="arrow" radius={15} />
              </g>
            ))}
          </g>
        )}
      </Place>
    </>
  );
}

// Prices

function PriceMarker({ scene, piece }: { scene: RagusaScene; piece: PieceOf }) {
  const id = piece.id ?? "";
  const market = scene.view.market as Record<string, { price: number }>;
  const size: Point = scene.narrow ? [74, 88] : [32, 54];
  return (
    <Piece of={piece} shape={{ rect: size }}>
      <title>{scene.says.place(piece.place)}</title>
      <Outline
        shape={{ rect: size }}
        round={9}
        class="ragusa-marker"
        fill={colour(scene.board.catalogue.commodities?.colours?.[id] ?? "paper")}
      />
      <Bold at={[0, 0]} size={scene.narrow ? 50 : 28}>
        {String(market[id]?.price ?? "")}
      </Bold>
    </Piece>
  );
}

// Decks

function Cards({ scene }: { scene: RagusaScene }) {
  const { view, says, narrow } = scene;
  const [width, height, columns] = narrow ? [54, 36, 6] : [34, 24, 3];
  const gap = width + 2;
  const offer: Point = narrow ? [500, 166] : [190, 106];
  const seen = ofType(scene, "bonus_card");
  const offered = view.phase === "keep_bonus" && view.asked.includes(scene.viewer ?? -1) ? 2 : 0;
  const old = seen.slice(0, seen.length - offered);
  const [first] = ofType(scene, "start_player");
  return (
    <>
      <Place at="bonus_deck">
        <title>{says.place("bonus_deck")}</title>
        <Face scene={scene} at="bonus_deck" />
        <g transform={narrow ? "translate(-130 0) scale(1.3)" : undefined}>
          <Back size={[56, 72]} at={[-82, 4]} />
          <Back size={[56, 72]} at={[-86, 0]}>
            <Icon name="bonus" radius={19} />
          </Back>
          <Bold at={[-22, 0]} size={30}>
            {String(view.bonus_deck)}
          </Bold>
        </g>
      </Place>
      <Place at="start_player">
        <title>{says.place("start_player")}</title>
        <Face scene={scene} at="start_player" />
        <Spot name="start_player" at={[narrow ? -70 : -28, 0]} radius={narrow ? 40 : 24} />
      </Place>
      {first && (
        <Piece
          of={first}
          at={[first.x + (narrow ? 70 : 30), first.y]}
          name={says.owner(first.owner ?? 0)}
        >
          <title>{says.owner(first.owner ?? 0)}</title>
          <SignAt scene={scene} owner={first.owner ?? 0} at={[0, 0]} size={narrow ? 2.6 : 1.5} />
        </Piece>
      )}
      <Place at="patricians">
        <title>{says.place("patricians")}</title>
        <Face scene={scene} at="patricians" />
        <g transform={narrow ? LARGER : undefined}>
          {view.solo ? <Patricians scene={scene} /> : <Exchange />}
        </g>
      </Place>
      {old.map((piece, nth) => (
        <Piece
          key={piece.key}
          of={piece}
          at={[
            piece.x + (narrow ? -60 : 15) + gap * (nth % columns),
            piece.y - height + (height + 1) * Math.floor(nth / columns),
          ]}
          shape={{ rect: [width, height] }}
          class={`ragusa-of-${piece.id}`}
          looks
        >
          <g class="ragusa-small">
            <BonusFace scene={scene} piece={piece} size={[width, height]} />
          </g>
        </Piece>
      ))}
      {seen.slice(old.length).map((piece, nth) => (
        <Piece
          key={piece.key}
          of={piece}
          at={narrow ? [260 + 512 * nth, piece.y] : [1138 + 198 * nth, piece.y]}
          shape={{ rect: offer }}
        >
          <BonusFace scene={scene} piece={piece} size={offer} letters={narrow ? 32 : 17} />
        </Piece>
      ))}
    </>
  );
}

function Patricians({ scene }: { scene: RagusaScene }) {
  return (
    <>
      {scene.view.patricians.map(({ card, owner }, nth) => (
        <g key={card} transform={`translate(${-162 + 65 * nth} 0)`}>
          <title>{scene.says.text("solo.patrician_cards", card)}</title>
          <Back size={[60, 54]}>
            {owner === null ? (
              <Icon name="patrician" radius={14} />
            ) : (
              <SignAt scene={scene} owner={owner} at={[0, 0]} size={1.2} />
            )}
          </Back>
        </g>
      ))}
    </>
  );
}

/** What fish can be used for, which players often ask. */
function Exchange() {
  return (
    <>
      <Bold at={[-160, 0]} size={26}>
        2
      </Bold>
      <Spot name="fish" at={[-128, 0]} radius={19} />
      <g transform="translate(-86 0) rotate(90)">
        <Icon name="arrow" radius={14} />
      </g>
      <Bold at={[-50, 0]} size={26}>
        1
      </Bold>
      {["wood", "stone", "silver_ore", "grapes", "olives"].map((name, nth) => (
        <Spot key={name} name={name} at={[-16 + 46 * nth, 0]} radius={18} />
      ))}
    </>
  );
}
