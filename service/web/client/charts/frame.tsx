/** What all charts have: a caption, a drawing at full width, and the same data as a table. */

import type { ComponentChild, ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { asTable } from "./words.ts";

/** The width of an element in CSS pixels, as it changes; 0 before it is known. */
export function useWidth<T extends HTMLElement>() {
  const element = useRef<T>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const watch = new ResizeObserver(() => setWidth(current.clientWidth));
    watch.observe(current);
    setWidth(current.clientWidth);
    return () => watch.disconnect();
  }, []);
  return [element, width] as const;
}

const NARROWEST = 240;

export function Chart({
  caption,
  note,
  height,
  draw,
  legend,
  head,
  rows,
}: {
  caption: string;
  note?: string;
  height: number;
  draw: (width: number) => ComponentChildren;
  legend?: ComponentChildren;
  head: readonly string[];
  rows: readonly (readonly ComponentChild[])[];
}) {
  const [frame, width] = useWidth<HTMLElement>();
  const room = Math.max(NARROWEST, width);
  return (
    <figure class="chart" ref={frame}>
      <figcaption>
        <h3>{caption}</h3>
        {note && <p class="quiet">{note}</p>}
      </figcaption>
      {width > 0 && (
        <svg viewBox={`0 0 ${room} ${height}`} role="img" aria-label={caption}>
          {draw(room)}
        </svg>
      )}
      {legend}
      <details>
        <summary>{asTable.value}</summary>
        <Grid label={caption} head={head} rows={rows} />
      </details>
    </figure>
  );
}

/** A table that people can scroll sideways on a narrow screen, with the keyboard too. */
export function Grid({
  label,
  head,
  rows,
  class: own = "",
}: {
  label: string;
  head: readonly ComponentChild[];
  rows: readonly (readonly ComponentChild[])[];
  class?: string;
}) {
  return (
    <div class={`wide ${own}`} tabIndex={0} role="region" aria-label={label}>
      <table class="figures">
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={`${column + 1}`} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...cells], row) => (
            <tr key={`${row + 1}`}>
              <th scope="row">{first}</th>
              {cells.map((cell, column) => (
                <td key={`${column + 1}`}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * The mark of a series. No two series have the same colour, shape or dash, so one of these is
 * enough to tell them apart.
 */
export function Mark({ of: nth, x = 0, y = 0 }: { of: number; x?: number; y?: number }) {
  const shape = MARKS[nth % MARKS.length];
  return (
    <path class={`mark series-${nth % SERIES}`} d={shape} transform={`translate(${x} ${y})`} />
  );
}

/** Number of series that can have colours and marks of their own. */
export const SERIES = 8;
const MARKS = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
  "M-4-4h8v8h-8z",
  "M0-5 5 4h-10z",
  "M0-5 5 0 0 5-5 0z",
  "M0 5 5-4h-10z",
  "M-5-1.6h3.4v-3.4h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4z",
  "M0-5 4.8-1.5 3-4 3 4-3 4-4.8-1.5z",
  "M-5-3h10v6h-10z",
];

/** The legend. */
export function Legend({ names }: { names: readonly string[] }) {
  return (
    <ul class="legend">
      {names.map((name, nth) => (
        <li key={name}>
          <svg viewBox="-16 -8 32 16" aria-hidden="true">
            <path class={`line series-${nth % SERIES} dash-${nth % SERIES}`} d="M-16 0h32" />
            <Mark of={nth} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

/** The path through these values; it breaks where one is null. */
export function pathOf(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let pen = "M";
  return values
    .map((value, index) => {
      if (value === null) {
        pen = "M";
        return "";
      }
      const step = `${pen}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
      pen = "L";
      return step;
    })
    .join("");
}
