/** The plane of a line chart: edges, scales and axes. */

import { whole } from "../phrases/numbers.ts";
import { type Scale, scale } from "./scales.ts";

export const HEIGHT = 260;
export const LEFT = 46;
export const BOTTOM = 26;
export const TOP = 12;
export const RIGHT = 14;

export interface Plane {
  readonly width: number;
  readonly x: Scale;
  readonly y: Scale;
}

/** Makes a plane with this width in pixels, and this minimum and maximum of each axis. */
export function planeOf(
  width: number,
  across: readonly [number, number],
  up: readonly [number, number],
): Plane {
  return {
    width,
    x: scale(across, [LEFT, width - RIGHT], width / 90),
    y: scale(up, [HEIGHT - BOTTOM, TOP]),
  };
}

/** The grid lines and numbers of a plane; the line at `fair` is emphasised. */
export function Axes({ plane: { width, x, y }, fair }: { plane: Plane; fair?: number }) {
  return (
    <g class="axis">
      {y.ticks.map((tick) => (
        <g key={tick}>
          <line
            class={tick === fair ? "fair" : undefined}
            x1={LEFT}
            x2={width - RIGHT}
            y1={y.at(tick)}
            y2={y.at(tick)}
          />
          <text x={LEFT - 6} y={y.at(tick) + 4} text-anchor="end">
            {whole(tick)}
          </text>
        </g>
      ))}
      {x.ticks
        .filter((tick) => x.at(tick) <= width - RIGHT + 1)
        .map((tick) => (
          <text key={tick} x={x.at(tick)} y={HEIGHT - 8} text-anchor="middle">
            {whole(tick)}
          </text>
        ))}
    </g>
  );
}
