// The round of a public beacon that goes into a game's luck (docs/format.md, "Beacons").

import { H, hex, unhex } from "./digests.ts";
import type { Event, Line } from "./events.ts";
import type { Findings } from "./findings.ts";
import { isObject, type Json } from "./json.ts";
import type { Chain, GameFields } from "./kinds.ts";
import { QUICKNET } from "./quicknet.ts";

/** Returns whether a chain has signed a round; null if its scheme is unknown. */
export type IsSigned = (chain: Chain, round: number, signature: Uint8Array) => boolean | null;

/** Whether this program knows a chain by itself. */
const isKnown = (chain: Chain): boolean =>
  Object.entries(QUICKNET).every(([name, value]) => chain[name as keyof Chain] === value);

/** The least time between `closed` and the round, in milliseconds. */
const AHEAD = 30_000n;

/** The first round that is published `AHEAD` or more after a time, in milliseconds since 1970. */
export function roundAfter({ genesis, period }: Chain, closed: number): number {
  const [passed, length] = [
    BigInt(closed) + AHEAD - 1000n * BigInt(genesis),
    1000n * BigInt(period),
  ];
  const rounds = passed <= 0n ? 0n : (passed + length - 1n) / length;
  return Number(rounds + 1n);
}

/** When a round is published, in milliseconds since 1970. */
export const timeOf = ({ genesis, period }: Chain, round: number): bigint =>
  1000n * (BigInt(genesis) + BigInt(round - 1) * BigInt(period));

/** The random value of a round, by its signature; both in hex. */
export const randomness = (signature: string): string => hex(H(unhex(signature)));

/** Whether a line is an event with a beacon's signature, which takes a library to check. */
export const hasSignature = (line: Json): boolean => isObject(line) && line.kind === "beacon_drawn";

/** The events from `closed` on, before the beacon of a game: their numbers, by their hashes. */
export function waitingHeads(lines: readonly Line[]): ReadonlyMap<string, number> {
  const game = lines[0]?.body.game;
  const terms = isObject(game) ? game.entropy : undefined;
  const from = lines.findIndex(({ kind }) => kind === "closed");
  if (!isObject(terms) || terms.mode !== "beacon" || from < 0) return new Map();
  const drawn = lines.findIndex(({ kind }) => kind === "beacon_drawn");
  const waiting = lines.slice(from, drawn < 0 ? lines.length : drawn);
  return new Map(waiting.map(({ hash, seq }) => [hash, seq]));
}

/** Checks that the chain that the first event names has signed the round. */
export function checkBeacon(
  { entropy: { beacon } }: GameFields,
  events: readonly (Event | null)[],
  isSigned: IsSigned | null,
  told: Findings,
): void {
  const event = events.find((one) => one?.kind === "beacon_drawn");
  if (event?.kind !== "beacon_drawn" || event.body.beacon === undefined || !beacon) return;
  const { round, signature } = event.body.beacon;
  // A chain with the hash of a known one and other members is not this chain.
  const isFalse = beacon.chain === QUICKNET.chain && !isKnown(beacon);
  const signed = isFalse ? false : (isSigned?.(beacon, round, unhex(signature)) ?? null);
  if (signed === null) told.once("beacon_scheme", { scheme: beacon.scheme });
  else if (!signed) told.add("beacon_signature", event, { round });
}

/** Reports which round went into the luck, and what the record does not show of it. */
export function tellBeacon(
  { entropy: { mode, beacon } }: GameFields,
  events: readonly (Event | null)[],
  told: Findings,
): boolean {
  const event = events.find((one) => one?.kind === "beacon_drawn");
  const drawn = event?.kind === "beacon_drawn" ? event.body.beacon : undefined;
  if (!event || !drawn || !beacon) {
    if (mode === "beacon") told.once("beacon_late");
    return false;
  }
  const { round } = drawn;
  const out = timeOf(beacon, round);
  const at = out <= event.time ? new Date(Number(out)).toISOString() : "?";
  told.once("beacon_given", { round, chain: beacon.chain, at });
  told.once(isKnown(beacon) ? "beacon_dated" : "beacon_unknown");
  told.once("beacon_foreseen");
  return true;
}
