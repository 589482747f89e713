// A game that was aborted because the store was changed from outside: what counts of its record.

import { hashOf } from "./chain.ts";
import { genesis } from "./digests.ts";
import type { Line } from "./events.ts";
import type { Findings } from "./findings.ts";
import { isObject, type JsonObject } from "./json.ts";

/** Return the events that count: those up to the damage, or all if there is none. */
export function soundPart(
  id: string,
  lines: readonly Line[],
  told: Findings,
): { readonly lines: readonly Line[]; readonly damaged: boolean } {
  const index = lines.findIndex((line) => line.kind === "aborted" && soundOf(line) !== null);
  const aborted = lines[index];
  if (aborted === undefined) return { lines, damaged: false };
  const { seq, hash } = soundOf(aborted) as JsonObject;
  const version = typeof seq === "number" && seq < aborted.seq ? seq : 0;
  told.once("damaged", { version });
  if (hash !== (lines[version - 1]?.hash ?? genesis(id)) || version !== seq)
    told.add("damaged_sound", aborted, { version });
  // It is chained to what is stored before it, whatever that is.
  if (hashOf(aborted, lines[index - 1]?.hash ?? genesis(id)) !== aborted.hash)
    told.add("chain_hash", aborted, { expected: "…", found: aborted.hash });
  return { lines: lines.slice(0, version), damaged: true };
}

function soundOf(line: Line): JsonObject | null {
  const told = line.body.aborted;
  const damaged = isObject(told) && told.reason === "damaged" && isObject(told.sound);
  return damaged ? (told.sound as JsonObject) : null;
}
