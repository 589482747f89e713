/** The mat of a player: property, drafted characters, and estates. */

import {
  type components,
  extentOf,
  type Fixed,
  Icon,
  type Mat,
  ofType,
  Piece,
  type PieceOf,
  Place,
  rowOf,
  type Scene,
  shapeOf,
  Text,
  useLeast,
} from "lonja";
import { LargeCard } from "./words.tsx";

type View = components["schemas"]["PlusUltraView"];
type Player = View["players"][number];

export function drawMat(scene: Scene<View>, mat: Mat) {
  const player = mat.view as unknown as Player;
  const [width, height] = scene.board.mat?.size ?? [520, 326];
  const counts: Record<string, number> = {
    pg: player.pg,
    ducats: player.ducats,
    active: player.tercios.active,
    tired: player.tercios.tired,
    reserve: player.houses.reserve,
    rosettes_ready: player.rosettes.ready,
    rosettes_used: player.rosettes.used,
    own_bulls: player.bulls,
    own_magellan: player.magellan,
    natives: player.natives,
    estate_count: player.estate_count,
  };
  return (
    <g class="plusultra-board">
      {scene.view.decider === mat.owner && (
        <rect
          class="plusultra-turn"
          x="1.5"
          y="1.5"
          width={width - 3}
          height={height - 3}
          rx="12"
        />
      )}
      {Object.entries(counts).map(([key, count]) => (
        <Count key={key} scene={scene.fixed} at={key} count={count} />
      ))}
      <Place at="characters">
        <title>{scene.says.place("characters", true)}</title>
        <rect class="plusultra-cell" x="-173" y="-39" width="346" height="78" rx="10" />
        {player.characters?.length === 0 && <Empty icon="character" />}
        {player.characters === null &&
          [...Array(drafted(scene.view, player.seat)).keys()].map((card) => (
            <g key={card} transform={`translate(${card * 172 - 86} 0)`}>
              <Icon name="character" radius={32} />
            </g>
          ))}
      </Place>
      <Place at="characters_used">
        <title>{scene.says.place("characters_used", true)}</title>
        <rect class="plusultra-cell" x="-82" y="-39" width="164" height="78" rx="10" />
      </Place>
      <Place at="own_estates">
        <title>{scene.says.place("own_estates", true)}</title>
        <rect class="plusultra-cell" x="-206" y="-52" width="413" height="104" rx="10" />
        {player.estate_count === 0 && <Empty icon="estate" />}
        {player.estates === null &&
          [...Array(player.estate_count).keys()].map((card) => (
            <g key={card} transform={`translate(${(card - (player.estate_count - 1) / 2) * 64} 0)`}>
              <rect class="plusultra-back" x="-27" y="-38" width="54" height="76" rx="7" />
              <Icon name="estate" radius={20} />
            </g>
          ))}
      </Place>
      {player.common_used && (
        <Mark icon="taken" x={30} words={scene.says.label("board.common_used")} />
      )}
      {player.bull_used && <Mark icon="bull" x={76} words={scene.says.label("board.bull_used")} />}
      {ofType(mat, "character").map((piece) =>
        piece.place === "characters" ? (
          <Character
            key={piece.key}
            scene={scene}
            piece={piece}
            spent={player.characters_used.some((id) => id === piece.id)}
          />
        ) : (
          <Used key={piece.key} scene={scene} piece={piece} />
        ),
      )}
      {ofType(mat, "estate").map((piece) => (
        <Estate key={piece.key} scene={scene} piece={piece} />
      ))}
      {[...new Map(mat.pieces.map((piece) => [piece.id, piece])).values()].map(({ id, type }) => (
        <LargeCard
          key={id}
          scene={scene.fixed}
          table={type === "estate" ? "estates" : "characters"}
          id={id ?? ""}
          at={[260, type === "estate" ? 216 : 132]}
          room={width}
        />
      ))}
    </g>
  );
}

function Empty({ icon }: { icon: string }) {
  return (
    <g class="plusultra-hollow">
      <Icon name={icon} radius={26} />
    </g>
  );
}

/** Acts of a player that cannot be repeated in this turn. */
function Mark({ icon, x, words }: { icon: string; x: number; words: string }) {
  return (
    <g transform={`translate(${x} 306)`}>
      <title>{words}</title>
      <Icon name={icon} radius={15} />
      <path class="plusultra-tick" transform="scale(.7)" d="M4 14l8 9L26 4" />
    </g>
  );
}

/** The number of characters that a seat has drafted: drafting follows the peer order. */
export function drafted(view: View, seat: number): number {
  const place = view.peer_order.indexOf(seat);
  const seats = view.players.length;
  return Math.max(0, Math.ceil((view.picks - place) / seats));
}

function Count({ scene, at, count }: { scene: Fixed; at: string; count: number }) {
  const sheet = scene.board.mat;
  const place = sheet?.places[at];
  if (!sheet || !place) return null;
  const [width, height] = extentOf(shapeOf(sheet, place));
  return (
    <Place at={at} class={count === 0 ? "plusultra-none" : ""}>
      <title>{scene.says.place(at, true)}</title>
      <rect
        class="plusultra-cell"
        x={-width / 2}
        y={-height / 2}
        width={width}
        height={height}
        rx="10"
      />
      <g transform="translate(-22 0)">
        <Icon name={place.icon ?? ""} radius={at === "pg" ? 25 : 21} />
      </g>
      <text class="plusultra-title" font-size="32" x="24" dy="0.35em">
        {count}
      </text>
    </Place>
  );
}

function cardWords({ says }: Scene<View>, table: string, id: string): string {
  return `${says.name(table, id)}: ${says.text(table, id)}`;
}

/** The largest letters, in units, that leave room for a large face beside the longest name. */
const ROOMY = 15;

function Character({
  scene,
  piece,
  spent,
}: {
  scene: Scene<View>;
  piece: PieceOf;
  spent: boolean;
}) {
  const id = piece.id ?? "";
  // Large letters need most of the width.
  const [face, radius] = useLeast() > ROOMY ? [-65, 15] : [-57, 25];
  const left = face + radius + 4;
  return (
    <Piece
      of={piece}
      at={[piece.x + (piece.nth ? 86 : -86), piece.y]}
      shape={{ rect: [168, 72] }}
      class={`plusultra-of-${id}`}
      looks
    >
      <title>{cardWords(scene, "characters", id)}</title>
      <g class={spent ? "plusultra-spent" : ""}>
        <rect class="plusultra-card" x="-82" y="-34" width="164" height="68" rx="9" />
        <g transform={`translate(${face} 1)`}>
          <circle class="plusultra-medal" r={radius} />
          <Icon name={id} radius={radius - 2} />
        </g>
        <Text class="plusultra-left" box={[79 - left, 62]} at={[left, 0]} max={18}>
          {scene.says.name("characters", id)}
        </Text>
      </g>
    </Piece>
  );
}

function Used({ scene, piece }: { scene: Scene<View>; piece: PieceOf }) {
  const id = piece.id ?? "";
  return (
    <Piece
      of={piece}
      at={[piece.x + (piece.nth ? 42 : -42), piece.y]}
      shape={{ circle: 34 }}
      class={`plusultra-of-${id}`}
      looks
    >
      <title>{cardWords(scene, "characters", id)}</title>
      <circle class="plusultra-medal" r="32" />
      <Icon name={id} radius={28} />
      <path class="plusultra-tick" d="M8 20l7 8L30 8" />
    </Piece>
  );
}

function Estate({ scene, piece }: { scene: Scene<View>; piece: PieceOf }) {
  const { says, tables } = scene;
  const id = piece.id ?? "";
  const columns = Math.min(piece.among, 3);
  const rows = Math.ceil(piece.among / 3);
  const x = ((piece.nth % 3) - (columns - 1) / 2) * 136;
  const y = (Math.floor(piece.nth / 3) - (rows - 1) / 2) * 50;
  return (
    <Piece
      of={piece}
      at={[piece.x + x, piece.y + y]}
      shape={{ rect: [132, 48] }}
      class={`plusultra-of-${id}`}
      looks
    >
      <title>{cardWords(scene, "estates", id)}</title>
      <rect class="plusultra-card" x="-65" y="-23" width="130" height="46" rx="7" />
      <circle class="plusultra-pg" cx="-47" r="15" />
      <text class="plusultra-estate-pg" font-size="19" x="-47" dy="0.35em">
        {String(rowOf(tables, "estates", id)?.pg ?? "")}
      </text>
      <Text class="plusultra-left" box={[90, 44]} at={[-28, 0]} max={18}>
        {says.name("estates", id)}
      </Text>
    </Piece>
  );
}
