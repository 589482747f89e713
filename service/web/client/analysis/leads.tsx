/** A chart of leads during a game: a line for each side, and the shown event. */

import type { ComponentChild, ComponentChildren } from "preact";
import { Chart, Legend, Mark, pathOf, SERIES } from "../charts/frame.tsx";
import { Axes, BOTTOM, HEIGHT, LEFT, type Plane, planeOf, RIGHT, TOP } from "../charts/plane.tsx";
import { extent } from "../charts/scales.ts";
import { whole } from "../phrases/numbers.ts";

export function Leads({
  caption,
  note,
  names,
  along,
  lines,
  until,
  shown,
  go,
  marks,
  head,
  cells,
}: {
  caption: string;
  note: string;
  names: readonly string[];
  /** The events, in order. */
  along: readonly number[];
  /** The leads of each side in points, after each of these events. */
  lines: readonly (readonly number[])[];
  /** The last event, if leads stay as they are from one event of `along` to the next. */
  until?: number;
  shown: number;
  go: (seq: number) => void;
  /** What is drawn above the lines. */
  marks: (plane: Plane, heightOf: (side: number, seq: number) => number) => ComponentChildren;
  /** The name of the table's first column, which has the events. */
  head: string;
  /** The other cells of the table's row for an event. */
  cells: (index: number) => readonly ComponentChild[];
}) {
  const last = until ?? along.at(-1) ?? 1;
  const draw = (width: number) => {
    const plane = planeOf(width, [0, last], extent([0, ...lines.flat()]));
    const { x, y } = plane;
    const nearest = (at: number) =>
      along.reduce((best, seq) =>
        Math.abs(x.at(seq) - at) < Math.abs(x.at(best) - at) ? seq : best,
      );
    const heightOf = (side: number, seq: number) => y.at(lines[side]?.[along.indexOf(seq)] ?? 0);
    const path = (values: readonly number[]) =>
      until === undefined
        ? pathOf(values, (index) => x.at(along[index] ?? 0), y.at)
        : pathOf(
            values.flatMap((value) => [value, value]),
            (corner) => x.at(along[Math.ceil(corner / 2)] ?? last),
            y.at,
          );
    return (
      <>
        <Axes plane={plane} fair={0} />
        <line class="shown" x1={x.at(shown)} x2={x.at(shown)} y1={TOP} y2={HEIGHT - BOTTOM} />
        {lines.map((values, side) => (
          <g key={names[side]}>
            <path class={`line series-${side % SERIES} dash-${side % SERIES}`} d={path(values)} />
            <Mark of={side} x={x.at(last)} y={y.at(values.at(-1) ?? 0)} />
          </g>
        ))}
        {marks(plane, heightOf)}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: whoever uses no pointer has the slider, the list of moves and the table */}
        <rect
          class="hit"
          x={LEFT}
          y={0}
          width={width - LEFT - RIGHT}
          height={HEIGHT}
          onClick={(event) => {
            const frame = event.currentTarget.getBoundingClientRect();
            const share = (event.clientX - frame.left) / frame.width;
            go(nearest(LEFT + share * (width - LEFT - RIGHT)));
          }}
        />
      </>
    );
  };
  return (
    <Chart
      caption={caption}
      note={note}
      height={HEIGHT}
      draw={draw}
      legend={<Legend names={names} />}
      head={[head, ...names]}
      rows={along.map((seq, index) => [
        <a key={seq} href={`#v=${seq}`}>
          {whole(seq)}
        </a>,
        ...cells(index),
      ])}
    />
  );
}
