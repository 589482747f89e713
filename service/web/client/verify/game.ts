// Checks the record of a game, in stages (docs/format.md, "How to verify").

import { checkBeacon, type IsSigned, tellBeacon, waitingHeads } from "./beacons.ts";
import { checkChain, checkHeads, checkLastBatch } from "./chain.ts";
import { chanceKey, checkPicks, commitmentOfSeed, entropyOf } from "./chance.ts";
import { Course } from "./course.ts";
import { checkDamage, type Damage, damageOf } from "./damage.ts";
import { genesis, unhex } from "./digests.ts";
import { type Event, type Line, readEvent, readLine } from "./events.ts";
import type { Findings, Place } from "./findings.ts";
import { isObject, type JsonObject } from "./json.ts";
import { CHANCE, isKind, MAX_SEATS } from "./kinds.ts";
import { Newer, readOpen } from "./newer.ts";
import type { Pace } from "./pace.ts";
import { checkCommitments, checkNullStates, checkOpenings, checkShown } from "./parts.ts";
import { checkProof } from "./proof.ts";
import { checkHead, RECEIPT } from "./receipts.ts";
import {
  anything,
  digest,
  fields,
  fitting,
  integer,
  isDigest,
  Misfit,
  type Of,
  oneOf,
  orNull,
  text,
} from "./shapes.ts";
import { type ReadLine, Unreadable } from "./source.ts";

const STATUSES = ["lobby", "closed", "running", "ended", "aborted"] as const;
const HEADER = fields(
  {
    export: oneOf("lonja/2"),
    game_id: text,
    ruleset: text,
    rules_version: text,
    version: integer(1),
    status: oneOf(...STATUSES),
    viewer: orNull(integer(0)),
    receipt: RECEIPT,
    public_key: digest,
  },
  { proof: anything },
);
export type Header = Of<typeof HEADER>;

/** The maximum size of one game in the file, because the whole game is in memory. */
const MAX_GAME = 64 * 2 ** 20;

/** Returns a game's header, or null and a finding if the line is no header. */
export function readHeader({ value, row }: ReadLine, told: Findings): Header | null {
  try {
    return readOpen(HEADER, value, "$", (path, name, { game_id }) => {
      told.id = game_id;
      told.unknown({ row }, path, name);
    });
  } catch (error) {
    misfit(error, { row }, told, "header");
    return null;
  }
}

/** The error for a file that has fewer lines than its header says. */
export const cut = (expected: number, found: number): Unreadable =>
  new Unreadable("file_cut", null, { expected, found });

/** Read as many lines of events as the header says. Throws Unreadable. */
export async function readRows(
  count: number,
  lines: AsyncGenerator<ReadLine>,
  pace: Pace,
): Promise<readonly ReadLine[]> {
  const rows: ReadLine[] = [];
  let size = 0;
  while (rows.length < count) {
    const { value: line } = await lines.next();
    if (!line) throw cut(count, rows.length);
    size += line.size;
    if (size > MAX_GAME) throw new Unreadable("game_size", line.row, { most: MAX_GAME });
    rows.push(line);
    if (pace.due) await pace.rest();
  }
  return rows;
}

/** The results of a game's checks that are compared with the tournament. */
export interface CheckedGame {
  readonly header: Header;
  /** The line of the header in the file. */
  readonly row: number;
  readonly lines: readonly Line[];
  /** The events, if every event is wholly known and has the shape of its kind; otherwise null. */
  readonly events: readonly (Event | null)[] | null;
  readonly course: Course | null;
  readonly salt: string | null;
  readonly seed: string | null;
  /** The status to which the events lead; null if unknown. */
  readonly status: string | null;
  readonly newer: Newer;
}

/**
 * Checks a game; yields after each small step, so that a page stays responsive. `isSigned` checks
 * the signature of a beacon; it is null if the game has none.
 */
export function* checkGame(
  header: Header,
  row: number,
  rows: readonly ReadLine[],
  told: Findings,
  isSigned: IsSigned | null = null,
): Generator<void, CheckedGame> {
  told.counts.games += 1;
  const id = header.game_id;
  const newer = new Newer(told);
  const damage = damageOf(rows.map(({ value }) => value));
  const lines = yield* readLines(id, rows, damage, newer, told);
  checkHead(header.receipt, header.public_key, id, lines.at(-1), row, told);
  const last = lines.at(-1);
  if (header.proof !== undefined && last !== undefined) {
    const { status, version } = header;
    const waiting = waitingHeads(lines);
    checkProof(header.proof, { id, status, version, hash: last.hash, waiting }, { row }, told);
  }
  tellFuture(last, told);
  if (damage !== null) checkDamage(id, lines, damage, told);
  yield* checkChain(lines, told);
  checkHeads(lines, told);
  checkLastBatch(lines, told);
  const events = yield* readEvents(lines, newer, told);
  const salt = opened(lines, ["ended", "aborted"], "salt", "salt_secret");
  const seed = opened(lines, ["chance_revealed"], "chance", "chance_seed");
  yield* checkCommitments(lines, salt === null ? null : unhex(salt), told);
  const checked = { header, row, lines, salt, seed, newer, isSigned };
  if (events === null) {
    told.once("shape_stops");
    return { ...checked, events, course: null, status: null };
  }
  const course = yield* checkMeaning({ ...checked, events, damage }, told);
  return { ...checked, events, course, status: newer.any ? null : (course?.phase ?? null) };
}

/** Maximum difference between two clocks that are set well: two minutes, in milliseconds. */
const AHEAD = 120_000;

/** Adds a finding if the last event is later than this machine's clock says. */
export function tellFuture(last: Line | undefined, told: Findings): void {
  if (last !== undefined && last.time > Date.now() + AHEAD) told.once("future", { at: last.at });
}

/** Reads the events that count: all except damaged ones. */
function* readLines(
  id: string,
  rows: readonly ReadLine[],
  damage: Damage | null,
  newer: Newer,
  told: Findings,
): Generator<void, readonly Line[]> {
  const lines: Line[] = [];
  for (const [index, { value, row }] of rows.entries()) {
    if (damage !== null && damage.sound <= index && index < damage.end) continue;
    try {
      const place = { row, number: index + 1, before: hashBefore(id, rows, index) };
      lines.push(readLine(value, place, newer));
    } catch (error) {
      misfit(error, { row }, told);
      told.once("lines_stop");
      break;
    }
    yield;
  }
  return lines;
}

/** The end of a damaged game is chained to the stored hash before it; that hash is not checked. */
function hashBefore(id: string, rows: readonly ReadLine[], index: number): string {
  const before = rows[index - 1]?.value;
  if (before === undefined) return genesis(id);
  const hash = isObject(before) ? before.hash : undefined;
  return typeof hash === "string" && /^([0-9a-f]{2}){0,32}$/.test(hash) ? hash : "";
}

function* readEvents(
  lines: readonly Line[],
  newer: Newer,
  told: Findings,
): Generator<void, readonly (Event | null)[] | null> {
  const events: (Event | null)[] = [];
  for (const line of lines) {
    try {
      events.push(readEvent(line, newer));
    } catch (error) {
      misfit(error, line, told);
    }
    yield;
  }
  return events.length === lines.length ? events : null;
}

/** Add the finding of a misfit; rethrows other errors. */
export function misfit(error: unknown, place: Place, told: Findings, code = "shape"): void {
  if (!(error instanceof Misfit)) throw error;
  told.add(code, place, { path: error.path, found: error.found });
}

/** Return the secret that an event of these kinds reveals; null if none does. */
export function opened(
  lines: readonly Line[],
  kinds: readonly string[],
  part: string,
  secret: string,
): string | null {
  for (const { kind, body } of lines) {
    const told = kinds.includes(kind) ? body[part] : undefined;
    const found = isObject(told) ? told[secret] : undefined;
    if (found !== undefined && isDigest(found)) return found;
  }
  return null;
}

/** What the checks of a game's course need. */
interface Read extends Omit<CheckedGame, "course" | "status"> {
  readonly events: readonly (Event | null)[];
  readonly damage: Damage | null;
  readonly isSigned: IsSigned | null;
}

/**
 * Makes all checks that need events in the shapes of their kinds. The checks end at the first event
 * with an unknown part.
 */
function* checkMeaning(read: Read, told: Findings): Generator<void, Course | null> {
  const { header, row, lines, events, damage, salt, newer } = read;
  const [line] = lines;
  // A damaged game without a sound event has nothing to check.
  if (line === undefined || damage?.sound === 0) return null;
  if (line.kind !== "created" && isKind(line.kind)) {
    told.add("first", line, { kind: line.kind });
    return null;
  }
  const pinned = pinnedBy(line);
  checkHeader(header, row, pinned ?? {}, told);
  yield* checkOpenings(lines, events, newer, told);
  if (salt !== null) {
    const started = lines.find((one) => one.kind === "started")?.number ?? Number.POSITIVE_INFINITY;
    const isNull = ({ number }: Line) =>
      number < newer.since && (number < started || (damage !== null && number > damage.end));
    yield* checkNullStates(lines, isNull, unhex(salt), told);
  }
  const course = yield* followed(read, told);
  if (course !== null && !newer.any) {
    const { over, phase: status } = course;
    if (!over) told.once("goes_on");
    else if (course.seed === null) told.once("luck_closed");
    if (STATUSES.includes(header.status) && header.status !== status)
      told.add("header_status", { row }, { expected: status, found: header.status });
    if (header.viewer !== null && over)
      told.add("header_viewer", { row }, { found: header.viewer });
    yield* checkShown(lines, events, { viewer: header.viewer, over }, told);
  }
  if (course !== null) checkBeacon(course.game, events, read.isSigned, told);
  yield* checkChance(read, pinned ?? {}, course, told);
  return course;
}

/** Follows the course of a game up to the batch with the first unknown part. */
function* followed(
  { header, lines, events, newer }: Read,
  told: Findings,
): Generator<void, Course | null> {
  const [created] = events;
  if (created?.kind !== "created" || created.body.game === undefined) return null;
  const stop = lines.findIndex((line) => line.last >= newer.since);
  const known = (stop < 0 ? events : events.slice(0, stop)) as readonly Event[];
  const course = new Course(header.game_id, known, created, created.body.game, told);
  yield* course.follow(stop < 0);
  return course;
}

/** Reports who gave entropy; entropy of a bot's seat comes from the service. */
function tellWhoGave({ seats }: Course, told: Findings, hasBeacon: boolean): void {
  const brought = [...seats]
    .sort(([a], [b]) => a - b)
    .filter(([, { commitment }]) => commitment !== null);
  for (const [seat, { holder, entropy }] of brought) {
    const who = "player" in holder ? holder.player : `${holder.bot}@${holder.version}`;
    told.add(entropy === null ? "entropy_withheld" : "entropy_given", {}, { seat, who });
  }
  const given = brought.filter(([, { entropy }]) => entropy !== null);
  if (hasBeacon) return;
  if (given.length === 0) told.once("no_entropy");
  else if (!given.some(([, { holder }]) => "player" in holder)) told.once("no_player_entropy");
}

/** Returns the value of `created.game`; null if this part is hidden. */
export function pinnedBy(created: Line | undefined): JsonObject | null {
  const game = created?.kind === "created" ? created.body.game : undefined;
  return isObject(game) ? game : null;
}

function checkHeader(header: Header, row: number, pinned: JsonObject, told: Findings): void {
  for (const name of ["ruleset", "rules_version"] as const) {
    const expected = pinned[name] ?? header[name];
    if (header[name] !== expected)
      told.add(
        "header_field",
        { row },
        { field: name, found: header[name], expected: `${expected}` },
      );
  }
  const seats = typeof pinned.seats === "number" ? pinned.seats : MAX_SEATS;
  if (header.viewer !== null && header.viewer >= seats)
    told.add("header_viewer", { row }, { found: header.viewer });
}

function* checkChance(
  { lines, events, seed, newer }: Read,
  pinned: JsonObject,
  course: Course | null,
  told: Findings,
): Generator<void> {
  const chance = fitting(CHANCE, pinned.chance);
  const given = entropyOf(events, pinned, newer);
  if (
    seed !== null &&
    chance !== null &&
    commitmentOfSeed(chance.scope, seed) !== chance.commitment
  )
    told.add("seed_commitment");
  // All games of a tournament have the same entropy, so the check of the tournament reports on it.
  const started = lines.some((line) => line.kind === "started");
  if (course?.ownScope && started && !newer.any)
    tellWhoGave(course, told, tellBeacon(course.game, events, told));
  const known = seed !== null && chance !== null && given !== null;
  yield* checkPicks(events, known ? chanceKey(seed, chance.scope, given) : null, newer, told);
}
