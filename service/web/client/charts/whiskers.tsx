/** A chart with a figure in each row, and the band of the figure. */

import { fixed, spanOf } from "../phrases/numbers.ts";
import { Chart } from "./frame.tsx";
import { extent, scale } from "./scales.ts";

export interface Whisker {
  readonly name: string;
  readonly value: number;
  readonly band: readonly [number, number] | null;
}

const ROW = 30;
const BOTTOM = 24;
const RIGHT = 16;

export function Whiskers({
  caption,
  note,
  head,
  rows,
  fair,
  digits,
}: {
  caption: string;
  note?: string;
  /** The headings of the table: name, figure, band. */
  head: readonly [string, string, string];
  rows: readonly Whisker[];
  /** The neutral value, which is marked. */
  fair: number;
  digits: number;
}) {
  if (rows.length === 0) return null;
  const height = rows.length * ROW + BOTTOM;
  const values = rows.flatMap(({ value, band }) => [value, ...(band ?? [])]);
  const draw = (width: number) => {
    const left = Math.min(width * 0.36, 170);
    const x = scale(extent([...values, fair]), [left, width - RIGHT], width / 130);
    return (
      <>
        <g class="axis">
          {x.ticks.map((tick) => (
            <g key={tick}>
              <line x1={x.at(tick)} x2={x.at(tick)} y1={0} y2={height - BOTTOM} />
              <text x={x.at(tick)} y={height - 6} text-anchor="middle">
                {fixed(tick, digitsOf(x.ticks))}
              </text>
            </g>
          ))}
          <line class="fair" x1={x.at(fair)} x2={x.at(fair)} y1={0} y2={height - BOTTOM} />
        </g>
        {rows.map(({ name, value, band }, row) => {
          const y = row * ROW + ROW / 2;
          return (
            <g key={name} class="whisker">
              <text x={left - 10} y={y + 4} text-anchor="end">
                {short(name, left)}
                <title>{name}</title>
              </text>
              {band && (
                <path
                  class="band"
                  d={`M${x.at(band[0])} ${y - 6}v12m0-6H${x.at(band[1])}m0-6v12`}
                />
              )}
              <circle class="dot" cx={x.at(value)} cy={y} r="5" />
            </g>
          );
        })}
      </>
    );
  };
  return (
    <Chart
      caption={caption}
      {...(note ? { note } : {})}
      height={height}
      draw={draw}
      head={head}
      rows={rows.map(({ name, value, band }) => [
        name,
        fixed(value, digits),
        spanOf(band, digits) || "–",
      ])}
    />
  );
}

/** The number of digits with which the ticks differ. */
function digitsOf([one = 0, other = 1]: readonly number[]): number {
  return Math.max(0, Math.ceil(-Math.log10(Math.abs(other - one)) - 1e-9));
}

const LETTER = 7.6;

/** A name, shortened to a width in pixels. */
export function short(name: string, pixels: number): string {
  const most = Math.max(4, Math.floor((pixels - 14) / LETTER));
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}
