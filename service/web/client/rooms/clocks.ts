/** The clocks that people choose from, in words. */

import type { Schemas } from "../api/client.ts";
import { phrases } from "../phrases/phrases.ts";
import { openWords } from "./open_words.ts";

type Clock = Schemas["Clock"];

const DAY = 24 * 3600;
const each = (seconds: number): Clock => ({ decision_seconds: seconds });
const all = (seconds: number, increment: number): Clock => ({
  budget_seconds: seconds,
  increment_seconds: increment,
});

/** Clocks that people choose from, by the value of their option; null is no limit. */
export const CLOCKS: Readonly<Record<string, Clock | null>> = Object.fromEntries(
  [
    null,
    ...[60, 5 * 60, 3600, DAY, 3 * DAY, 7 * DAY].map(each),
    all(5 * 60, 5),
    all(10 * 60, 10),
    all(30 * 60, 0),
    all(3600, 30),
  ].map((clock) => [nameOf(clock), clock]),
);
export const FIVE_MINUTES = nameOf(each(5 * 60));
export const THREE_DAYS = nameOf(each(3 * DAY));

function nameOf(clock: Clock | null): string {
  if (clock === null) return "none";
  const { decision_seconds, budget_seconds, increment_seconds } = clock;
  return budget_seconds ? `${budget_seconds}+${increment_seconds}` : String(decision_seconds);
}

/** What a clock allows, in words. */
export function clockInWords(clock: Clock | null): string {
  const words = openWords.value;
  if (!clock) return words.noClock;
  const { budget_seconds: budget, increment_seconds: increment = 0 } = clock;
  const each = clock.decision_seconds && words.eachDecision(durationOf(clock.decision_seconds));
  const all = budget && words.wholeGame(durationOf(budget), increment && durationOf(increment));
  return [all, each].filter(Boolean).join("; ");
}

function durationOf(seconds: number): string {
  const words = openWords.value;
  if (seconds < 60 || (seconds < 3600 && seconds % 60 !== 0)) return words.seconds(seconds);
  if (seconds >= DAY) return phrases.value.days(Math.round(seconds / DAY));
  return seconds >= 3600
    ? words.hours(Math.round(seconds / 3600))
    : words.minutes(Math.round(seconds / 60));
}
