/** The quarters of the city, and its wall. */

import { colour, extentOf, Icon, ofType, Piece, Place, rowOf, shapeOf, spread } from "lonja";
import { placesOf, type Table } from "./places.ts";
import { Cubes, Disc, House } from "./symbols.tsx";

export function City({ scene }: { scene: Table }) {
  const { board, says, view } = scene;
  return (
    <>
      <rect
        x="605"
        y="84"
        width="584"
        height="556"
        rx="16"
        fill={colour("land")}
        class="macao-edge"
      />
      <rect
        x="609"
        y="88"
        width="576"
        height="548"
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
        const narrow = width < 80;
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
              <Cost of={row?.cost ?? {}} narrow={narrow} />
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
            <text
              class={owner === null ? "macao-quiet" : "macao-number"}
              font-size="16"
              x={-width / 2 + 15}
              y={-height / 2 + 22}
              dy="0.35em"
            >
              {` ${place.mark} `}
            </text>
          </Place>
        );
      })}
      {ofType(scene, "tile").map((piece) => {
        const place = board.places[piece.place];
        const narrow = place !== undefined && extentOf(shapeOf(board, place))[0] < 80;
        return (
          <Piece
            key={piece.key}
            of={piece}
            at={[piece.x + (narrow ? 8 : 0), piece.y - (narrow ? 13 : 11)]}
            shape={{ circle: 20 }}
          >
            <title>{says.name("goods", piece.id ?? "")}</title>
            <rect x="-19" y="-19" width="38" height="38" rx="7" fill="#fff8e6" class="macao-edge" />
            <Icon name={piece.id ?? ""} radius={16} />
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
    </>
  );
}

/** What a quarter costs, along its street. */
function Cost({ of, narrow }: { of: Readonly<Record<string, number>>; narrow: boolean }) {
  if (!narrow) return <Cubes of={of} size={22} at={[0, 28]} />;
  const count = Object.values(of).reduce((sum, number) => sum + number, 0);
  return <Cubes of={of} size={16} columns={count > 3 ? 2 : 3} at={[0, count > 3 ? 24 : 28]} />;
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
  const merlons = Array.from({ length: 33 }, (_, nth) => `M${12 + nth * 36} 652v-10h20v10z`).join(
    "",
  );
  return (
    <>
      <path d={merlons} fill={colour("stone")} stroke="var(--macao-mortar)" stroke-width="1.5" />
      <rect
        x="10"
        y="650"
        width="1180"
        height="66"
        rx="4"
        fill={colour("stone")}
        stroke="var(--macao-mortar)"
        stroke-width="2"
      />
      {placesOf(scene, "wall").map((key, nth) => (
        <Place key={key} at={key}>
          <title>{says.place(key)}</title>
          <rect
            x="-34"
            y="-29"
            width="68"
            height="60"
            rx="6"
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
          <text class="macao-title" font-size="22" opacity=".7" dy="0.35em">
            {nth}
          </text>
        </Place>
      ))}
      {ofType(scene, "disc").map((piece) => {
        const radius = piece.among > 1 ? 16 : 22;
        // Of a stack the top is first.
        const first = { ...piece, nth: piece.among - 1 - piece.nth };
        const [x, y] = spread(first, piece.among > 2 ? 31 : 33, 2);
        return (
          <Piece
            key={piece.key}
            of={piece}
            at={[x, y]}
            shape={{ circle: radius + 2 }}
            name={says.owner(piece.owner ?? 0)}
          >
            <title>{says.owner(piece.owner ?? 0)}</title>
            <Disc sign={scene.sign(piece.owner ?? 0)} radius={radius - (piece.among > 2 ? 1 : 0)} />
          </Piece>
        );
      })}
    </>
  );
}
