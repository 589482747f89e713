/** A player's mat: money, accomplices and shares. */

import {
  colour,
  Icon,
  type Mat,
  Outline,
  Piece,
  Place,
  type Scene,
  SeatSign,
  shapeOf,
  Text,
} from "lonja";
import type { JSX } from "preact";
import { Back, Certificate, type View } from "./pieces.tsx";
import { capital } from "./words.ts";

type Player = View["players"][number];
interface Of {
  readonly scene: Scene<View>;
  readonly player: Player;
  readonly at: string;
}

export function PlayerMat({ scene, mat }: { scene: Scene<View>; mat: Mat }) {
  const player = mat.view as unknown as Player;
  const sheet = scene.board.mat;
  if (!sheet) return null;
  const { view } = scene;
  return (
    <>
      {view.decider === player.seat && (
        <rect x="1" y="1" width="478" height="182" rx="12" class="manila-asked" />
      )}
      {Object.entries(sheet.places).map(([key, place]) => {
        const Face = FACES[key] ?? Shares;
        return (
          <Place key={key} at={key}>
            <title>{scene.says.place(key, true)}</title>
            <Outline
              shape={shapeOf(sheet, place)}
              round={10}
              fill={colour(place.colour ?? "paper")}
              class={place.kind === "shares" ? "manila-shelf" : "manila-card"}
            />
            <Face scene={scene} player={player} at={key} />
          </Place>
        );
      })}
      {mat.pieces.map((piece) => (
        <Piece
          key={piece.key}
          of={piece}
          shape={{ rect: [40, 54] }}
          class={piece.count === 0 ? "manila-none" : ""}
        >
          {piece.count !== 0 && (
            <g transform="translate(0 -6)">
              <Certificate ware={piece.id ?? ""} width={34} />
            </g>
          )}
          <text y="37" font-size={piece.count === 0 ? 18 : 24} class="manila-strong">
            {piece.count}
          </text>
        </Piece>
      ))}
    </>
  );
}

const FACES: Readonly<Record<string, (of: Of) => JSX.Element>> = {
  cash: Amount,
  funds: Amount,
  pledged: Amount,
  accomplices: InHand,
  shares: Hand,
};

function Heading({ scene, at, width = 106 }: Pick<Of, "scene" | "at"> & { width?: number }) {
  return (
    <Text box={[width, 20]} at={[0, -25]} max={18} class="manila-caption">
      {capital(scene.says.label(WORDS[at] ?? ""))}
    </Text>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  cash: "where.cash",
  funds: "board.funds",
  pledged: "board.pledged",
  accomplices: "board.in_hand",
};
const ICONS: Readonly<Record<string, string>> = { cash: "peso", funds: "box", pledged: "pledge" };

function Amount({ scene, player, at }: Of) {
  const amount = player[at as "cash" | "funds" | "pledged"];
  return (
    <>
      <Heading scene={scene} at={at} />
      <g transform="translate(-33 12)">
        <Icon name={ICONS[at] ?? ""} radius={17} />
      </g>
      <text x="16" y="24" font-size="34" class="manila-strong">
        {amount}
      </text>
    </>
  );
}

/** A figure for each accomplice in hand; a cross for a player who has passed. */
function InHand({ scene, player, at }: Of) {
  const out = scene.view.abstained.includes(player.seat);
  const left = player.accomplices_in_hand;
  const gap = Math.min(27, 96 / Math.max(left, 1));
  return (
    <>
      <Heading scene={scene} at={at} />
      {Array.from({ length: left }, (_, nth) => (
        <g key={nth} transform={`translate(${(nth - (left - 1) / 2) * gap} 12)`}>
          <SeatSign sign={scene.sign(player.seat)} size={1.05} />
        </g>
      ))}
      {left === 0 && (
        <text y="22" font-size="28" class="manila-number">
          0
        </text>
      )}
      {out && <path d="M-44 24 44 2" class="manila-out" />}
    </>
  );
}

/** All shares by number, and a back for each that is hidden from the viewer. */
function Hand({ player }: Of) {
  const known = { ...player.dealt } as Record<string, number>;
  const bought = Object.values(player.bought as Record<string, number>);
  const seen = [...Object.values(known), ...bought].reduce((sum, count) => sum + count, 0);
  const unseen = player.shares - seen;
  return (
    <>
      <g transform="translate(-26 -22)">
        <Icon name="share" radius={13} />
      </g>
      <text x="12" y="-12" font-size="30" class="manila-strong">
        {player.shares}
      </text>
      {Array.from({ length: unseen }, (_, nth) => (
        <g key={nth} transform={`translate(${(nth - (unseen - 1) / 2) * 32} 18)`}>
          <Back width={28} />
        </g>
      ))}
    </>
  );
}

/** Shares of one ware. Shares from the deal, which were secret, have a ribbon. */
function Shares({ at }: Of) {
  const [how, ware = ""] = at.split("_");
  return (
    <>
      <g transform="translate(0 -8)" class="manila-faint">
        <Icon name={ware} radius={15} />
      </g>
      {how === "dealt" && <path d="M-16-42V-30L-10-35-4-30V-42z" class="manila-ribbon" />}
    </>
  );
}
