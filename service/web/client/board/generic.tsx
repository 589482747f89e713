/** A board for any ruleset, drawn from nothing but its geometry; renderers draw better ones. */

import { Icon, Piece, Place, useAround } from "./elements.tsx";
import { extentOf, type Place as PlaceData, type Point, type Sheet, shapeOf } from "./geometry.ts";
import { nodes, root } from "./paths.ts";
import type { Scene } from "./scene.ts";
import { colour, Outline, SeatSign } from "./shapes.tsx";
import type { Mat, Piece as PieceData } from "./standing.ts";
import { Text } from "./text.tsx";

export function drawBoard(scene: Scene) {
  const { board } = scene;
  const [width, height] = board.size;
  return (
    <>
      <rect class="ground" width={width} height={height} rx="18" fill={colour("ground")} />
      <Scenery scene={scene} />
      <Lines sheet={board} />
      <Places scene={scene} />
      <Pieces scene={scene} />
    </>
  );
}

export function drawMat(scene: Scene, mat: Mat) {
  return (
    <>
      <Places scene={scene} mat={mat} />
      <Pieces scene={scene} mat={mat} />
    </>
  );
}

/** The decoration under the places. */
export function Scenery({ scene: { board, says } }: { scene: Scene }) {
  return (
    <g class="scenery">
      {board.scenery?.map(({ x, y, shape, colour: name, label }) => (
        <g key={`${x} ${y} ${name}`} transform={`translate(${x} ${y})`}>
          <Outline shape={shape} fill={colour(name)} round={14} />
          {label && <Text box={extentOf(shape)}>{says.label(label)}</Text>}
        </g>
      ))}
    </g>
  );
}

/** The lines between places whose kind has them, with an arrow in the middle of one-way lines. */
export function Lines({ sheet }: { sheet: Sheet }) {
  const drawn = Object.entries(sheet.places).flatMap(([key, place]) => {
    const kind = sheet.kinds[place.kind];
    if (!kind?.lines) return [];
    return (place.neighbours ?? []).flatMap((other) => {
      const to = sheet.places[other];
      return to && (kind.directed || key < other)
        ? [{ key, other, from: place, to, directed: kind.directed }]
        : [];
    });
  });
  return (
    <g class="lines">
      {drawn.map(({ key, other, from, to, directed }) => {
        const turn = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
        const middle = `translate(${(from.x + to.x) / 2} ${(from.y + to.y) / 2}) rotate(${turn})`;
        return (
          <g key={`${key} ${other}`}>
            <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
            {directed && <path d="M-7-7 7 0-7 7" transform={middle} />}
          </g>
        );
      })}
    </g>
  );
}

/** The places of the board or of a mat; `kinds` selects some. */
export function Places({
  scene,
  mat,
  kinds,
}: {
  scene: Scene;
  mat?: Mat;
  kinds?: readonly string[];
}) {
  const sheet = mat ? scene.board.mat : scene.board;
  if (!sheet) return null;
  const taken = new Set((mat ?? scene).pieces.map((piece) => piece.place));
  const shown = Object.entries(sheet.places).filter(
    ([, place]) => kinds?.includes(place.kind) ?? true,
  );
  return (
    <g class="places">
      {shown.map(([key, place]) => (
        <Place key={key} at={key}>
          <PlaceFace
            scene={scene}
            sheet={sheet}
            place={place}
            view={mat?.view ?? scene.view}
            taken={taken.has(key)}
          />
        </Place>
      ))}
    </g>
  );
}

function PlaceFace({
  scene: { says, board },
  sheet,
  place,
  view,
  taken,
}: {
  scene: Scene;
  sheet: Sheet;
  place: PlaceData;
  view: unknown;
  /** Whether a piece stands on the place. */
  taken: boolean;
}) {
  const { icons } = useAround();
  const kind = sheet.kinds[place.kind];
  const shape = shapeOf(sheet, place);
  const [width, height] = extentOf(shape);
  const icon = place.icon ?? kind?.icon;
  const shown = place.shows === undefined ? null : shownAt(view, place, says, board.catalogue);
  const known = icon !== undefined && icon in icons;
  // If pieces stand on a place, its name is written above them, or left out if there is no room.
  const above = shown !== null || (taken && shape.rect !== undefined && height >= 84);
  const hidden = taken && !above && place.mark === undefined;
  const label = hidden ? "" : (place.mark ?? says.label(place.label, place.says));
  const box: Point = [width - 8, above ? height * 0.36 : height - 8];
  return (
    <>
      {place.mark !== undefined || hidden ? (
        <title>{says.label(place.label, place.says)}</title>
      ) : null}
      <Outline
        class="face"
        shape={shape}
        fill={colour(place.colour ?? kind?.colour ?? "paper")}
        round={8}
      />
      {icon && shown === null && known && (
        <g class="faint">
          <Icon name={icon} radius={Math.min(width, height) * 0.3} />
        </g>
      )}
      {label && (
        <Text
          class={place.mark ? "mark" : "label"}
          box={box}
          at={[0, above ? -height * 0.3 : 0]}
          max={16}
        >
          {label}
        </Text>
      )}
      {shown !== null && (
        <Text class="shown" box={[width - 8, height * 0.5]} at={[0, height * 0.16]}>
          {shown}
        </Text>
      )}
    </>
  );
}

/** The text with which a place shows a value of the view: a number, a text, or the names of ids. */
function shownAt(
  view: unknown,
  place: PlaceData,
  says: Scene["says"],
  catalogue: Scene["board"]["catalogue"],
): string {
  const values = [...nodes(root(view), place.shows ?? "")].map((node) => node.value);
  const table = place.of;
  const said = values.map((value) => {
    if (table && typeof value === "string" && catalogue[table]) return says.name(table, value);
    return typeof value === "boolean" ? (value ? "✓" : "–") : String(value);
  });
  return said.length > 0 ? said.join(" · ") : "–";
}

/** The pieces of the board or of a mat; `types` selects some. */
export function Pieces({
  scene,
  mat,
  types,
}: {
  scene: Scene;
  mat?: Mat;
  types?: readonly string[];
}) {
  const sheet = mat ? scene.board.mat : scene.board;
  if (!sheet) return null;
  const shown = (mat ?? scene).pieces.filter(({ type }) => types?.includes(type) ?? true);
  return (
    <g class="pieces">
      {shown.map((piece) => (
        <PieceFace key={piece.key} scene={scene} sheet={sheet} piece={piece} />
      ))}
    </g>
  );
}

/** A piece within its share of the place: a name on a tile, the sign of a seat, or an icon. */
function PieceFace({
  scene: { says, board, sign },
  sheet,
  piece,
}: {
  scene: Scene;
  sheet: Sheet;
  piece: PieceData;
}) {
  const place = sheet.places[piece.place];
  const kind = sheet.pieces[piece.type];
  if (!place || !kind) return null;
  const extent = extentOf(shapeOf(sheet, place));
  const { at, box } = share(piece, extent);
  const known = kind.table ? board.catalogue[kind.table] : undefined;
  const named = kind.table && piece.id !== null && known ? says.name(kind.table, piece.id) : null;
  const icon = (piece.id !== null && known?.icons?.[piece.id]) || kind.icon;
  const tone = (piece.id !== null && known?.colours?.[piece.id]) || "paper";
  const radius = Math.min(box[0], box[1]) / 2;
  const count = piece.count === null ? "" : String(piece.count);
  if (piece.owner !== null)
    return (
      <Piece of={piece} at={at} shape={{ circle: radius + 3 }} name={says.owner(piece.owner)}>
        <title>{says.owner(piece.owner)}</title>
        <SeatSign sign={sign(piece.owner)} size={radius / 13} />
        {count && (
          <Text class="count" box={[2 * radius, 2 * radius]}>
            {count}
          </Text>
        )}
      </Piece>
    );
  if (named !== null && kind.table)
    return (
      <Piece
        of={piece}
        at={at}
        shape={{ rect: [box[0] + 4, box[1] + 4] }}
        class={piece.count === 0 ? "none" : ""}
      >
        <title>{[named, says.text(kind.table, piece.id ?? "")].filter(Boolean).join(": ")}</title>
        <Outline class="tile" shape={{ rect: box }} fill={colour(tone)} round={6} />
        <Text class="on-tile" box={[box[0] - 6, box[1] - 4]} max={18}>
          {count ? `${count} ${named}` : named}
        </Text>
      </Piece>
    );
  return (
    <Piece of={piece} at={at} shape={{ circle: radius + 3 }}>
      <Outline class="tile" shape={{ circle: radius }} fill={colour("paper")} />
      {count ? (
        <Text class="on-tile" box={[1.7 * radius, 1.7 * radius]}>
          {count}
        </Text>
      ) : (
        icon && <Icon name={icon} radius={radius * 0.8} />
      )}
    </Piece>
  );
}

const TILE: Point = [118, 54];
const TOKEN = 40;

/** A piece's position if all pieces of its spot get equal shares of it, and the size of a share. */
function share(
  { x, y, nth, among, owner, id }: PieceData,
  [width, height]: Point,
): { at: Point; box: Point } {
  const largest: Point = id !== null && owner === null ? TILE : [TOKEN, TOKEN];
  const columns = Math.min(
    among,
    Math.max(1, Math.round(Math.sqrt((among * width * largest[1]) / (height * largest[0])))),
  );
  const rows = Math.ceil(among / columns);
  const cell: Point = [(width - 6) / columns, (height - 6) / rows];
  const at: Point = [
    x + ((nth % columns) - (columns - 1) / 2) * cell[0],
    y + (Math.floor(nth / columns) - (rows - 1) / 2) * cell[1],
  ];
  return { at, box: [Math.min(largest[0], cell[0] - 3), Math.min(largest[1], cell[1] - 3)] };
}
