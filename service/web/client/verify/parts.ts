// Checks the parts of events: shown parts must match the commitments in the headers.

import { commitmentOf, nonceOf, stateProof } from "./digests.ts";
import type { Event, Line } from "./events.ts";
import type { Findings } from "./findings.ts";
import { type Json, write } from "./json.ts";
import type { Newer } from "./newer.ts";

/**
 * What visibility depends on: the viewer, and whether the game is over, so that everything is
 * revealed.
 */
export interface Looking {
  readonly viewer: number | null;
  readonly over: boolean;
}

/** Each shown part has a nonce and an audience, and matches its commitment. */
export function* checkCommitments(
  lines: readonly Line[],
  salt: Uint8Array | null,
  told: Findings,
): Generator<void> {
  for (const line of lines) {
    if (!sameKeys(line.parts, line.audiences)) told.add("parts_audiences", line);
    if (!sameKeys(line.body, line.nonces)) told.add("parts_nonces", line);
    for (const [part, value] of Object.entries(line.body)) {
      const nonce = line.nonces[part];
      if (nonce === undefined) continue;
      if (line.parts[part] !== commitmentOf(nonce, value))
        told.add("part_commitment", line, { part });
      told.counts.commitments += 1;
      if (salt === null) continue;
      if (nonce !== nonceOf(salt, line.seq, part, line.before))
        told.add("part_nonce", line, { part });
      told.counts.nonces += 1;
    }
    yield;
  }
}

/** Checks the state proofs of events without a state: everybody knows that the state is `null`. */
export function* checkNullStates(
  lines: readonly Line[],
  isNull: (line: Line) => boolean,
  salt: Uint8Array,
  told: Findings,
): Generator<void> {
  for (const line of lines) {
    if (isNull(line)) {
      if (line.state_proof !== stateProof(salt, line.seq, line.before, null))
        told.add("state_proof", line);
      told.counts.state_proofs += 1;
    }
    yield;
  }
}

/** Checks the parts that an event opens: parts of earlier events, or its own. */
export function* checkOpenings(
  lines: readonly Line[],
  events: readonly (Event | null)[],
  newer: Newer,
  told: Findings,
): Generator<void> {
  const opened = new Set<string>();
  for (const event of events) {
    for (const opening of event?.body.opens ?? []) {
      if (event === null) continue;
      const { seq, part, value, nonce } = opening;
      const target = lines[seq - 1];
      const key = `${seq} ${part}`;
      const values = { seq, part };
      told.counts.openings += 1;
      if (target === undefined || seq > event.seq || !(part in target.parts))
        told.add("opens_nothing", event, values);
      else if (
        event.number < newer.since &&
        (target.audiences[part] === "public" || opened.has(key))
      )
        told.add("opens_again", event, values);
      else if (target.parts[part] !== commitmentOf(nonce, value))
        told.add("opens_commitment", event, values);
      else if (!agrees(target, part, value, nonce)) told.add("opens_other", event, values);
      opened.add(key);
    }
    yield;
  }
}

/** Checks that exactly the parts are shown that the viewer may see. */
export function* checkShown(
  lines: readonly Line[],
  events: readonly (Event | null)[],
  looking: Looking,
  told: Findings,
): Generator<void> {
  const openings = events.flatMap((event) => event?.body.opens ?? []);
  const opened = new Set(openings.map(({ seq, part }) => `${seq} ${part}`));
  for (const event of lines) {
    for (const [part, audience] of Object.entries(event.audiences)) {
      const may =
        looking.over ||
        audience === "public" ||
        audience === `seat:${looking.viewer}` ||
        opened.has(`${event.seq} ${part}`);
      const is = part in event.body;
      if (may && !is) told.add("part_missing", event, { part });
      if (!may && is) told.add("part_leaked", event, { part, audience });
      if (!is) told.counts.hidden += 1;
    }
    yield;
  }
}

/**
 * Whether an opening has the same value and nonce as the event whose part it opens; true if that
 * event does not show the part.
 */
function agrees(target: Line, part: string, value: Json, nonce: string): boolean {
  const own = target.body[part];
  return own === undefined || (write(own) === write(value) && target.nonces[part] === nonce);
}

function sameKeys(one: object, other: object): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => key in other);
}
