// A game's record, checked in stages (docs/format.md, "How to verify").

import { checkChain, checkLastBatch } from "./chain.ts";
import { chanceKey, checkPicks, commitmentOfSeed } from "./chance.ts";
import { Course } from "./course.ts";
import { checkDamage, type Damage, damageOf } from "./damage.ts";
import { genesis, unhex } from "./digests.ts";
import { type Event, type Line, readEvent, readLine } from "./events.ts";
import type { Findings, Place } from "./findings.ts";
import { isObject } from "./json.ts";
import type { GameFields } from "./kinds.ts";
import type { Pace } from "./pace.ts";
import { checkCommitments, checkNullStates, checkShown } from "./parts.ts";
import { checkHead, RECEIPT } from "./receipts.ts";
import { digest, fields, integer, Misfit, type Of, oneOf, orNull, text } from "./shapes.ts";
import { type ReadLine, Unreadable } from "./source.ts";

const HEADER = fields({
  export: oneOf("lonja/2"),
  game_id: text,
  ruleset: text,
  rules_version: text,
  version: integer(1),
  status: oneOf("lobby", "closed", "running", "ended", "aborted"),
  viewer: orNull(integer(0)),
  receipt: RECEIPT,
  public_key: digest,
});
export type Header = Of<typeof HEADER>;

/** What one game may take of the file, for all of it is held in memory. */
const MAX_GAME = 64 * 2 ** 20;

/** Return a game's header, or null if it is none, which is a finding. */
export function readHeader({ value, row }: ReadLine, told: Findings): Header | null {
  try {
    return HEADER(value, "$");
  } catch (error) {
    misfit(error, { row }, told, "header");
    return null;
  }
}

/** Why a file that ends before what its header promises cannot be read. */
export const cut = (expected: number, found: number): Unreadable =>
  new Unreadable("file_cut", null, { expected, found });

/** Read the lines of events: as many as a header promises. Throws Unreadable. */
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

/** What the checks of a game leave for others to compare: a tournament does. */
export interface CheckedGame {
  readonly header: Header;
  /** The line of the header in the file. */
  readonly row: number;
  readonly lines: readonly Line[];
  /** Null unless every event has the shape of its kind. */
  readonly events: readonly Event[] | null;
  readonly course: Course | null;
  readonly salt: string | null;
  /** Where the events lead to; null if they do not tell. */
  readonly status: string | null;
}

/** Check a game; yields after each small step, so that a page can breathe. */
export function* checkGame(
  header: Header,
  row: number,
  rows: readonly ReadLine[],
  told: Findings,
): Generator<void, CheckedGame> {
  told.counts.games += 1;
  const id = header.game_id;
  const damage = damageOf(rows.map(({ value }) => value));
  const lines = yield* readLines(id, rows, damage, told);
  checkHead(header.receipt, header.public_key, id, lines.at(-1), row, told);
  if (damage !== null) checkDamage(id, lines, damage, told);
  yield* checkChain(lines, told);
  checkLastBatch(lines, told);
  const events = yield* readEvents(lines, told);
  const salt = saltOf(events ?? []);
  yield* checkCommitments(lines, salt === null ? null : unhex(salt), told);
  const course =
    events === null ? null : yield* checkMeaning(header, row, events, damage, salt, told);
  if (events === null) told.once("shape_stops");
  const status = course?.phase ?? null;
  return { header, row, lines, events, course, salt, status };
}

/** Read the events that count: all, but for those that are damaged. */
function* readLines(
  id: string,
  rows: readonly ReadLine[],
  damage: Damage | null,
  told: Findings,
): Generator<void, readonly Line[]> {
  const lines: Line[] = [];
  for (const [index, { value, row }] of rows.entries()) {
    if (damage !== null && damage.sound <= index && index < damage.end) continue;
    try {
      lines.push(readLine(value, { row, number: index + 1, before: hashBefore(id, rows, index) }));
    } catch (error) {
      misfit(error, { row }, told);
      told.once("lines_stop");
      break;
    }
    yield;
  }
  return lines;
}

/** The end of a damaged game is chained to what is stored before it, whatever that is. */
function hashBefore(id: string, rows: readonly ReadLine[], index: number): string {
  const before = rows[index - 1]?.value;
  if (before === undefined) return genesis(id);
  return digest(isObject(before) ? (before.hash ?? null) : null, "$.hash");
}

function* readEvents(
  lines: readonly Line[],
  told: Findings,
): Generator<void, readonly Event[] | null> {
  const events: Event[] = [];
  for (const line of lines) {
    try {
      events.push(readEvent(line));
    } catch (error) {
      misfit(error, line, told);
    }
    yield;
  }
  return events.length === lines.length ? events : null;
}

/** Add the finding of a misfit; throws what is none. */
export function misfit(error: unknown, place: Place, told: Findings, code = "shape"): void {
  if (!(error instanceof Misfit)) throw error;
  told.add(code, place, { path: error.path, found: error.found });
}

function saltOf(events: readonly Event[]): string | null {
  for (const event of events)
    if ((event.kind === "ended" || event.kind === "aborted") && event.body.salt !== undefined)
      return event.body.salt.salt_secret;
  return null;
}

/** Check what needs all events in the shape of their kinds. */
function* checkMeaning(
  header: Header,
  row: number,
  events: readonly Event[],
  damage: Damage | null,
  salt: string | null,
  told: Findings,
): Generator<void, Course | null> {
  if (damage?.sound === 0) return null; // nothing of it is left
  const [created] = events;
  if (created?.kind !== "created") {
    if (created !== undefined) told.add("first", created, { kind: created.kind });
    return null;
  }
  const game = created.body.game;
  if (game === undefined) {
    told.once("sealed");
    return null;
  }
  checkHeader(header, row, game, told);
  const course = new Course(header.game_id, events, created, game, told);
  yield* course.follow();
  const { over, phase: status } = course;
  if (!over) told.once("goes_on");
  else if (course.seed === null) told.once("luck_closed");
  if (header.status !== status)
    told.add("header_status", { row }, { expected: status, found: header.status });
  if (header.viewer !== null && (over || header.viewer >= game.seats))
    told.add("header_viewer", { row }, { found: header.viewer });
  yield* checkShown(events, { viewer: header.viewer, over }, told);
  if (salt !== null) {
    const started = events.findIndex((event) => event.kind === "started");
    const isNull = ({ number }: Line) =>
      started < 0 || number <= started || (damage !== null && number > damage.end);
    yield* checkNullStates(events, isNull, unhex(salt), told);
  }
  yield* checkChance(course, events, told);
  return course;
}

function checkHeader(header: Header, row: number, game: GameFields, told: Findings): void {
  for (const name of ["ruleset", "rules_version"] as const)
    if (header[name] !== game[name])
      told.add("header_field", { row }, { field: name, found: header[name], expected: game[name] });
}

/** Say whose entropy went into the luck; a bot's is the service's. */
function tellWhoGave({ seats }: Course, told: Findings): void {
  const brought = [...seats]
    .sort(([a], [b]) => a - b)
    .filter(([, { commitment }]) => commitment !== null);
  for (const [seat, { holder, entropy }] of brought) {
    const who = "player" in holder ? holder.player : `${holder.bot}@${holder.version}`;
    told.add(entropy === null ? "entropy_withheld" : "entropy_given", {}, { seat, who });
  }
  const given = brought.filter(([, { entropy }]) => entropy !== null);
  if (given.length === 0) told.once("no_entropy");
  else if (!given.some(([, { holder }]) => "player" in holder)) told.once("no_player_entropy");
}

function* checkChance(course: Course, events: readonly Event[], told: Findings): Generator<void> {
  const { scope, commitment } = course.game.chance;
  const { seed, seats } = course;
  if (seed !== null && commitmentOfSeed(scope, seed) !== commitment) told.add("seed_commitment");
  const entropy = [...seats].sort(([a], [b]) => a - b).map(([, seat]) => seat.entropy);
  const started = events.some((event) => event.kind === "started");
  // In a tournament it is given for all games at once, or not.
  if (course.ownScope && started) tellWhoGave(course, told);
  yield* checkPicks(events, seed === null ? null : chanceKey(seed, scope, entropy), told);
}
