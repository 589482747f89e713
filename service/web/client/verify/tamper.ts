// Forges a copy of a record, to demonstrate findings. It edits one value; it can also recompute
// every hash, but cannot sign, because it does not have the service's key.

import { hashOf } from "./chain.ts";
import { commitmentOf, genesis, nonceOf, unhex } from "./digests.ts";
import type { Line } from "./events.ts";
import { isObject, type Json, type JsonObject, write } from "./json.ts";
import { linesOf } from "./source.ts";

export interface Forged {
  readonly record: Blob;
  readonly version: number;
  /** The path of the value, such as `move.steps` or `picks[2]`. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The kinds of events that are forged first, because people understand a change in them best. */
const KINDS: readonly unknown[] = ["moved", "chanced", "ended"];

interface Leaf {
  readonly keys: readonly (string | number)[];
  readonly value: string | number | boolean;
}

type Members = Record<string, Json>;
interface Event {
  seq: number;
  parts: Members;
  body: Members;
  nonces: Members;
  hash: string;
}

/**
 * Changes one value of a game's record that people can read; if `rehash`, recomputes hashes and
 * commitments.
 *
 * `random` returns numbers from 0 to 1. Throws Unreadable, or RangeError if there is nothing to
 * change.
 */
export async function tamper(
  record: Blob,
  { rehash, random = Math.random }: { rehash: boolean; random?: () => number },
): Promise<Forged> {
  const values: Json[] = [];
  for await (const line of linesOf(record, () => {})) values.push(line.value);
  const [header, ...lines] = values;
  const events = structuredClone(lines) as unknown as Event[];
  const shown = events.filter((event) => leavesOf(event.body).length > 0);
  const telling = shown.filter((event) => KINDS.includes((event as unknown as Line).kind));
  const event = pick(telling.length > 0 ? telling : shown, random);
  const leaf = pick(leavesOf(event.body), random);
  const after = changed(leaf.value);
  set(event.body, leaf.keys, after);
  if (rehash) makeAnew(events, event, (header as JsonObject).game_id as string);
  const texts = [header as Json, ...(events as unknown as Json[])].map(
    (value) => `${write(value)}\n`,
  );
  return {
    record: new Blob(texts),
    version: event.seq,
    path: leaf.keys.reduce<string>(
      (path, key) =>
        typeof key === "number" ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`,
      "",
    ),
    before: write(leaf.value),
    after: write(after),
  };
}

function pick<T>(from: readonly T[], random: () => number): T {
  const picked = from[Math.floor(random() * from.length)];
  if (picked === undefined) throw new RangeError("there is nothing to change");
  return picked;
}

/** Parts that are not forged, because a forgery would be too obvious or show little. */
const LEFT_ALONE: readonly string[] = ["salt", "opens", "bot", "client"];

/** Every value of the parts that is worth forging. */
function leavesOf(value: Json, keys: readonly (string | number)[] = []): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => leavesOf(one, [...keys, index]));
  if (isObject(value))
    return Object.keys(value)
      .filter((key) => keys.length > 0 || !LEFT_ALONE.includes(key))
      .flatMap((key) => leavesOf(value[key] as Json, [...keys, key]));
  return value === null ? [] : [{ keys, value: value as string | number | boolean }];
}

function changed(value: string | number | boolean): string | number | boolean {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value > 0 ? value - 1 : value + 1;
  const last = value.at(-1);
  return (
    value.slice(0, -1) +
    (last === "0" ? "1" : last === "a" ? "b" : /[0-9]/.test(last ?? "") ? "0" : "a")
  );
}

function set(inside: Members, keys: readonly (string | number)[], value: Json): void {
  const [key, ...rest] = keys as [string, ...(string | number)[]];
  if (rest.length === 0) inside[key] = value;
  else set(inside[key] as Members, rest, value);
}

/** Recomputes commitments and hashes from one event on; uses the salt, if it is revealed. */
function makeAnew(events: readonly Event[], from: Event, id: string): void {
  const salts = events.map((event) => event.body.salt).filter(isObject);
  const salt = salts[0] === undefined ? null : unhex(salts[0].salt_secret as string);
  let before = genesis(id);
  for (const event of events) {
    if (event.seq >= from.seq) {
      for (const [part, value] of Object.entries(event.body)) {
        if (salt !== null) event.nonces[part] = nonceOf(salt, event.seq, part, before);
        event.parts[part] = commitmentOf(event.nonces[part] as string, value);
      }
      event.hash = hashOf(event as unknown as Line, before);
    }
    before = event.hash;
  }
}
