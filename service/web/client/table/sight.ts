/** How far a window is scrolled so that what can be chosen is in sight. */

/** Where something begins and ends on an axis, in pixels of the window. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The space that is left around what is brought into sight. */
const MARGIN = 8;

/**
 * By how many pixels to scroll so that the most of these spans are whole within `room`; of several
 * such ways the one that shows the most of the others, and of these the shortest.
 */
export function scrolled(spans: readonly Span[], room: Span): number {
  const wide = spans.map(({ from, to }) => ({ from: from - MARGIN, to: to + MARGIN }));
  const ways = wide.flatMap(({ from, to }) => [from - room.from, to - room.to]);
  const way = (by: number): Way => ({
    by,
    whole: spans.filter((span) => isWithin(span, room, by)).length,
    seen: spans.reduce((sum, span) => sum + seenOf(span, room, by), 0),
  });
  return ways.map(way).reduce((best, one) => (isBetter(one, best) ? one : best), way(0)).by;
}

interface Way {
  readonly by: number;
  readonly whole: number;
  readonly seen: number;
}

function isBetter(one: Way, other: Way): boolean {
  if (one.whole !== other.whole) return one.whole > other.whole;
  if (one.seen !== other.seen) return one.seen > other.seen;
  return Math.abs(one.by) < Math.abs(other.by);
}

function seenOf({ from, to }: Span, room: Span, by: number): number {
  return Math.max(0, Math.min(to - by, room.to) - Math.max(from - by, room.from));
}

/** Whether a span is whole within the room after scrolling so far. */
export function isWithin({ from, to }: Span, room: Span, by = 0): boolean {
  return from - by >= room.from && to - by <= room.to;
}

/** Whether all spans have room at once. */
export function fit(spans: readonly Span[], room: Span): boolean {
  const reach = Math.max(...spans.map(({ to }) => to)) - Math.min(...spans.map(({ from }) => from));
  return reach + MARGIN <= room.to - room.from;
}
