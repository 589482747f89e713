/**
 * A chart of shares: a bar for each row, with a part for each kind; patterns and numbers tell the
 * parts apart.
 */

import { whole } from "../phrases/numbers.ts";
import { Chart } from "./frame.tsx";
import { short } from "./whiskers.tsx";

const ROW = 34;
const BAR = 24;
const WRITTEN = 26;
/** Number of kinds that have patterns of their own. The kinds are ranks, and no game has more. */
const PATTERNS = 6;

export function Shares({
  caption,
  note,
  head,
  kinds,
  rows,
}: {
  caption: string;
  note?: string;
  head: string;
  kinds: readonly string[];
  rows: readonly { readonly name: string; readonly parts: readonly number[] }[];
}) {
  const shown = rows.filter(({ parts }) => parts.some(Boolean));
  if (shown.length === 0) return null;
  const draw = (width: number) => {
    const left = Math.min(width * 0.36, 170);
    const room = width - left - 4;
    return shown.map(({ name, parts }, row) => {
      const all = parts.reduce((sum, part) => sum + part, 0);
      let x = left;
      return (
        <g key={name} transform={`translate(0 ${row * ROW + (ROW - BAR) / 2})`}>
          <text x={left - 10} y={BAR / 2 + 4} text-anchor="end">
            {short(name, left)}
            <title>{name}</title>
          </text>
          {parts.map((part, kind) => {
            const wide = (part / all) * room;
            const from = x;
            x += wide;
            return (
              <g key={kinds[kind]} transform={`translate(${from} 0)`}>
                <Part kind={kind} width={wide} />
                {wide > WRITTEN && (
                  <text class="on-part" x={wide / 2} y={BAR / 2 + 5} text-anchor="middle">
                    {whole(part)}
                  </text>
                )}
              </g>
            );
          })}
        </g>
      );
    });
  };
  const legend = (
    <ul class="legend">
      {kinds.map((kind, nth) => (
        <li key={kind}>
          <svg viewBox="0 0 32 16" aria-hidden="true">
            <Part kind={nth} width={32} height={16} />
          </svg>
          {kind}
        </li>
      ))}
    </ul>
  );
  return (
    <Chart
      caption={caption}
      {...(note ? { note } : {})}
      height={shown.length * ROW}
      draw={draw}
      legend={legend}
      head={[head, ...kinds]}
      rows={shown.map(({ name, parts }) => [name, ...parts.map(whole)])}
    />
  );
}

/** A part of a bar: the ground with a pattern of lines, which is different for each kind. */
function Part({ kind, width, height = BAR }: { kind: number; width: number; height?: number }) {
  const nth = kind % PATTERNS;
  return (
    <>
      <rect class={`part part-${nth}`} width={width} height={height} />
      <path class="part-lines" d={linesOf(nth, width, height)} />
      <rect class="part-edge" width={width} height={height} />
    </>
  );
}

const GAP = 7;

function linesOf(nth: number, width: number, height: number): string {
  const steps = (length: number) =>
    Array.from(
      { length: Math.max(0, Math.ceil(length / GAP) - 1) },
      (_, index) => (index + 1) * GAP,
    );
  const upright = () => steps(width).map((x) => `M${x} 0v${height}`);
  const level = () => steps(height).map((y) => `M0 ${y}h${width}`);
  const slanted = () =>
    steps(width + height).map((at) => {
      const [x1, y1] = at < height ? [0, at] : [at - height, height];
      const [x2, y2] = at < width ? [at, 0] : [width, at - width];
      return `M${x1} ${y1}L${x2} ${y2}`;
    });
  if (nth === 1) return slanted().join("");
  if (nth === 3) return upright().join("");
  if (nth === 4) return level().join("");
  if (nth === 5) return [...upright(), ...level()].join("");
  return ""; // full, and empty
}
