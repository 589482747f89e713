/** The punts, the accomplices, the shares and the markers. */

import {
  colour,
  type components,
  Icon,
  Piece,
  type PieceOf,
  type Scene,
  SeatSign,
  type Sign,
} from "lonja";
import type { ComponentChildren } from "preact";
import pieces from "./art/pieces/*.svg";

export type View = components["schemas"]["ManilaView"];
type Punt = View["punts"][number];

/** The size of an accomplice, by the kind of its place. */
const FIGURES: Readonly<Record<string, number>> = {
  pirate_place: 1.2,
  shipyard: 0.86,
  office: 0.9,
};
const AFLOAT = {
  wide: { at_sea: 1, in_port: 1, in_shipyard: 0.56 },
  narrow: { at_sea: 0.85, in_port: 0.66, in_shipyard: 0.56 },
} as const;

/** An accomplice: its owner's sign, under a straw hat. */
export function Figure({ sign, size = 1 }: { sign: Sign; size?: number }) {
  return (
    <g transform={`scale(${size})`}>
      <ellipse cy="27" rx="22" ry="5" class="manila-shade" />
      <circle cy="3" r="25" fill={colour("paper")} stroke={colour(sign.colour)} stroke-width="5" />
      <g transform="translate(0 6)">
        <SeatSign sign={sign} size={1.35} />
      </g>
      <path d="M-22-12Q-4-18 0-31 4-18 22-12 0-4-22-12z" class="manila-hat" />
    </g>
  );
}

/** A punt with its load, and the signs of those aboard. */
function Boat({ scene, punt }: { scene: Scene<View>; punt: Punt }) {
  const { ware, seats, plundered } = punt;
  const gap = 88 / (seats.length + 0.4);
  return (
    <>
      <path d="M-44 26Q0 36 46 24" class="manila-wake" />
      <path d="M-30-30H26L31 6H-35z" fill={colour(ware)} class="manila-edge" />
      <path d="M-32-14H28.5M-10-30-12 6M8-30 10 6" class="manila-rope" />
      <circle cx="-2" cy="-15" r="16" class="manila-disc" />
      <g transform="translate(-2 -15)">
        <Icon name={ware} radius={12.5} />
      </g>
      <path d="M-53 0Q0 8 55-5 48 29 32 29H-34Q-48 29-53 0z" class="manila-hull" />
      {seats.map((seat, berth) => (
        <g key={berth} transform={`translate(${(berth - (seats.length - 1) / 2) * gap - 1} 15)`}>
          <circle r="9.5" class={seat === null ? "manila-bench" : "manila-aboard"} />
          {seat !== null && <SeatSign sign={scene.sign(seat)} size={0.66} />}
        </g>
      ))}
      {plundered && (
        <g transform="translate(38 -24)">
          <path d="M-9 30V-14H22L16-3 22 8H-9" class="manila-black-flag" />
          <g transform="translate(4 -3)">
            <Icon name="pirate" radius={8} />
          </g>
        </g>
      )}
    </>
  );
}

export function Punts({ scene }: { scene: Scene<View> }) {
  return scene.pieces
    .filter(({ type }) => type === "punt")
    .map((piece) => {
      const punt = scene.view.punts.find(({ ware }) => ware === piece.id);
      if (!punt) return null;
      const size = AFLOAT[scene.narrow ? "narrow" : "wide"][punt.status];
      return (
        <Piece
          key={piece.key}
          of={piece}
          at={punt.status === "at_sea" ? [piece.x, piece.y - 10] : [piece.x, piece.y]}
          shape={{ rect: [112 * size, 68 * size] }}
        >
          <g transform={`scale(${size})${punt.status === "in_shipyard" ? " rotate(9)" : ""}`}>
            <Boat scene={scene} punt={punt} />
          </g>
        </Piece>
      );
    });
}

export function Accomplices({ scene }: { scene: Scene<View> }) {
  return scene.pieces
    .filter(({ type }) => type === "accomplice")
    .map((piece) => {
      const kind = scene.board.places[piece.place]?.kind ?? "";
      const size = FIGURES[kind] ?? 1;
      const at: [number, number] =
        kind === "office" ? [piece.x, piece.y + 20] : centre(piece, kind);
      return (
        <Owned key={piece.key} scene={scene} piece={piece} at={at} radius={30 * size}>
          <Figure sign={scene.sign(piece.owner ?? 0)} size={size} />
        </Owned>
      );
    });
}

function centre({ x, y }: PieceOf, kind: string): [number, number] {
  return kind === "pilot" ? [x + 40, y + 14] : [x, y];
}

/** The sign of the harbour master, and of the highest bidder during the auction. */
export function Offices({ scene }: { scene: Scene<View> }) {
  return scene.pieces
    .filter(({ type }) => type === "harbour_master" || type === "high_bidder")
    .map((piece) => (
      <Owned key={piece.key} scene={scene} piece={piece} at={[piece.x, piece.y + 19]} radius={31}>
        <circle
          r="27"
          fill={colour("paper")}
          stroke={colour(scene.sign(piece.owner ?? 0).colour)}
          stroke-width="5"
        />
        <SeatSign sign={scene.sign(piece.owner ?? 0)} size={1.35} />
        <g transform="translate(34 6)">
          <circle r="17" class="manila-disc" />
          <Icon name={piece.type === "high_bidder" ? "hammer" : "harbour_master"} radius={13} />
        </g>
      </Owned>
    ));
}

function Owned({
  scene,
  piece,
  at,
  radius,
  children,
}: {
  scene: Scene<View>;
  piece: PieceOf;
  at: readonly [number, number];
  radius: number;
  children: ComponentChildren;
}) {
  const name = scene.says.owner(piece.owner ?? 0);
  return (
    <Piece of={piece} at={at} shape={{ circle: radius }} name={name}>
      <title>{name}</title>
      {children}
    </Piece>
  );
}

/** The price of a share, on its row of the market. */
export function PriceMarkers({ scene }: { scene: Scene<View> }) {
  return scene.pieces
    .filter(({ type }) => type === "price_marker")
    .map((piece) => (
      <Piece key={piece.key} of={piece} at={[piece.x - 20, piece.y]} shape={{ circle: 20 }}>
        <circle r="17" class="manila-disc" />
        <Icon name={piece.id ?? ""} radius={13} />
      </Piece>
    ));
}

/** A share as printed. */
export function Certificate({ ware, width = 28 }: { ware: string; width?: number }) {
  return (
    <g transform={`scale(${width / 28})`}>
      <rect x="-14" y="-19" width="28" height="38" rx="3" fill={colour(ware)} class="manila-edge" />
      <rect x="-11" y="-16" width="22" height="32" rx="2" class="manila-frame" />
      <circle r="9.5" class="manila-disc" />
      <Icon name={ware} radius={8} />
    </g>
  );
}

/** The back of a share. */
export function Back({ width = 28 }: { width?: number }) {
  return (
    <g transform={`scale(${width / 28})`}>
      <rect x="-14" y="-19" width="28" height="38" rx="3" class="manila-back" />
      <rect x="-11" y="-16" width="22" height="32" rx="2" class="manila-frame" />
      <Icon name="harbour_master" radius={8} />
    </g>
  );
}

/** The shares in the supply: their ware and number, and a row of shares. */
export function Supplies({ scene }: { scene: Scene<View> }) {
  return scene.pieces
    .filter(({ type }) => type === "share")
    .map((piece) => {
      const [ware, count] = [piece.id ?? "", piece.count ?? 0];
      // On a phone they stand in the row of their ware.
      const [from, step, y] = scene.narrow ? [-26, 19, 0] : [-4.5 * (count - 1), 9, 20];
      return (
        <Piece
          key={piece.key}
          of={piece}
          shape={scene.narrow ? { rect: [136, 38] } : { rect: [62, 86] }}
        >
          {!scene.narrow && (
            <g transform="translate(-15 -23)">
              <Icon name={ware} radius={15} />
            </g>
          )}
          <text
            x={scene.narrow ? -54 : 16}
            y={scene.narrow ? 9 : -14}
            font-size="26"
            class="manila-strong"
          >
            {count}
          </text>
          {Array.from({ length: count }, (_, nth) => (
            <g key={nth} transform={`translate(${from + nth * step} ${y})`}>
              <Certificate ware={ware} width={25} />
            </g>
          ))}
        </Piece>
      );
    });
}

export function Coin({ radius }: { radius: number }) {
  return <g transform={`scale(${radius / 12})`}>{pieces.coin}</g>;
}

/** The price of a place. */
export function Cost({ amount, radius = 17 }: { amount: number; radius?: number }) {
  return (
    <>
      <Coin radius={radius} />
      <text
        class="manila-onto-gold"
        font-size={radius * (amount > 9 ? 1.05 : 1.35)}
        y={radius * (amount > 9 ? 0.38 : 0.48)}
      >
        {`${amount} `}
      </text>
    </>
  );
}
