/** A player's mat: access, stocks, pieces, points, ships and cards. */

import {
  colour,
  type Mat,
  Outline,
  ofType,
  Piece,
  type PieceOf,
  Place,
  rowOf,
  shapeOf,
} from "lonja";
import { LargeBonus } from "./large.tsx";
import {
  Back,
  Bold,
  BonusFace,
  BonusLine,
  type RagusaScene,
  type Side,
  Spot,
  Wooden,
} from "./parts.tsx";

type Sheet = NonNullable<RagusaScene["board"]["mat"]>;

/** The icons of the sources of points. */
const SOURCES = {
  walls: "wall",
  ships: "ship",
  dock: "dock",
  fishmonger: "fishmonger",
  chain: "chain",
  cathedral: "cathedral",
  bonus: "bonus",
} as const;

export function SideMat({ scene, mat }: { scene: RagusaScene; mat: Mat }) {
  const side = mat.view as unknown as Side;
  const sheet = scene.board.mat;
  const counted = [...ofType(mat, "access"), ...ofType(mat, "commodity")];
  const choosing = isChoosing(scene, mat, side);
  return (
    <>
      {Object.entries(sheet?.places ?? {}).map(([key, place]) => (
        <Place key={key} at={key}>
          <title>{scene.says.place(key, true)}</title>
          {sheet && (
            <Outline
              class="ragusa-face"
              round={10}
              fill={colour(place.colour ?? sheet.kinds[place.kind]?.colour ?? "paper")}
              {...frameOf(sheet, key, choosing)}
            />
          )}
          <Within scene={scene} side={side} id={key} icon={place.icon ?? ""} />
        </Place>
      ))}
      {counted.map((piece) => (
        <Piece
          key={piece.key}
          of={piece}
          at={[piece.x + 20, piece.y]}
          class={piece.count === 0 ? "ragusa-none" : ""}
        >
          <Bold at={[0, 0]} size={sized(piece.count ?? 0)}>
            {String(piece.count ?? 0)}
          </Bold>
        </Piece>
      ))}
      <Points scene={scene} side={side} />
      <BonusCards scene={scene} mat={mat} side={side} />
      {ofType(mat, "bonus_card").map(({ key, id }) => (
        <LargeBonus key={key} scene={scene} id={id ?? ""} at={[260, 140]} />
      ))}
    </>
  );
}

/** The size of a number beside its icon. */
function sized(number: number): number {
  return number < 10 ? 32 : 26;
}

function Within({
  scene,
  side,
  id,
  icon,
}: {
  scene: RagusaScene;
  side: Side;
  id: string;
  icon: string;
}) {
  if (id === "ships") return <Ships scene={scene} side={side} />;
  if (id === "bonus_cards" || id === "offered") return null;
  if (id === "houses" || id === "towers") {
    const left = id === "houses" ? side.houses_left : side.towers_left;
    return (
      <>
        <g transform="translate(-19 0)">
          <Wooden
            form={id === "houses" ? "house" : "tower"}
            sign={scene.sign(side.side)}
            size={1.6}
          />
        </g>
        <Bold at={[20, 0]} size={sized(left)}>
          {String(left)}
        </Bold>
      </>
    );
  }
  return (
    <>
      <Spot name={icon} at={[-20, 0]} radius={17} />
      {id === "vp" && (
        <Bold at={[20, 0]} size={sized(side.vp.total)}>
          {String(side.vp.total)}
        </Bold>
      )}
    </>
  );
}

/** The sources of the points. */
function Points({ scene, side: { vp } }: { scene: RagusaScene; side: Side }) {
  return (
    <>
      {Object.entries(SOURCES).map(([source, icon], nth) => {
        const points = vp[source as keyof typeof SOURCES];
        return (
          <g
            key={source}
            transform={`translate(${8 + 73 * nth} 160)`}
            class={points === 0 ? "ragusa-zero" : ""}
          >
            <title>{scene.says.label(`breakdown.${source}`)}</title>
            <Spot name={icon} at={[16, 0]} radius={14} />
            <Bold at={[48, 0]} size={20}>
              {String(points)}
            </Bold>
          </g>
        );
      })}
    </>
  );
}

function Ships({ scene, side }: { scene: RagusaScene; side: Side }) {
  const step = Math.min(66, 440 / Math.max(1, side.ships.length));
  return (
    <>
      <Spot name="ship" at={[-234, 0]} radius={17} />
      {side.ships.map((id, nth) => {
        const row = rowOf(scene.tables, "ships", id);
        return (
          <g key={id} transform={`translate(${-186 + step * nth} 0)`}>
            <title>{scene.says.name("ships", id)}</title>
            <Spot name={String(row?.good)} at={[0, 0]} radius={15} />
            {step > 44 && (
              <Bold at={[27, 0]} size={20}>
                {String(row?.stars)}
              </Bold>
            )}
          </g>
        );
      })}
    </>
  );
}

// Cards

/** Whether the side chooses among the cards that it is offered, which then take the whole width. */
function isChoosing({ view }: RagusaScene, mat: Mat, { side }: Side): boolean {
  const asked = (view.asked as readonly unknown[]).includes(side);
  return asked && view.phase === "choose_bonus" && offeredOn(mat).length > 0;
}

function offeredOn(mat: Mat) {
  return ofType(mat, "bonus_card").filter(({ place }) => place === "offered");
}

/** The outline of a place: while cards are chosen, one frame for all cards. */
function frameOf(sheet: Sheet, key: string, choosing: boolean) {
  const place = sheet.places[key];
  const shape = place ? shapeOf(sheet, place) : {};
  if (!place || !choosing) return { shape };
  if (key === "bonus_cards") return { shape, display: "none" };
  if (key !== "offered") return { shape };
  return {
    shape: { rect: [512, shape.rect?.[1] ?? 0] as const },
    transform: `translate(${sheet.size[0] / 2 - place.x} 0)`,
  };
}

function BonusCards({ scene, mat, side }: { scene: RagusaScene; mat: Mat; side: Side }) {
  const { bonus_cards: own, offered: others } = scene.board.mat?.places ?? {};
  if (!own || !others) return null;
  const kept = ofType(mat, "bonus_card").filter(({ place }) => place === "bonus_cards");
  const offered = offeredOn(mat);
  const asked = (scene.view.asked as readonly unknown[]).includes(side.side);
  const hidden = side.bonus_cards.length - kept.length;
  const unseen = scene.view.phase === "choose_bonus" && asked && offered.length === 0;
  return (
    <>
      {unseen &&
        [0, 1, 2].map((nth) => (
          <g key={nth} class="ragusa-zero">
            <Back size={[66, 92]} at={[88 + 172 * nth, own.y]}>
              <Spot name="bonus" at={[0, 0]} radius={20} />
            </Back>
          </g>
        ))}
      {Array.from({ length: hidden }, (_, nth) => (
        <Back key={nth} size={[66, 92]} at={[46 + 50 * nth, own.y]}>
          <Spot name="bonus" at={[0, 0]} radius={20} />
        </Back>
      ))}
      {row(kept, hidden * 50 + 8, 376 - hidden * 50).map((card) => (
        <Card key={card.piece.key} scene={scene} {...card} />
      ))}
      {isChoosing(scene, mat, side)
        ? row(offered, 8, 504).map((card) => <Card key={card.piece.key} scene={scene} {...card} />)
        : offered.map((piece) => <Offered key={piece.key} scene={scene} piece={piece} />)}
    </>
  );
}

/** Cards side by side, at full width. */
function row(pieces: readonly PieceOf[], left: number, width: number) {
  const step = Math.min(168, width / Math.max(1, pieces.length));
  return pieces.map((piece, nth) => ({ piece, x: left + step * (nth + 0.5), width: step - 6 }));
}

function Card({
  scene,
  piece,
  x,
  width,
}: {
  scene: RagusaScene;
  piece: PieceOf;
  x: number;
  width: number;
}) {
  const small = width < (scene.narrow ? 150 : 165);
  const size = [width, width < 60 ? 62 : scene.narrow ? 168 : 108] as const;
  return (
    <Piece
      of={piece}
      at={[x, piece.y]}
      shape={{ rect: size }}
      class={small ? `ragusa-of-${piece.id}` : ""}
      looks={small}
    >
      <BonusFace scene={scene} piece={piece} size={size} />
    </Piece>
  );
}

/** A card that was offered at the start, in a line of its own: nobody can choose it any more. */
function Offered({ scene, piece }: { scene: RagusaScene; piece: PieceOf }) {
  const height = scene.narrow ? 54 : 35;
  const size = [108, height] as const;
  return (
    <Piece
      of={piece}
      at={[piece.x, piece.y + (piece.nth - (piece.among - 1) / 2) * (height + 2)]}
      shape={{ rect: size }}
      class={`ragusa-of-${piece.id} ragusa-small`}
      looks
    >
      <BonusLine scene={scene} piece={piece} size={size} />
    </Piece>
  );
}
