/** A player's mat. For values that the player's screen hides, it shows the back of the screen. */

import { colour, Icon, type Mat, ofType, Piece, Place, SeatSign, Text } from "lonja";
import { GOODS, icon, Pawn, type Town, type View } from "./parts.tsx";

type Player = View["players"][number];

export function mat(scene: Town, { owner, view: part, pieces }: Mat) {
  const player = part as unknown as Player;
  const { says, board } = scene;
  const hidden = player.goods === null;
  const sums = { pesos: player.pesos, vp: player.vp };
  return (
    <>
      {scene.view.decider === owner && (
        <rect class="santiago-deciding" x="1" y="1" width="478" height="168" rx="14" />
      )}
      {Object.entries(sums).map(([key, sum]) => (
        <Place key={key} at={key}>
          <Face />
          <title>{says.place(key, true)}</title>
          <g transform="translate(-28 0)">
            <Icon name={key === "vp" ? "vp" : "peso"} radius={22} />
          </g>
          <Sum of={sum} x={24} />
        </Place>
      ))}
      <Place at="markers">
        <Face />
        <title>{`${says.place("markers", true)}: ${player.markers_left}`}</title>
        {[0, 1, 2].map((nth) => (
          <g
            key={nth}
            transform={`translate(${34 * (nth - 1)} 0)`}
            class={nth < player.markers_left ? "" : "santiago-faint"}
          >
            <path class="santiago-pole" d="M-12-22V24" />
            <path class="santiago-edge" d="M-12-22h26l-4 11 4 11h-26z" fill={colour("paper")} />
            <g transform="translate(-1 -11)">
              <SeatSign sign={scene.sign(owner)} size={0.7} />
            </g>
          </g>
        ))}
      </Place>
      <Place at="pawn">
        <Face />
        <title>{says.place("pawn", true)}</title>
        {player.pawn ? (
          <>
            <g transform="translate(0 -17)">
              <Icon name={player.pawn} radius={15} />
            </g>
            <Text box={[110, 38]} at={[0, 15]} max={16}>
              {says.name("buildings", player.pawn)}
            </Text>
          </>
        ) : (
          <g transform="scale(.8)">
            <Pawn scene={scene.fixed} owner={owner} />
          </g>
        )}
      </Place>
      {GOODS.map((good) => (
        <Place key={good} at={`good_${good}`}>
          <rect
            class={hidden ? "santiago-edge santiago-screen" : "santiago-edge"}
            x="-37"
            y="-37"
            width="74"
            height="74"
            rx="9"
            fill={hidden ? "#b98a57" : colour("paper")}
          />
          <title>{says.name("goods", good)}</title>
          {hidden && (
            <>
              <path
                class="santiago-wicker"
                d="M-37-22h74M-37-6h74M-37 10h74M-37 26h74M-22-37v74M0-37v74M22-37v74"
              />
              <g transform="translate(0 -8)">
                <circle r="19" fill={colour("paper")} />
                <Icon name={board.catalogue.goods?.icons?.[good] ?? good} radius={14} />
              </g>
              <text class="santiago-number santiago-on-gold" font-size="22" y="26" dy=".3em">
                ?
              </text>
            </>
          )}
        </Place>
      ))}
      {ofType({ pieces }, "good").map((piece) => (
        <Piece key={piece.key} of={piece} shape={{ rect: [70, 70] }}>
          <g class={piece.count === 0 ? "santiago-none" : ""}>
            <rect
              x="-35"
              y="27"
              width="70"
              height="8"
              rx="4"
              fill={colour(piece.id ?? "ink")}
              class="santiago-band"
            />
            <g transform="translate(-14 -5)">
              <Icon name={icon(scene, piece.id ?? "")} radius={20} />
            </g>
            <text class="santiago-number" font-size="32" x="20" y="-5" dy=".35em">
              {piece.count}
            </text>
          </g>
        </Piece>
      ))}
    </>
  );
}

function Face() {
  return (
    <rect
      class="santiago-edge"
      x="-56"
      y="-34"
      width="112"
      height="68"
      rx="10"
      fill={colour("paper")}
    />
  );
}

/** A sum, or the back of the screen that hides it. */
function Sum({ of: sum, x }: { of: number | null; x: number }) {
  if (sum !== null)
    return (
      <text class="santiago-number" font-size="36" x={x} dy=".35em">
        {sum}
      </text>
    );
  return (
    <g transform={`translate(${x} 0)`}>
      <rect class="santiago-edge" x="-20" y="-22" width="40" height="44" rx="6" fill="#b98a57" />
      <text class="santiago-number santiago-on-gold" font-size="26" dy=".35em">
        ?
      </text>
    </g>
  );
}
