/** Common parts of the drawing. */

import {
  colour,
  type components,
  type Fixed,
  Icon,
  type Scene,
  SeatSign,
  Text,
  useLeast,
} from "lonja";
import icons from "./art/icons/*.svg";

export type View = components["schemas"]["SantiagoDeCubaView"];

export type Town = Scene<View>;

export const GOODS = ["sugar", "citrus", "tobacco", "rum", "cigars", "wood"];

/** The texts of citizens and buildings, with icons in the place of their names. */
export const DOES: Readonly<Record<string, readonly string[]>> = {
  pedro: ["2", "tobacco"],
  maria: ["2", "vp"],
  jose: ["2", "sugar_cane"],
  martinez: ["3", "peso"],
  conchita: ["2", "citrus"],
  miguel: ["2", "wood"],
  el_zorro: ["mask", "peso"],
  pablo: ["1", "chest"],
  alonso: ["owner_marker", "scales"],
  casino: ["3", "peso", "⇄", "1", "vp"],
  bank: ["+2", "peso"],
  church: ["+1", "vp"],
  port_office: ["◂", "flag", "▸"],
  distillery: ["sugar_cane", "▸", "rum"],
  tobacco_factory: ["tobacco", "▸", "cigars"],
  office: ["die", "−1", "▸", "2", "vp"],
  black_market: ["chest", "⇄", "chest"],
  sawmill: ["wood", "▸", "vp", "peso"],
  newspaper: ["+1", "peso", "face_down"],
  cafe: ["rum", "cigars", "▸", "2", "vp"],
  customs: ["die", "▸", "0"],
};

export function Strip({ of: signs, size = 26 }: { of: readonly string[]; size?: number }) {
  const letters = (sign: string) => (/\d/.test(sign) ? 0.62 * sign.length : 1);
  const width = (sign: string) => size * (sign in icons ? 1.1 : letters(sign));
  const whole = signs.reduce((sum, sign) => sum + width(sign), 0);
  let x = -whole / 2;
  return (
    <>
      {signs.map((sign, index) => {
        const middle = x + width(sign) / 2;
        x += width(sign);
        return (
          <g key={`${index} ${sign}`} transform={`translate(${middle} 0)`}>
            {sign in icons ? (
              <Icon name={sign} radius={size / 2} />
            ) : (
              <text class="santiago-number" font-size={size * 0.92} dy=".35em">
                {sign}
              </text>
            )}
          </g>
        );
      })}
    </>
  );
}

export function keysOf({ board }: Town, kind: string): string[] {
  return Object.keys(board.places).filter((key) => board.places[key]?.kind === kind);
}

export function icon({ board }: Fixed, good: string): string {
  return board.catalogue.goods?.icons?.[good] ?? good;
}

/** Larger letters have room for names only if they are slim. */
const SLIM = 30;

export function useIsSlim(): boolean {
  return useLeast() > SLIM;
}

/** A name on a ribbon, which is higher and wider where only larger letters can be read. */
export function Ribbon({
  children,
  y,
  width: usual,
}: {
  children: string;
  y: number;
  width: number;
}) {
  const least = useLeast();
  const height = Math.max(28, Math.min(least, 40));
  const width = useIsSlim() ? Math.max(usual, 148) : usual;
  return (
    <g transform={`translate(0 ${y})`}>
      <rect
        class="santiago-ribbon"
        x={-width / 2}
        y={-height / 2}
        width={width}
        height={height}
        rx="8"
      />
      <Text box={[width - 6, height - 2]} max={20} class="santiago-name santiago-slim">
        {children}
      </Text>
    </g>
  );
}

export function Pawn({ scene, owner }: { scene: Fixed; owner: number | string }) {
  const sign = scene.sign(owner);
  return (
    <>
      <path
        class="santiago-pawn"
        d="M0-34a13 13 0 0 1 9 22c8 5 12 16 15 34h-48c3-18 7-29 15-34a13 13 0 0 1 9-22z"
        fill={colour(sign.colour)}
      />
      <circle cy="7" r="13" fill={colour("paper")} class="santiago-edge" />
      <g transform="translate(0 7)">
        <SeatSign sign={sign} size={0.85} />
      </g>
    </>
  );
}
