// Damaged games, which were aborted because the store was changed from outside: which events count.

import { genesis } from "./digests.ts";
import type { Line } from "./events.ts";
import type { Findings } from "./findings.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

/**
 * What an operator states about a damaged game: its last sound event, and the position of
 * `aborted`.
 */
export interface Damage {
  readonly sound: number;
  /** The position of `aborted` among the events, from 0. */
  readonly end: number;
}

/** Finds this statement; null if there is none. */
export function damageOf(events: readonly Json[]): Damage | null {
  for (const [end, event] of events.entries()) {
    const seq = isObject(event) ? soundOf(event)?.seq : undefined;
    if (typeof seq === "number") return { sound: Math.min(Math.max(seq, 0), end), end };
  }
  return null;
}

/** Checks that the last sound event, as stated, exists, and that the other events follow it. */
export function checkDamage(
  id: string,
  lines: readonly Line[],
  { sound, end }: Damage,
  told: Findings,
): void {
  told.once("damaged", { version: sound });
  const aborted = lines[sound];
  const named = aborted === undefined ? null : soundOf(aborted);
  const before = lines[sound - 1];
  const isIt = named?.seq === sound && named.hash === (before?.hash ?? genesis(id));
  if (aborted && !(isIt && sound < end && (before?.last ?? 0) === sound))
    told.add("damaged_sound", aborted, { version: sound });
}

function soundOf({
  kind,
  body,
}: {
  readonly kind?: Json;
  readonly body?: Json;
}): JsonObject | null {
  const told = isObject(body) && kind === "aborted" ? body.aborted : null;
  const damaged = isObject(told) && told.reason === "damaged" && isObject(told.sound);
  return damaged ? (told.sound as JsonObject) : null;
}
