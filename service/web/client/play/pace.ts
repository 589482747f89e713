/** How long what others did is shown: by steps, and never long between two questions to the viewer. */

import type { ReadonlySignal as Signal } from "@preact/signals";
import type { Ruleset } from "../board/rulesets.ts";
import { type Happening, happeningOf, type Past } from "./happenings.ts";
import { stepsOf } from "./steps.ts";

/** What the way on depends on of an effect. */
interface Said {
  readonly seq: number;
  readonly type: string;
  readonly text: string;
}

/** What of a table the way on depends on. */
interface Shown {
  readonly frame: Signal<{ readonly legal: unknown } | null>;
  readonly wanted: Signal<number>;
  readonly newest: Signal<number>;
  readonly past: Signal<readonly Past[]>;
  readonly log: Signal<readonly Said[]>;
  readonly ruleset: Signal<Pick<Ruleset, "board"> | null>;
  readonly own: Signal<readonly number[]>;
  readonly viewer: { pace(): number };
}

/** The way to the next event to show. */
export interface Stride {
  /** The last known event of its step, which is shown at once. */
  readonly to: number;
  /** Whether it goes on with the step that is shown. */
  readonly goesOn: boolean;
  /** The events of the step that is shown. */
  readonly before: readonly number[];
  /** The number of steps that are still to be shown, with this one. */
  readonly left: number;
}

/** All that is shown between two questions takes at most so many times a step's time. */
const STEPS = 6;
/** No step has more than this part of the time that is left. */
const PART = 1 / 4;

/** For how many milliseconds a table shows its step, if `spent` have passed since the last question. */
export function restOf(table: Shown, spent: number): number {
  const { goesOn, left, before } = strideOf(table);
  const tells = table.log.peek().some(({ seq, text }) => before.includes(seq) && text !== "");
  // Who is asked sees the present.
  if (goesOn || !tells || table.frame.peek()?.legal) return 0;
  // Who plays is asked soon; who only looks on is not.
  const isPlayer = table.own.peek().length > 0;
  return isPlayer ? timeOf(table.viewer.pace(), spent, left) : table.viewer.pace();
}

/**
 * The next event to show: the end of a step; or the newest event if steps have no time, so that a
 * table that draws slowly does not fall behind, or if all the time has passed.
 */
export function nextOf(table: Shown, spent: number): number {
  const pace = table.viewer.pace();
  const isPlayer = table.own.peek().length > 0;
  const isTimeOver = pace === 0 || (isPlayer && spent > STEPS * pace);
  return isTimeOver ? table.newest.peek() : strideOf(table).to;
}

/** The way on from what a table shows. */
function strideOf({ wanted, newest, past, log, ruleset }: Shown): Stride {
  const types = ruleset.peek()?.board?.rounds ?? [];
  const rounds = log.peek().filter(({ type }) => types.includes(type));
  const begun = new Set(rounds.map(({ seq }) => seq));
  return strideFrom(wanted.peek(), newest.peek(), past.peek().map(happeningOf), begun);
}

/** The way on from the event `shown`. An event that is not among `events` is a step by itself. */
export function strideFrom(
  shown: number,
  newest: number,
  events: readonly Happening[],
  rounds: ReadonlySet<number>,
): Stride {
  const steps = stepsOf(events, rounds);
  const at = steps.findIndex((step) => step.some(({ seq }) => seq === shown + 1));
  const step = steps[at];
  const here = steps.find((one) => one.some(({ seq }) => seq === shown));
  const before = here?.map(({ seq }) => seq) ?? [shown];
  if (!step) return { to: shown + 1, goesOn: false, before, left: newest - shown };
  return {
    to: Math.min(newest, step.at(-1)?.seq ?? newest),
    goesOn: step === here,
    before,
    left: steps.length - at,
  };
}

/** The time for which a step is shown, in milliseconds, if `spent` have passed since the last question. */
export function timeOf(pace: number, spent: number, left: number): number {
  return Math.min(pace, (STEPS * pace - spent) * Math.min(PART, 1 / Math.max(left, 1)));
}

/** Keys and clicks on these are for them. */
const TAKERS = "a, button, input, select, textarea, summary, [role]:not(svg)";

/** What can be skipped. */
interface Skipped {
  readonly catchesUp: Signal<boolean>;
  catchUp(): void;
}

/** Space, or a click on the board, skips to the newest event; whether this was one of them. */
export function skips(table: Skipped, event: UIEvent): boolean {
  const { target } = event;
  if (!table.catchesUp.peek() || !(target instanceof Element)) return false;
  const isMeant = event.type === "click" ? target.closest(".sheet") : !target.closest(TAKERS);
  if (!isMeant || (event instanceof KeyboardEvent && event.key !== " ")) return false;
  event.preventDefault();
  table.catchUp();
  return true;
}
