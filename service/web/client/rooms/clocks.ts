/** The times for a decision that people choose from. */

import { phrases } from "../phrases/phrases.ts";
import { openWords } from "./open_words.ts";

export const DAY = 24 * 3600;
/** Seconds for a decision that people choose from; 0 is no limit. */
export const CLOCKS = [0, 60, 5 * 60, 3600, DAY, 3 * DAY, 7 * DAY];

export function durationOf(seconds: number): string {
  const words = openWords.value;
  if (seconds === 0) return words.noClock;
  if (seconds >= DAY) return phrases.value.days(Math.round(seconds / DAY));
  return seconds >= 3600
    ? words.hours(Math.round(seconds / 3600))
    : words.minutes(Math.max(1, Math.round(seconds / 60)));
}
