// A game's record, checked in stages (docs/format.md, "How to verify").

import { checkChain, checkLastBatch } from "./chain.ts";
import { chanceKey, checkPicks, commitmentOfSeed } from "./chance.ts";
import { Course } from "./course.ts";
import { soundPart } from "./damage.ts";
import { unhex } from "./digests.ts";
import { type Event, type Line, readEvent, readLine } from "./events.ts";
import type { Findings, Place } from "./findings.ts";
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
  const all = yield* readLines(rows, told);
  checkHead(header.receipt, header.public_key, header.game_id, all.at(-1), row, told);
  const { lines, damaged } = soundPart(header.game_id, all, told);
  yield* checkChain(header.game_id, lines, told);
  if (!damaged) checkLastBatch(lines, told);
  const events = yield* readEvents(lines, told);
  const salt = saltOf(events ?? []);
  yield* checkCommitments(header.game_id, lines, salt === null ? null : unhex(salt), told);
  const course =
    events === null ? null : yield* checkMeaning(header, row, events, damaged, salt, told);
  if (events === null) told.once("shape_stops");
  const status = damaged ? "aborted" : (course?.phase ?? null);
  return { header, row, lines, events, course, salt, status };
}

function* readLines(rows: readonly ReadLine[], told: Findings): Generator<void, readonly Line[]> {
  const lines: Line[] = [];
  for (const { value, row } of rows) {
    try {
      lines.push(readLine(value, row));
    } catch (error) {
      misfit(error, { row }, told);
      told.once("lines_stop");
      break;
    }
    yield;
  }
  return lines;
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
  damaged: boolean,
  salt: string | null,
  told: Findings,
): Generator<void, Course | null> {
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
  const over = damaged || course.over;
  if (!over) told.once("goes_on");
  else if (course.seed === null) told.once("luck_closed");
  const status = damaged ? "aborted" : course.phase;
  if (header.status !== status)
    told.add("header_status", { row }, { expected: status, found: header.status });
  if (header.viewer !== null && (over || header.viewer >= game.seats))
    told.add("header_viewer", { row }, { found: header.viewer });
  yield* checkShown(events, { viewer: header.viewer, over }, told);
  if (salt !== null) {
    const started = events.findIndex((event) => event.kind === "started");
    const isNull = (line: Line) => started < 0 || line.seq <= started;
    yield* checkNullStates(header.game_id, events, isNull, unhex(salt), told);
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
