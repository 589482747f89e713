/**
 * A bot's estimates in points: the unit of a heuristic is not a point, so rulesets publish factors
 * that turn its leads into points.
 */

/** A ruleset's factors, by the number of seats and by bot: one for each third of a game. */
export type LeadScale = Readonly<Record<string, { readonly thoughts?: readonly number[] }>>;

/**
 * The factor after `done` of a game's `steps` events. The factor of a third is exact in the middle
 * of the third; between two middles it changes linearly.
 */
export function scaleAt(thirds: readonly number[] | undefined, done: number, steps: number) {
  if (!thirds) return 1;
  const place = Math.min(Math.max((3 * done) / steps - 0.5, 0), 2);
  const below = Math.min(Math.floor(place), 1);
  const [from = 1000, to = 1000] = thirds.slice(below, below + 2);
  return (from + (to - from) * (place - below)) / 1000;
}

/** How far each seat is ahead of the mean of the others. */
export function leads(values: readonly number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => (value * values.length - total) / Math.max(values.length - 1, 1));
}
