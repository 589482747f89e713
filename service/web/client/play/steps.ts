/**
 * The steps of what happened at a table: a turn of a seat is one, and so is a run of moves of one
 * kind, such as bids.
 */

import type { Happening } from "./happenings.ts";

/** Kinds of events with which a seat moves. */
const MOVES = ["moved", "defaulted"];
/** Kinds of events that stand alone: they stop everybody, or change what was. */
const ALONE = ["suspended", "resumed", "interrupted", "undone", "aborted"];

/**
 * The steps of these events, in order. `rounds` has the events with which a round begins, or ends.
 */
export function stepsOf(
  events: readonly Happening[],
  rounds: ReadonlySet<number> = new Set(),
): Happening[][] {
  const steps: Happening[][] = [];
  for (const event of events) {
    const step = steps.at(-1);
    const before = step?.at(-1);
    if (!step || !before || !joins(step, before, event, rounds)) {
      steps.push([event]);
      // A seat that goes on after a move among others of its kind has begun its turn with that.
      if (step && isMove(event) && isRun(step)) {
        const from = step.findLastIndex(({ seat }) => seat !== event.seat) + 1;
        if (from > 0 && !rounds.has(before?.seq ?? 0)) steps.at(-1)?.unshift(...step.splice(from));
      }
    } else step.push(event);
  }
  return steps;
}

function joins(
  step: readonly Happening[],
  before: Happening,
  event: Happening,
  rounds: ReadonlySet<number>,
): boolean {
  if (ALONE.includes(event.kind) || ALONE.includes(before.kind)) return false;
  if (event.seat === null) return !rounds.has(event.seq) && !isRun(step);
  if (isMove(before) && rounds.has(before.seq)) return false;
  if (step.every(({ seat }) => seat === event.seat || seat === null))
    return step.some(({ seat }) => seat !== null);
  return (
    isMove(event) &&
    (step.length === 1 || isRun(step)) &&
    step.every((one) => isMove(one) && one.type === event.type)
  );
}

function isMove({ kind }: Happening): boolean {
  return MOVES.includes(kind);
}

/** Whether several seats moved. */
function isRun(step: readonly Happening[]): boolean {
  return new Set(step.flatMap(({ seat }) => seat ?? [])).size > 1;
}
