// What a record has that this program does not know: newer than it, and no fault (docs/format.md,
// "What is newer"). From the first event of which something is unknown on, nothing is missed.

import type { Findings } from "./findings.ts";
import type { Json } from "./json.ts";
import { Misfit, type Shape, type Unknown } from "./shapes.ts";

const PINNED = "$.body.game.";
const LUCK = ["$.body.game.chance", "$.body.game.entropy"];

export class Newer {
  /** The first event of which something is unknown; infinite if there is none. */
  since = Number.POSITIVE_INFINITY;
  /** Whether something unknown may go into the chance key. */
  decidesLuck = false;
  /** Whether the game has started. */
  begun = false;
  private readonly told: Findings;

  constructor(told: Findings) {
    this.told = told;
  }

  get any(): boolean {
    return this.since < Number.POSITIVE_INFINITY;
  }

  /** Note what is unknown of an event, by its number; it may lack what is known of it. */
  of(number: number, row: number): Unknown {
    return {
      mayLack: true,
      note: (path, name) => {
        this.since = Math.min(this.since, number);
        const harmless =
          path.startsWith(PINNED) && !LUCK.some((decides) => path.startsWith(decides));
        this.decidesLuck ||= !(this.begun || harmless);
        this.told.unknown({ seq: number, row }, path, name);
      },
    };
  }
}

/**
 * Read what may have more fields than are known, and words that are not, but lacks nothing: a header,
 * a receipt, the frame of an event. If it has the shape, `note` hears of each.
 *
 * Throws Misfit.
 */
export function readOpen<T>(
  shape: Shape<T>,
  value: Json,
  path: string,
  note: (path: string, name: string, found: T) => void,
): T {
  const noted: [string, string][] = [];
  const found = shape(value, path, {
    mayLack: false,
    note: (where, name) => {
      noted.push([where, name]);
    },
  });
  for (const each of noted) note(...each, found);
  return found;
}

/**
 * Read an event that may be newer than this program: strictly, or, if it has something unknown or
 * something before it had, as far as it is known. Return whether all of it is known.
 *
 * Throws Misfit.
 */
export function readKnown(
  newer: Newer,
  number: number,
  row: number,
  read: (unknown?: Unknown) => void,
): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    read(newer.of(number, row));
    // What it lacks is excused by something unknown, there or before, and by nothing else.
    if (newer.since > number) throw error;
    return false;
  }
}
