// Chance: the committed seed, and the picks that follow from it (docs/format.md, "Chance").

import { randomness } from "./beacons.ts";
import { FORMAT, hex, J, K, M, marked, unhex } from "./digests.ts";
import type { Event } from "./events.ts";
import type { Findings } from "./findings.ts";
import { isObject, type JsonObject } from "./json.ts";
import { MAX_SEATS } from "./kinds.ts";
import type { Newer } from "./newer.ts";

const WORDS = 1n << 64n;

export const commitmentOfSeed = (scope: string, seed: string): string =>
  hex(marked("chance", scope, seed));

/** The key of all draws, from the seed and each seat's entropy, in hex. */
export const chanceKey = (seed: string, scope: string, entropy: readonly (string | null)[]) =>
  M(unhex(seed), J([FORMAT, "key", scope, entropy]));

/**
 * The entropy of each seat, and the random value of a beacon, in hex, as they go into the key; null
 * if they are unknown.
 */
export function entropyOf(
  events: readonly (Event | null)[],
  { seats, entropy }: JsonObject,
  newer: Newer,
): (string | null)[] | null {
  if (typeof seats !== "number" || seats > MAX_SEATS || newer.decidesLuck) return null;
  const given = Array.from({ length: seats }, (): string | null => null);
  let drawn: string | null = null;
  for (const [index, event] of events.entries()) {
    if (event === null) {
      if (index === 0) continue;
      return null;
    }
    if (event.kind === "started") break;
    const told = event.kind === "entropy_revealed" ? event.body.entropy : undefined;
    if (told !== undefined && told.seat < seats) given[told.seat] = told.entropy;
    const beacon = event.kind === "beacon_drawn" ? event.body.beacon : undefined;
    if (beacon !== undefined) drawn = randomness(beacon.signature);
  }
  const hasBeacon = isObject(entropy ?? null) && (entropy as JsonObject).mode === "beacon";
  return hasBeacon ? [...given, drawn] : given;
}

/** Yields one pick for each size, from 0 to size - 1. */
export function* picksOf(
  key: Uint8Array,
  label: string,
  n: number,
  sizes: readonly number[],
): Generator<number> {
  const d = K(key, "draw", label, n);
  let j = 0;
  const word = (): bigint => {
    const counter = new DataView(new ArrayBuffer(4));
    counter.setUint32(0, j);
    j += 1;
    const mac = M(d, new Uint8Array(counter.buffer));
    return new DataView(mac.buffer, mac.byteOffset).getBigUint64(0);
  };
  for (const size of sizes) {
    // A word above the greatest multiple of the size is skipped, because low picks would be more
    // likely otherwise.
    const bound = WORDS - (WORDS % BigInt(size));
    let drawn = word();
    while (drawn >= bound) drawn = word();
    yield Number(drawn % BigInt(size));
  }
}

/**
 * Checks the shown picks against the key; without a key, checks that they are below their sizes.
 */
export function* checkPicks(
  events: readonly (Event | null)[],
  key: Uint8Array | null,
  newer: Newer,
  told: Findings,
): Generator<void> {
  const drawn = new Set<string>();
  for (const event of events) {
    if (event?.kind !== "chanced") continue;
    const { draw, picks } = event.body;
    if (draw === undefined) continue;
    const { label, n, sizes } = draw;
    // Occurrences may skip numbers, but nothing is drawn twice with the same label and occurrence.
    const name = `${n} ${label}`;
    if (drawn.has(name) && event.number < newer.since) told.add("draw_again", event, { label, n });
    drawn.add(name);
    if (picks === undefined) continue;
    const fits =
      picks.length === sizes.length &&
      picks.every((pick, index) => pick < (sizes[index] as number));
    if (!fits) {
      told.add("picks_sizes", event, { label, n });
    } else if (key !== null) {
      told.counts.draws += 1;
      let pick = 0;
      for (const expected of picksOf(key, label, n, sizes)) {
        const found = picks[pick] as number;
        pick += 1;
        told.counts.picks += 1;
        if (found !== expected) {
          told.add("picks", event, { label, n, pick, expected, found });
          break;
        }
        yield;
      }
    }
    yield;
  }
}
