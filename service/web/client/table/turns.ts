/** The log by turns: which lines it has, and which of them are shown together. */

import type { Happening } from "../play/happenings.ts";
import { stepsOf } from "../play/steps.ts";
import type { Effect } from "../play/table.ts";

/** An event of the log, with what is said of it. */
export interface Entry {
  readonly seq: number;
  /** Null until it has been read. */
  readonly event: Happening | null;
  /** A sentence about the event itself; null if its effects say all. */
  readonly said: string | null;
  /** Those that have a text: a gain of 0, for example, has none. */
  readonly effects: readonly Effect[];
  /** Whether it was taken back later. */
  readonly gone: boolean;
  readonly begins: boolean;
}

/**
 * The turns up to the event `until`, each with at least one entry. While the events have not been
 * read, each entry stands alone.
 */
export function turnsOf(
  log: readonly Effect[],
  events: readonly Happening[],
  rounds: readonly string[],
  until: number,
  saidOf: (event: Happening) => string | null,
): Entry[][] {
  const told = Map.groupBy(log, ({ seq }) => seq);
  const begins = new Set(log.filter(({ type }) => rounds.includes(type)).map(({ seq }) => seq));
  const undone = events.filter(({ to }) => to !== null);
  const entry = (seq: number, event: Happening | null): Entry[] => {
    const said = event && saidOf(event);
    const effects = (told.get(seq) ?? []).filter(({ text }) => text !== "");
    if (seq > until || (said === null && effects.length === 0)) return [];
    const gone = undone.some((one) => (one.to ?? seq) < seq && seq < one.seq);
    return [{ seq, event, said, effects, gone, begins: begins.has(seq) }];
  };
  if (events[0]?.seq !== 1)
    return [...told.keys()].flatMap((seq) => [entry(seq, null)]).filter(any);
  return stepsOf(events, begins)
    .map((step) => step.flatMap((event) => entry(event.seq, event)))
    .filter(any);
}

/** The last event with which a player of these seats moved; null if there is none. */
export function lastMoveOf(events: readonly Happening[], seats: readonly number[]): number | null {
  const isTheirs = ({ kind, seat }: Happening) =>
    kind === "moved" && seat !== null && seats.includes(seat);
  return events.findLast(isTheirs)?.seq ?? null;
}

function any(turn: readonly Entry[]): boolean {
  return turn.length > 0;
}

/** The text of an entry, as screen readers read it; `byRules` stands before what the rules did. */
export function textOf({ said, effects, event }: Entry, byRules: string): string {
  const [first, ...others] = effects.map(({ text }) => text);
  const done = first && event?.kind === "defaulted" ? `${byRules} ${first}` : first;
  return [said, done, ...others]
    .filter((text) => text != null)
    .map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`))
    .join(" ");
}
