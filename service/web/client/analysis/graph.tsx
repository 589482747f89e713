/**
 * A graph of the leads during the game: a line for each seat, and marks for costly moves and for
 * the shown event.
 */

import { Chart, Legend, Mark, pathOf, SERIES } from "../charts/frame.tsx";
import { Axes, BOTTOM, HEIGHT, LEFT, planeOf, RIGHT, TOP } from "../charts/plane.tsx";
import { extent } from "../charts/scales.ts";
import { whole } from "../phrases/numbers.ts";
import { LISTED, type Result } from "./result.ts";
import { analysisWords, measured } from "./words.ts";

const WARNING = "M0-7 7 5H-7z";

export function Graph({
  result,
  bot,
  names,
  shown,
  go,
}: {
  result: Result;
  bot: string;
  names: readonly string[];
  shown: number;
  go: (seq: number) => void;
}) {
  const words = analysisWords.value;
  const { expected } = result;
  const along = expected.map(({ seq }) => seq);
  const lines = names.map((_, seat) =>
    expected.map(({ leads }) => (leads[seat]?.mean ?? 0) / 1000),
  );
  const draw = (width: number) => {
    const last = along.at(-1) ?? 1;
    const plane = planeOf(width, [0, last], extent([0, ...lines.flat()]));
    const { x, y } = plane;
    const nearest = (at: number) =>
      along.reduce((best, seq) =>
        Math.abs(x.at(seq) - at) < Math.abs(x.at(best) - at) ? seq : best,
      );
    const heightOf = (seat: number, seq: number) => y.at(lines[seat]?.[along.indexOf(seq)] ?? 0);
    return (
      <>
        <Axes plane={plane} fair={0} />
        <line class="shown" x1={x.at(shown)} x2={x.at(shown)} y1={TOP} y2={HEIGHT - BOTTOM} />
        {lines.map((values, seat) => (
          <g key={names[seat]}>
            <path
              class={`line series-${seat % SERIES} dash-${seat % SERIES}`}
              d={pathOf(values, (index) => x.at(along[index] ?? 0), y.at)}
            />
            <Mark of={seat} x={x.at(last)} y={y.at(values.at(-1) ?? 0)} />
          </g>
        ))}
        {result.seats.flatMap(({ seat, costly }) =>
          costly
            .slice(0, LISTED)
            .map((seq) => (
              <path
                key={seq}
                class={`costly series-${seat % SERIES}`}
                d={WARNING}
                transform={`translate(${x.at(seq)} ${heightOf(seat, seq)})`}
              />
            )),
        )}
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
      caption={words.graph}
      note={words.graphNote(bot)}
      height={HEIGHT}
      draw={draw}
      legend={<Legend names={names} />}
      head={[words.event, ...names]}
      rows={expected.map(({ seq, leads }) => [
        <a key={seq} href={`#v=${seq}`}>
          {whole(seq)}
        </a>,
        ...leads.map((lead) => measured(lead, true)),
      ])}
    />
  );
}
