/** The round: whose turn it is, the dice, the tribute, the bank. */

import {
  colour,
  extentOf,
  Outline,
  ofType,
  Piece,
  Place,
  SeatSign,
  shapeOf,
  Text,
  useLeast,
} from "lonja";
import { Amount } from "./emblems.tsx";
import { CRAMPED, placesOf, type Table } from "./places.ts";
import { Cube, Die } from "./symbols.tsx";

export function Rounds({ scene }: { scene: Table }) {
  const least = useLeast();
  // Bold numbers of two large digits would touch each other.
  const bold = least > CRAMPED ? "" : "macao-number";
  const { says, view } = scene;
  const asked = view.active === null ? undefined : says.label(`decision.${view.phase}`);
  const now =
    view.phase === "finished"
      ? says.label("board.finished")
      : view.active !== null
        ? `${says.owner(view.active)}: ${asked}`
        : says.label(view.queue.length > 0 ? "board.together" : "board.nature");
  const [x, y] = scene.narrow ? [202, 38] : [795, 42];
  return (
    <>
      {placesOf(scene, "round").map((key, nth) => {
        const round = nth + 1;
        const cap = Number(scene.board.places[key]?.says?.cap);
        // Two lines of large letters have no room; the place's name has this, too.
        const capped = cap < 6 && least <= CRAMPED;
        return (
          <Place key={key} at={key}>
            <title>{says.place(key)}</title>
            <Outline
              class="macao-edge"
              shape={{ rect: [44, 54] }}
              round={8}
              fill={colour(round < view.round ? "stone" : "paper")}
            />
            <text class={bold} font-size="20" y={capped ? -10 : 0} dy="0.35em">
              {round}
            </text>
            {capped && (
              <text class="macao-quiet" font-size="18" y="13" dy="0.35em">
                {`≤${cap}`}
              </text>
            )}
          </Place>
        );
      })}
      {ofType(scene, "round_marker").map((piece) => (
        <Piece key={piece.key} of={piece} shape={{ rect: [47, 58] }}>
          <title>{says.label("board.round", { round: view.round, rounds: view.rounds })}</title>
          <rect
            x="-21"
            y="-26"
            width="42"
            height="52"
            rx="8"
            fill="none"
            stroke="var(--macao-seal)"
            stroke-width="6"
          />
        </Piece>
      ))}
      <g transform={`translate(${x} ${y})`}>
        <rect
          x="-196"
          y="-27"
          width="392"
          height="54"
          rx="27"
          fill={colour("paper")}
          class="macao-edge"
        />
        {view.active !== null && (
          <g transform="translate(-168 0)">
            <SeatSign sign={scene.sign(view.active)} size={1.3} />
          </g>
        )}
        <Text
          box={view.active === null ? [372, 48] : [326, 48]}
          at={[view.active === null ? 0 : 14, 0]}
          max={20}
          short={asked}
        >
          {now}
        </Text>
      </g>
      <Place at="turn_order">
        <title>{says.place("turn_order")}</title>
        <path d="M-94-26H78L95 0 78 26H-94z" fill={colour("paper")} class="macao-edge" />
      </Place>
      {ofType(scene, "turn_order").map((piece) => (
        <Piece
          key={piece.key}
          of={piece}
          at={[piece.x - 66 + piece.nth * 43, piece.y]}
          shape={{ circle: 20 }}
          name={says.owner(piece.owner ?? 0)}
        >
          <title>{says.owner(piece.owner ?? 0)}</title>
          <g opacity={view.queue.some((seat) => seat === piece.owner) ? 1 : 0.5}>
            <SeatSign sign={scene.sign(piece.owner ?? 0)} size={1.35} />
          </g>
        </Piece>
      ))}
    </>
  );
}

export function Dice({ scene }: { scene: Table }) {
  const { says, view } = scene;
  return (
    <>
      {placesOf(scene, "die").map((key) => (
        <Place key={key} at={key}>
          <title>{says.place(key)}</title>
          <rect
            x="-36"
            y="-36"
            width="72"
            height="72"
            rx="14"
            fill="var(--macao-felt)"
            class="macao-edge"
          />
          {view.die_values === null && (
            <g opacity=".55">
              <Cube of={key.replace("die_", "")} size={34} />
            </g>
          )}
        </Place>
      ))}
      {ofType(scene, "die").map((piece) => {
        const of = piece.place.replace("die_", "");
        const rolled = view.dice?.[of] ?? piece.count;
        return (
          <Piece
            key={piece.key}
            of={piece}
            shape={{ rect: [64, 64] }}
            name={says.place(piece.place)}
          >
            <title>
              {`${says.place(piece.place)}: ${rolled === piece.count ? "" : `${rolled} → `}${piece.count}`}
            </title>
            <Die of={of} value={piece.count ?? 0} />
          </Piece>
        );
      })}
    </>
  );
}

export function Tribute({ scene }: { scene: Table }) {
  const { board, says, sign, view, viewer } = scene;
  const [gold, prestige] = [board.places.tribute_gold, board.places.tribute_prestige];
  const own = viewer === null ? undefined : view.players[viewer]?.tribute_price;
  return (
    <>
      {(["gold", "prestige"] as const).map((part) => (
        <Place key={part} at={`tribute_${part}`}>
          <title>{says.place(`tribute_${part}`)}</title>
          <rect
            x="-43"
            y="-36"
            width="86"
            height="72"
            rx="14"
            fill={colour("paper")}
            class="macao-edge"
          />
          <Amount of={part} number={view.tribute[part]} radius={26} />
          {part === "gold" && viewer !== null && own !== undefined && own < view.tribute.gold && (
            <g transform="translate(24 22)">
              <Amount of="gold" number={own} radius={14} />
              <g transform="translate(-18 4)">
                <SeatSign sign={sign(viewer)} size={0.6} />
              </g>
            </g>
          )}
        </Place>
      ))}
      {gold && prestige && (
        <path
          d={`M${(gold.x + prestige.x) / 2 - 9} ${gold.y}h18m-8-8 8 8-8 8`}
          fill="none"
          stroke={colour("ink")}
          stroke-width="4"
        />
      )}
    </>
  );
}

export function Bank({ scene }: { scene: Table }) {
  const { board, narrow } = scene;
  const place = board.places.bank;
  const [width, height] = place ? extentOf(shapeOf(board, place)) : [0, 0];
  const columns = narrow ? 3 : 6;
  return (
    <>
      <Place at="bank">
        <title>{scene.says.place("bank")}</title>
        <rect
          x={1 - width / 2}
          y={1 - height / 2}
          width={width - 2}
          height={height - 2}
          rx="14"
          fill={colour("paper")}
          class="macao-edge"
        />
        <Text class="macao-quiet" box={[width - 8, 24]} at={[0, 15 - height / 2]} max={18}>
          {scene.says.place("bank")}
        </Text>
      </Place>
      {ofType(scene, "cube").map((piece) => (
        <Piece
          key={piece.key}
          of={piece}
          at={[
            piece.x + ((piece.nth % columns) - (columns - 1) / 2) * (narrow ? 112 : 80),
            piece.y + (narrow ? Math.floor(piece.nth / columns) * 38 - 10 : 11),
          ]}
          shape={{ rect: [72, 40] }}
        >
          <g transform="translate(-16 0)">
            <Cube of={piece.id ?? ""} size={30} />
          </g>
          <text class="macao-number" font-size="22" x="18" dy="0.36em">
            {piece.count}
          </text>
        </Piece>
      ))}
    </>
  );
}
