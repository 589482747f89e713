/** The quarters of the city, and its wall. */

import {
  colour,
  extentOf,
  Icon,
  Outline,
  ofType,
  Piece,
  Place,
  type Point,
  rowOf,
  shapeOf,
  spread,
  useLeast,
} from "lonja";
import { areaOf, CRAMPED, placesOf, type Table } from "./places.ts";
import { Cubes, Disc, House } from "./symbols.tsx";

export function City({ scene }: { scene: Table }) {
  const least = useLeast();
  // How far a quarter's number is from its edge.
  const mark = least > CRAMPED ? 19 : 16;
  const letter = DIGIT * Math.max(18, least);
  const { board, says, view } = scene;
  const {
    at: [left, top],
    size: [across, down],
  } = areaOf(scene, "city");
  return (
    <>
      <rect
        x={left}
        y={top}
        width={across}
        height={down}
        rx="16"
        fill={colour("land")}
        class="macao-edge"
      />
      <rect
        x={left + 4}
        y={top + 4}
        width={across - 8}
        height={down - 8}
        rx="14"
        fill="var(--macao-street)"
        opacity=".55"
      />
      {view.quarters.map(({ quarter, owner }) => {
        const place = board.places[quarter];
        if (!place) return null;
        const [width, height] = extentOf(shapeOf(board, place));
        const row = rowOf(scene.tables, "quarters", quarter) as
          | { readonly cost: Readonly<Record<string, number>> }
          | undefined;
        const dark = place.colour === "dark";
        return (
          <Place key={quarter} at={quarter}>
            <title>{says.place(quarter)}</title>
            <rect
              x={-width / 2 + 1}
              y={-height / 2}
              width={width - 2}
              height={height}
              rx="6"
              fill={colour(dark ? "dark" : "quarter")}
              class="macao-edge"
            />
            <Roof width={width - 2} top={-height / 2} />
            {owner === null ? (
              <Cost of={row?.cost ?? {}} box={[width, height]} />
            ) : (
              <rect
                x={-width / 2 + 1}
                y={-height / 2}
                width={width - 2}
                height={height}
                rx="6"
                fill={colour(scene.sign(owner).colour)}
                fill-opacity=".6"
              />
            )}
          </Place>
        );
      })}
      {ofType(scene, "tile").map((piece) => {
        const place = board.places[piece.place];
        if (!place) return null;
        const [width] = extentOf(shapeOf(board, place));
        // Beside the number, and smaller where that leaves little room.
        const number = mark + (letter * (place.mark ?? "").length) / 2;
        const half = Math.max(14, Math.min(19, (width - number - 4) / 2));
        const x = Math.min(Math.max(0, number + half + 1 - width / 2), width / 2 - half - 2);
        return (
          <Piece
            key={piece.key}
            of={piece}
            at={[piece.x + x, piece.y - (width < 80 ? 13 : 11)]}
            shape={{ circle: 20 }}
          >
            <title>{says.name("goods", piece.id ?? "")}</title>
            <g transform={`scale(${half / 19})`}>
              <rect
                x="-19"
                y="-19"
                width="38"
                height="38"
                rx="7"
                fill="#fff8e6"
                class="macao-edge"
              />
              <Icon name={piece.id ?? ""} radius={16} />
            </g>
          </Piece>
        );
      })}
      {ofType(scene, "marker").map((piece) => (
        <Piece
          key={piece.key}
          of={piece}
          at={[piece.x, piece.y + 8]}
          shape={{ circle: 30 }}
          name={says.owner(piece.owner ?? 0)}
        >
          <title>{says.owner(piece.owner ?? 0)}</title>
          <House sign={scene.sign(piece.owner ?? 0)} />
        </Piece>
      ))}
      <g pointer-events="none">
        {view.quarters.map(({ quarter, owner }) => {
          const place = board.places[quarter];
          if (!place) return null;
          const [width, height] = extentOf(shapeOf(board, place));
          const across = Math.max(26, letter * (place.mark ?? "").length + 4);
          const down = mark > 16 ? 27 : 22;
          return (
            <g
              key={quarter}
              transform={`translate(${place.x + mark - width / 2} ${place.y + mark + 6 - height / 2})`}
            >
              {owner !== null && (
                <rect
                  x={3 - mark}
                  y={-down / 2}
                  width={across}
                  height={down}
                  rx="5"
                  fill={colour("paper")}
                />
              )}
              <text class={owner === null ? "" : "macao-number"} font-size="18" dy="0.35em">
                {` ${place.mark} `}
              </text>
            </g>
          );
        })}
      </g>
    </>
  );
}

/** The width of a digit, relative to its height. */
const DIGIT = 0.64;

/** The cost of a quarter, along its street. */
function Cost({ of, box: [width, height] }: { of: Readonly<Record<string, number>>; box: Point }) {
  const count = Object.values(of).reduce((sum, number) => sum + number, 0);
  const tall = height > 90;
  const most = tall ? 25 : 22;
  const size = Math.min(most, (width - 4) / count - 2);
  if (size >= 18) return <Cubes of={of} size={size} at={[0, height / 2 - 4 - most / 2]} />;
  return (
    <Cubes of={of} size={tall ? 20 : 16} columns={2} at={[0, height / 2 - (tall ? 23 : 19)]} />
  );
}

/** A row of tiles along the top of a quarter. */
function Roof({ width, top }: { width: number; top: number }) {
  const tiles = Math.round(width / 13);
  const step = width / tiles;
  return (
    <path
      d={`M${-width / 2} ${top + 7}v-3q0-4 4-4H${width / 2 - 4}q4 0 4 4v3${`q${-step / 2} 7 ${-step} 0`.repeat(tiles)}z`}
      fill="var(--macao-roof)"
      stroke={colour("ink")}
      stroke-opacity=".4"
    />
  );
}

export function Wall({ scene }: { scene: Table }) {
  const { says } = scene;
  const {
    at: [left, top],
    size: [across, down],
  } = areaOf(scene, "wall");
  const merlons = Array.from(
    { length: Math.floor((across - 20) / 36) + 1 },
    (_, nth) => `M${left + 2 + nth * 36} ${top + 2}v-10h20v10z`,
  ).join("");
  return (
    <>
      <path d={merlons} fill={colour("stone")} stroke="var(--macao-mortar)" stroke-width="1.5" />
      <rect
        x={left}
        y={top}
        width={across}
        height={down}
        rx="4"
        fill={colour("stone")}
        stroke="var(--macao-mortar)"
        stroke-width="2"
      />
      {placesOf(scene, "wall").map((key, nth) => (
        <Place key={key} at={key}>
          <title>{says.place(key)}</title>
          <Outline
            shape={scene.narrow ? { rect: [68, 78] } : { rect: [68, 60] }}
            round={6}
            fill={colour("paper")}
            fill-opacity=".35"
            stroke="var(--macao-mortar)"
            stroke-width="1.5"
          />
          <path
            d="M-34-9H-8M8 11H34M-34 31v-20M-8-29v20"
            stroke="var(--macao-mortar)"
            stroke-opacity=".5"
            stroke-width="1.5"
            fill="none"
          />
          <text class="macao-title" font-size="22" opacity=".9" dy="0.35em">
            {nth}
          </text>
        </Place>
      ))}
      {ofType(scene, "disc").map((piece) => {
        const gap = scene.narrow ? 34 : piece.among > 2 ? 31 : 33;
        const radius = piece.among > 1 ? gap / 2 : 22;
        // The first tile of a list is the top of its stack.
        const first = { ...piece, nth: piece.among - 1 - piece.nth };
        const [x, y] = spread(first, gap, 2);
        return (
          <Piece
            key={piece.key}
            of={piece}
            at={[x, y]}
            shape={{ circle: Math.max(radius + 2, 22) }}
            name={says.owner(piece.owner ?? 0)}
          >
            <title>{says.owner(piece.owner ?? 0)}</title>
            <Disc sign={scene.sign(piece.owner ?? 0)} radius={radius} />
          </Piece>
        );
      })}
    </>
  );
}
