// The chain of the events of a game or tournament: numbers, times, batches and hashes.

import { H, hex, J, joined, unhex } from "./digests.ts";
import type { Line } from "./events.ts";
import type { Findings } from "./findings.ts";
import { isObject } from "./json.ts";

/** The maximum number of events in a batch, because no request leads to more. */
const MAX_BATCH = 10_000;

/** Checks a whole stream; yields after each event, so that a page stays responsive. */
export function* checkChain(lines: readonly Line[], told: Findings): Generator<void> {
  let before: Line | null = null;
  for (const line of lines) {
    if (line.seq !== line.number)
      told.add("chain_seq", line, { expected: line.number, found: line.seq });
    if (before !== null && line.time < before.time)
      told.add("chain_time", line, { found: line.at, before: before.at });
    const hash = hashOf(line, line.before);
    if (hash !== line.hash) told.add("chain_hash", line, { expected: hash, found: line.hash });
    checkBatch(line, before, told);
    before = line;
    told.counts.events += 1;
    yield;
  }
}

/** Batches are stored whole or not at all, so a log that ends within a batch was cut. */
export function checkLastBatch(lines: readonly Line[], told: Findings): void {
  const newest = lines.at(-1);
  if (newest !== undefined && newest.last > newest.seq)
    told.add("batch_cut", newest, { last: newest.last, found: newest.seq });
}

export function hashOf(line: Line, before: string): string {
  const { seq, kind, by, at, last, parts, state_proof } = line;
  return hex(H(joined(unhex(before), J({ seq, kind, by, at, last, parts, state_proof }))));
}

/** Whether an event begins a batch: the previous one was the last of its own. */
export const begins = (line: Line, before: Line | null): boolean =>
  before === null || before.last < line.seq;

/** The `expected_head` of a move must be the hash of an earlier event. */
export function checkHeads(lines: readonly Line[], told: Findings): void {
  const known = new Set<string>();
  for (const line of lines) {
    const { client } = line.body;
    const head = isObject(client) ? client.expected_head : undefined;
    if (typeof head === "string" && !known.has(head)) told.add("expected_head", line);
    known.add(line.hash);
  }
}

function checkBatch(line: Line, before: Line | null, told: Findings): void {
  if (begins(line, before)) {
    told.counts.batches += 1;
    if (line.last < line.seq || line.last - line.seq >= MAX_BATCH)
      told.add("batch_last", line, { found: line.last });
    return;
  }
  if (line.last !== before?.last) told.add("batch_last", line, { found: line.last });
  if (line.at !== before?.at) told.add("batch_at", line, { found: line.at });
}
