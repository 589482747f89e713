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
import { Back, Bold, BonusFace, type RagusaScene, type Side, Spot, Wooden } from "./parts.tsx";

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
  return (
    <>
      {Object.entries(sheet?.places ?? {}).map(([key, place]) => (
        <Place key={key} at={key}>
          <title>{scene.says.place(key, true)}</title>
          {sheet && (
            <Outline
              class="ragusa-face"
              shape={shapeOf(sheet, place)}
              round={10}
              fill={colour(place.colour ?? sheet.kinds[place.kind]?.colour ?? "paper")}
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
          class={piece.count === 0 ? "ragusa-zero" : ""}
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

function BonusCards({ scene, mat, side }: { scene: RagusaScene; mat: Mat; side: Side }) {
  const cards = ofType(mat, "bonus_card");
  const y = scene.board.mat?.places.bonus_cards?.y ?? 0;
  const kept = cards.filter(({ place }) => place === "bonus_cards");
  const offered = cards.filter(({ place }) => place === "offered");
  const asked = (scene.view.asked as readonly unknown[]).includes(side.side);
  const choosing = asked && offered.length > 0;
  // Offered cards are large enough to be touched; the cards beside them need not be, because they
  // cannot be picked.
  const edge = !choosing ? 392 : kept.length > 0 ? 150 : 0;
  const hidden = side.bonus_cards.length - kept.length;
  const unseen = scene.view.phase === "choose_bonus" && asked && offered.length === 0;
  return (
    <>
      {unseen &&
        [0, 1, 2].map((nth) => (
          <g key={nth} class="ragusa-zero">
            <Back size={[66, 92]} at={[88 + 172 * nth, y]}>
              <Spot name="bonus" at={[0, 0]} radius={20} />
            </Back>
          </g>
        ))}
      {Array.from({ length: hidden }, (_, nth) => (
        <Back key={nth} size={[66, 92]} at={[46 + 50 * nth, y]}>
          <Spot name="bonus" at={[0, 0]} radius={20} />
        </Back>
      ))}
      {row(kept, hidden * 50 + 8, edge - 8 - hidden * 50).map((card) => (
        <Card key={card.piece.key} scene={scene} {...card} />
      ))}
      {row(offered, edge + 4, 512 - edge).map((card) => (
        <Card key={card.piece.key} scene={scene} {...card} faded={!choosing} />
      ))}
    </>
  );
}

/** Cards side by side, at full width. */
function row(pieces: readonly PieceOf[], left: number, width: number) {
  const step = Math.min(170, width / Math.max(1, pieces.length));
  return pieces.map((piece, nth) => ({ piece, x: left + step * (nth + 0.5), width: step - 6 }));
}

function Card({
  scene,
  piece,
  x,
  width,
  faded = false,
}: {
  scene: RagusaScene;
  piece: PieceOf;
  x: number;
  width: number;
  faded?: boolean;
}) {
  const small = width < (scene.narrow ? 150 : 110);
  const size = [width, width < 60 ? 62 : scene.narrow ? 168 : 108] as const;
  return (
    <Piece
      of={piece}
      at={[x, piece.y]}
      shape={{ rect: size }}
      class={`${small ? `ragusa-of-${piece.id}` : ""} ${faded ? "ragusa-small" : ""}`}
      looks={small}
    >
      <BonusFace scene={scene} piece={piece} size={size} />
    </Piece>
  );
}
