/** The New World with its settlements, and the sea with its trade. */

import { colour, Icon, ofType, Piece, type PieceOf, Place, rowOf, signPath } from "lonja";
import { type Drawn, Face, keysOf, Tile, tileWords } from "./fields.tsx";
import { MOVED } from "./narrow.ts";
import { Lines } from "./words.tsx";

export function NewWorld({ scene }: { scene: Drawn }) {
  const { says, view, tables } = scene;
  const [dx, dy] = scene.narrow ? MOVED.world : [0, 0];
  return (
    <>
      <Lines at={[26 + dx, 31 + dy]} width={330} size={24} bold>
        {says.label("board.land")}
      </Lines>
      {keysOf(scene, "row").map((_, index) => (
        <g key={`row ${index + 1}`}>
          <path class="plusultra-path" d={`M${150 + dx} ${102 + dy + index * 108}h30`} />
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
          <Tile key={piece.key} scene={scene.fixed} piece={piece} />
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

/**
 * Where the markers on a space stand, by their number: so far apart that each can be picked in a
 * small window, also from those on the next space.
 */
const STANDS: readonly (readonly (readonly [number, number])[])[] = [
  [[14, 0]],
  [[28, -24.5], [-28, 24.5]],
  [[-30, -37], [-30, 37], [34, 0]],
  [[-37, -37], [37, -37], [-37, 37], [37, 37]],
]; // biome-ignore format: a line for each number

export function Sea({ scene }: { scene: Drawn }) {
  const track = scene.board.tracks?.sea_trade?.places ?? [];
  const points = track.map((key) => scene.board.places[key]);
  const route = points.map((place) => `${place?.x},${place?.y}`).join(" ");
  return (
    <>
      <polyline class="plusultra-route" points={route} />
      {track.map((key, steps) => (
        <Place at={key} key={key}>
          <title>{scene.says.place(key)}</title>
          <rect class="plusultra-water" x="-48" y="-46" width="96" height="92" rx="16" />
          <text class="plusultra-title" font-size="22" x="-30" y="-28" dy="0.35em">
            {steps}
          </text>
        </Place>
      ))}
      {ofType(scene, "sea_marker").map((piece) => {
        const alone = piece.among === 1;
        const [x, y] = STANDS[piece.among - 1]?.[piece.nth] ?? [0, 0];
        return (
          <Piece
            of={piece}
            key={piece.key}
            at={[piece.x + x, piece.y + y]}
            shape={alone ? { circle: 32 } : { rect: [49, 49] }}
            name={scene.says.owner(piece.owner ?? 0)}
          >
            <title>{scene.says.owner(piece.owner ?? 0)}</title>
            <g transform={`scale(${alone ? 1.5 : 1.1})`}>
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
