/** A player's mat: points, the windrose, cubes to spend, goods, cards. */

import {
  colour,
  type components,
  Icon,
  type Mat,
  Outline,
  ofType,
  Piece,
  type PieceOf,
  Place,
  type Scene,
  Text,
  useLeast,
} from "lonja";
import { ActiveCard, hint, LargeCard, TableauCard } from "./cards.tsx";
import { Badge, Cube } from "./symbols.tsx";

export type View = components["schemas"]["MacaoView"];
type Player = View["players"][number];

const STATS = {
  prestige: "prestige",
  coins: "coin",
  jokers: "joker",
  punishments: "punishment",
  markers: "marker",
} as const;
const SECTORS = [1, 2, 3, 4, 5, 6];

export function drawMat(scene: Scene<View>, mat: Mat) {
  const player = mat.view as unknown as Player;
  const active = scene.view.active === mat.owner;
  const sheet = scene.board.mat;
  if (!sheet) return null;
  const [width, height] = sheet.size;
  const cards = ofType(mat, "card");
  return (
    <g class="macao">
      <rect width={width} height={height} rx="18" fill={colour("ground")} />
      <Rose scene={scene} mat={mat} />
      {Object.entries(STATS).map(([key, icon]) => (
        <Place key={key} at={key}>
          <title>{scene.says.place(key, true)}</title>
          <Outline
            class="macao-edge"
            shape={{ rect: [115, 60] }}
            round={12}
            fill={colour("paper")}
          />
          <g transform="translate(-32 0)">
            <Badge of={icon} radius={20} />
          </g>
          <text class="macao-number" font-size="34" x="24" dy="0.35em">
            {` ${statOf(player, key)} `}
          </text>
        </Place>
      ))}
      <Box scene={scene} mat={mat} at="supply" />
      <Box scene={scene} mat={mat} at="hold" icon="ship" />
      <Box scene={scene} mat={mat} at="delivered" icon="delivered" />
      <Box scene={scene} mat={mat} at="activated" />
      {active && scene.view.turn.free_steps > 0 && (
        <g transform="translate(572 208)">
          <Badge of="ship" radius={15} />
          <text class="macao-number" font-size="24" x="-26" dy="0.35em">
            {`+${scene.view.turn.free_steps}`}
          </text>
        </g>
      )}
      {[1, 2, 3, 4, 5, 6].map((number) => (
        <Place key={number} at={`tableau_${number}`}>
          <title>{scene.says.place(`tableau_${number}`, true)}</title>
          <rect
            x="-97"
            y="-102"
            width="194"
            height="204"
            rx="12"
            fill="none"
            stroke={colour("ink")}
            stroke-opacity=".3"
            stroke-width="2"
            stroke-dasharray={number === 6 ? "4 10" : "10 6"}
          />
          {number === 6 && (
            <g opacity=".35">
              <Icon name="punishment" radius={30} />
            </g>
          )}
        </Place>
      ))}
      <Cubes scene={scene} mat={mat} />
      <Goods scene={scene} mat={mat} />
      {cards.map((piece, nth) => (
        <CardPiece
          key={piece.key}
          scene={scene}
          piece={piece}
          nth={nth}
          used={scene.view.turn.used_cards.some((id) => id === piece.id) && active}
        />
      ))}
      {cards.map((piece, nth) => (
        <LargeCard
          key={piece.key}
          scene={scene.fixed}
          id={piece.id ?? ""}
          nth={nth}
          at={[300, nearest(piece)]}
        />
      ))}
    </g>
  );
}

/** The position of a large card: beside the small one, so that it does not cover the small one. */
function nearest({ place, y }: PieceOf): number {
  return place === "activated" ? 660 : y < 600 ? 246 : 430;
}

function statOf(player: Player, key: string): number {
  if (key === "markers") return player.markers_left;
  return Number(player[key as "coins"]);
}

/** A framed part of the mat with its name above, and its icon where goods leave room. */
function Box({
  scene,
  mat,
  at,
  icon,
}: {
  scene: Scene<View>;
  mat: Mat;
  at: string;
  icon?: string;
}) {
  const goods = mat.pieces.filter((piece) => piece.place === at).length;
  const place = scene.board.mat?.places[at];
  const shape = place?.shape ?? scene.board.mat?.kinds[place?.kind ?? ""]?.shape;
  const [width, height] = shape?.rect ?? [0, 0];
  return (
    <Place at={at}>
      <Outline
        class="macao-edge"
        shape={{ rect: [width, height] }}
        round={12}
        fill={colour("paper")}
      />
      <Text
        class="macao-left macao-quiet"
        broad
        box={[width - 16, 30]}
        at={[-width / 2 + 10, -height / 2 + 16]}
        max={20}
        short={at === "activated" ? undefined : scene.says.label(`short.${at}`)}
      >
        {scene.says.place(at, true)}
      </Text>
      {icon && goods < 4 && (
        <g transform={`translate(${width / 2 - 18} ${height / 2 - 18})`} opacity=".8">
          <Badge of={icon} radius={12} />
        </g>
      )}
    </Place>
  );
}

/** The windrose: cubes move one sector each round, towards the arrow. */
function Rose({ scene, mat }: { scene: Scene<View>; mat: Mat }) {
  const [x, y] = [168, 262];
  const above = 0.75 * Math.max(24, useLeast()) - 59;
  return (
    <g>
      <g transform={`translate(${x} ${y})`}>
        <circle r="164" fill="var(--macao-felt)" class="macao-edge" />
        <circle
          r="124"
          fill="none"
          stroke={colour("ink")}
          stroke-opacity=".25"
          stroke-width="2"
          stroke-dasharray="3 7"
        />
        {[0, 60, 120, 180, 240, 300].map((turn) => (
          <path
            key={turn}
            d="M0-62 11-15H-11z"
            transform={`rotate(${turn})`}
            fill={turn === 0 ? "var(--macao-seal)" : "var(--macao-gold)"}
            stroke={colour("ink")}
            stroke-width="1"
          />
        ))}
        <circle r="20" fill={colour("paper")} class="macao-edge" />
        <path
          d="M9-8A12 12 0 1 0 11 5M11-12v8H3"
          fill="none"
          stroke={colour("ink")}
          stroke-width="3"
          transform="scale(-1 1)"
        />
      </g>
      {SECTORS.map((number) => (
        <Place key={number} at={`windrose_${number}`}>
          <title>{scene.says.place(`windrose_${number}`, true)}</title>
          <circle
            r="59"
            fill={colour("paper")}
            stroke={number === 1 ? "var(--macao-seal)" : colour("ink")}
            stroke-opacity={number === 1 ? 1 : 0.45}
            stroke-width={number === 1 ? 4 : 1.5}
          />
          <text
            class="macao-title"
            font-size={isEmpty(mat, `windrose_${number}`) ? 40 : 24}
            y={isEmpty(mat, `windrose_${number}`) ? 0 : above}
            opacity=".75"
            dy="0.35em"
          >
            {` ${number} `}
          </text>
        </Place>
      ))}
    </g>
  );
}

function isEmpty(mat: Mat, place: string): boolean {
  return !mat.pieces.some((piece) => piece.place === place);
}

function Cubes({ scene, mat }: { scene: Scene<View>; mat: Mat }) {
  return (
    <>
      {ofType(mat, "cube").map((piece) => {
        const { among, nth } = piece;
        const isSupply = piece.place === "supply";
        const columns = isSupply ? 3 : among > 2 ? 2 : 1;
        const rows = Math.ceil(among / columns);
        const here = Math.min(columns, among - Math.floor(nth / columns) * columns);
        // Two rows of the supply leave its name the room of the largest letters.
        const [size, below] = isSupply ? (rows > 1 ? [30, 18] : [34, 8]) : [27, 8];
        const x = piece.x + ((nth % columns) - (here - 1) / 2) * (isSupply ? 84 : 58);
        const y = piece.y + below + (Math.floor(nth / columns) - (rows - 1) / 2) * 34;
        return (
          <Piece
            key={piece.key}
            of={piece}
            at={[x, y]}
            shape={{ rect: [size * 2 + 4, size + 4] }}
            name={scene.says.name("colors", piece.id ?? "")}
          >
            <g transform={`translate(${-size / 2} 0)`}>
              <Cube of={piece.id ?? ""} size={size} />
            </g>
            <text class="macao-number" font-size={size - 3} x={size / 2 + 1} dy="0.36em">
              {piece.count}
            </text>
          </Piece>
        );
      })}
    </>
  );
}

function Goods({ scene, mat }: { scene: Scene<View>; mat: Mat }) {
  return (
    <>
      {ofType(mat, "good").map((piece) => {
        const rows = Math.ceil(piece.among / 4);
        const row = Math.floor(piece.nth / 4);
        const size = rows > 1 ? 14 : 20;
        const x = piece.x - 98 + (piece.nth % 4) * 62;
        const y = piece.y + 14 + (row - (rows - 1) / 2) * 37;
        return (
          <Piece key={piece.key} of={piece} at={[x, y]} shape={{ circle: size + 4 }}>
            <title>{scene.says.name("goods", piece.id ?? "")}</title>
            <Badge of={piece.id ?? ""} radius={size} />
            {(piece.count ?? 0) > 1 && (
              <text class="count macao-number" font-size="22" x={size + 14} dy="0.35em">
                {piece.count}
              </text>
            )}
          </Piece>
        );
      })}
    </>
  );
}

function CardPiece({
  scene,
  piece,
  nth,
  used,
}: {
  scene: Scene<View>;
  piece: PieceOf;
  nth: number;
  used: boolean;
}) {
  const id = piece.id ?? "";
  if (piece.place !== "activated")
    return (
      <Piece of={piece} shape={{ rect: [198, 210] }} class={`macao-card-${nth}`} looks>
        <title>{hint(scene, id)}</title>
        <TableauCard scene={scene.fixed} id={id} />
      </Piece>
    );
  const rows = Math.ceil(piece.among / 2);
  // A single row is higher, for names of two lines.
  const height = Math.min(rows === 1 ? 136 : 98, 204 / rows);
  const at = [
    piece.x + ((piece.nth % 2) - 0.5) * 294,
    piece.y - 88 + (Math.floor(piece.nth / 2) + 0.5) * height,
  ] as const;
  return (
    <Piece of={piece} at={at} shape={{ rect: [292, height] }} class={`macao-card-${nth}`} looks>
      <title>{hint(scene, id)}</title>
      <ActiveCard scene={scene.fixed} id={id} used={used} box={[290, height - 4]} />
    </Piece>
  );
}
