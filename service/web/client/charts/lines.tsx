/** A line chart: a line for each series, with its own shape and dash. */

import type { ComponentChild } from "preact";
import { whole } from "../phrases/numbers.ts";
import { Chart, Legend, Mark, pathOf, SERIES } from "./frame.tsx";
import { Axes, HEIGHT, planeOf } from "./plane.tsx";
import { extent } from "./scales.ts";

export interface Series {
  readonly name: string;
  /** The values of a series; null makes a gap. */
  readonly values: readonly (number | null)[];
}

/** The distance between marks in pixels, so that they do not cover the line. */
const MARK_EVERY = 70;

export function Lines({
  caption,
  note,
  across,
  along,
  series,
  cells = (value) => whole(Math.round(value)),
}: {
  caption: string;
  note?: string;
  /** The name of the horizontal axis. */
  across: string;
  along: readonly number[];
  series: readonly Series[];
  cells?: (value: number) => ComponentChild;
}) {
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
  if (known.length === 0 || along.length === 0) return null;
  const draw = (width: number) => {
    const plane = planeOf(width, [Math.min(0, along[0] ?? 0), along.at(-1) ?? 1], extent(known));
    const { x, y } = plane;
    const every = Math.max(1, Math.ceil((along.length * MARK_EVERY) / width));
    return (
      <>
        <Axes plane={plane} />
        {series.map(({ name, values }, nth) => (
          <g key={name}>
            <path
              class={`line series-${nth % SERIES} dash-${nth % SERIES}`}
              d={pathOf(values, (index) => x.at(along[index] ?? 0), y.at)}
            />
            {values.map((value, index) =>
              value !== null && (values.length - 1 - index) % every === 0 ? (
                <Mark key={`${index + 1}`} of={nth} x={x.at(along[index] ?? 0)} y={y.at(value)} />
              ) : null,
            )}
          </g>
        ))}
      </>
    );
  };
  return (
    <Chart
      caption={caption}
      {...(note ? { note } : {})}
      height={HEIGHT}
      draw={draw}
      legend={series.length > 1 && <Legend names={series.map(({ name }) => name)} />}
      head={[across, ...series.map(({ name }) => name)]}
      rows={along.map((at, index) => [
        whole(at),
        ...series.map(({ values }) => {
          const value = values[index] ?? null;
          return value === null ? "–" : cells(value);
        }),
      ])}
    />
  );
}
