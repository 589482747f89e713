// The time that a clock leaves for a decision (docs/format.md, "Budgets").

import type { Clock } from "./kinds.ts";

/** What a verifier without the rules knows about a seat's budget. */
export interface Spending {
  /** How often the seat has answered. */
  readonly answers: number;
  /** The time, in milliseconds, from the start of the game until the decision was opened. */
  readonly played: number;
}

/**
 * The least time, in milliseconds and with the grace, after which a decision is late. Without the
 * rules nobody knows when a seat had a decision, so all the time that was played may have been its.
 */
export function leastAllowed(clock: Clock, { answers, played }: Spending): number {
  const grace = clock.grace_ms ?? 0;
  if (!("budget_seconds" in clock)) return 1000 * clock.decision_seconds + grace;
  const given = 1000 * (clock.budget_seconds + answers * clock.increment_seconds);
  const left = Math.max(0, given - played);
  const each = clock.decision_seconds;
  return (each === undefined ? left : Math.min(1000 * each, left)) + grace;
}
