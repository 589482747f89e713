/** Common parts of the drawing: fields, and the tiles on them. */

import {
  colour,
  type components,
  type Fixed,
  Icon,
  Outline,
  Piece,
  type PieceOf,
  type Point,
  type Scene,
  Text,
  useLeast,
} from "lonja";
import { capital } from "./words.tsx";

export type View = components["schemas"]["PlusUltraView"];
export type Drawn = Scene<View>;

/** A field for pieces: its outline, and its content. */
export function Face({ scene, at, tone }: { scene: Drawn; at: string; tone?: string }) {
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

/** The places of a kind, drawn before anything stands on them. */
export function keysOf({ board: { places } }: Drawn, kind: string): string[] {
  return Object.keys(places).filter((key) => places[key]?.kind === kind);
}

/** The width of a bold letter, relative to its height, where letters are pressed together. */
const PRESSED = 0.5;

export function tileWords({ says }: Fixed, piece: PieceOf): string {
  const id = piece.id ?? "";
  return [says.name("tile_kinds", id), says.text("tile_kinds", id)].filter(Boolean).join(": ");
}

/** A tile of the New World: its picture and its name; the pillars, if it is face down. */
export function Tile({
  scene,
  piece,
  size: [width, height] = [124, 84],
}: {
  scene: Fixed;
  piece: PieceOf;
  size?: Point;
}) {
  const id = piece.id ?? "";
  const known = scene.board.catalogue.tile_kinds;
  const back = id === "face_down";
  const name = capital(scene.says.name("tile_kinds", id));
  // The picture says it as well: where not all of a name has room, there is none.
  const named = name.length * PRESSED * useLeast() <= width - 8;
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
          {named && (
            <Text
              broad
              class="plusultra-on-tile"
              box={[width - 8, 26]}
              at={[0, height / 2 - 14]}
              max={scene.narrow ? 22 : 18}
            >
              {name}
            </Text>
          )}
        </>
      )}
    </Piece>
  );
}
