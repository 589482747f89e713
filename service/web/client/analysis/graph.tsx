/** A graph of the leads that a bot expected, with marks for costly moves. */

import { SERIES } from "../charts/frame.tsx";
import { Leads } from "./leads.tsx";
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
  const { expected, seats } = result;
  return (
    <Leads
      caption={words.graph}
      note={words.graphNote(bot)}
      names={names}
      along={expected.map(({ seq }) => seq)}
      lines={names.map((_, seat) => expected.map(({ leads }) => (leads[seat]?.mean ?? 0) / 1000))}
      shown={shown}
      go={go}
      marks={({ x }, heightOf) =>
        seats.flatMap(({ seat, costly }) =>
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
        )
      }
      head={words.event}
      cells={(index) => expected[index]?.leads.map((lead) => measured(lead, true)) ?? []}
    />
  );
}
