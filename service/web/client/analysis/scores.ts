/** The numbers after a game: its score sheet, how far each side was ahead, and turning points. */

/** A part of a side's score, in the order of the score; parts that are 0 are left out. */
interface Part {
  readonly label: string;
  readonly value: number;
}

export interface Line {
  readonly label: string;
  /** The part of each side, in the order of the standings. */
  readonly values: readonly number[];
}

/** The scores after an event, in the order of the sides. */
export interface Moment {
  readonly seq: number;
  readonly scores: readonly number[];
}

/** An event that changed the lead of a side over the best of the others. */
export interface Turn {
  readonly seq: number;
  /** By how many points. */
  readonly change: number;
  /** The lead after the event; negative if the side was behind. */
  readonly lead: number;
}

/** One line for each part that some side has; the lines keep the order in which each side has them. */
export function sheetOf(standings: readonly { readonly parts: readonly Part[] }[]): Line[] {
  const sides = standings.map(({ parts }) => parts.map(({ label }) => label));
  const lines: Line[] = [];
  for (let left = sides; left.some((labels) => labels.length > 0); ) {
    const heads = left.flatMap(([head]) => head ?? []);
    const waits = (label: string) => left.some((labels) => labels.indexOf(label) > 0);
    const next = heads.find((head) => !waits(head)) ?? heads[0] ?? "";
    lines.push({ label: next, values: standings.map(({ parts }) => amountOf(parts, next)) });
    left = left.map((labels) => labels.filter((label) => label !== next));
  }
  return lines;
}

function amountOf(parts: readonly Part[], label: string): number {
  return parts.find((part) => part.label === label)?.value ?? 0;
}

/** The lines that made most of the difference between the first two sides, the largest first. */
export function decisive(lines: readonly Line[], most = 3): { label: string; more: number }[] {
  return lines
    .map(({ label, values: [first = 0, second = 0] }) => ({ label, more: first - second }))
    .filter(({ more }) => more !== 0)
    .sort((one, other) => Math.abs(other.more) - Math.abs(one.more))
    .slice(0, most);
}

/** How far each side is ahead of the best of the others; 0 for somebody who is alone. */
export function leadsOf(scores: readonly number[]): number[] {
  return scores.map((score, side) => {
    const others = scores.filter((_, other) => other !== side);
    return others.length > 0 ? score - Math.max(...others) : 0;
  });
}

/** The events that changed the lead of a side most, in the order of the game. */
export function turningPoints(course: readonly Moment[], side: number, most = 5): Turn[] {
  const leads = course.map(({ scores }) => leadsOf(scores)[side] ?? 0);
  return course
    .slice(1)
    .map(({ seq }, index) => {
      const lead = leads[index + 1] ?? 0;
      return { seq, change: lead - (leads[index] ?? 0), lead };
    })
    .filter(({ change }) => change !== 0)
    .sort((one, other) => Math.abs(other.change) - Math.abs(one.change))
    .slice(0, most)
    .sort((one, other) => one.seq - other.seq);
}

/**
 * The event from which on a side was never behind again; null if it ended behind, or was never
 * behind.
 */
export function aheadSince(course: readonly Moment[], side: number): number | null {
  const isBehind = ({ scores }: Moment) => (leadsOf(scores)[side] ?? 0) < 0;
  const last = course.findLastIndex(isBehind);
  return last < 0 ? null : (course[last + 1]?.seq ?? null);
}
