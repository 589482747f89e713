// Unknown parts of a record: it is newer than this program, which is not a fault (docs/format.md,
// "What is newer"). From the first event with an unknown part on, nothing counts as missing.

import type { Findings } from "./findings.ts";
import type { Json } from "./json.ts";
import { Misfit, type Shape, type Unknown } from "./shapes.ts";

const PINNED = "$.body.game.";
const LUCK = ["$.body.game.chance", "$.body.game.entropy"];

export class Newer {
  /** The first event with an unknown part; infinite if there is none. */
  since = Number.POSITIVE_INFINITY;
  /** Whether an unknown part may be an input of the chance key. */
  decidesLuck = false;
  /** Whether the event `started` has been read. */
  begun = false;
  private readonly told: Findings;

  constructor(told: Findings) {
    this.told = told;
  }

  get any(): boolean {
    return this.since < Number.POSITIVE_INFINITY;
  }

  /**
   * Notes an unknown part of an event, by its number; from there on, known parts may be missing.
   */
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
 * Parses an object that must have all known fields, and may have unknown fields and words: a
 * header, a receipt, or what all events have. If it has the shape, `note` gets each unknown name.
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
 * Parses an event that may be newer than this program. If neither it nor an earlier event has
 * unknown parts, it is parsed strictly; otherwise only its known parts are checked. Returns whether
 * all of it is known.
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
    // A missing part is a fault, if neither this event nor an earlier one has an unknown part.
    if (newer.since > number) throw error;
    return false;
  }
}
