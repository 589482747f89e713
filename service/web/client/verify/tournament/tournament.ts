// Checks a tournament's record: its stream, then each game by itself and against the stream
// (docs/tournaments.md, "The record").

import { checkChain, checkLastBatch } from "../chain.ts";
import { commitmentOfSeed } from "../chance.ts";
import { genesis, unhex } from "../digests.ts";
import { type Line, readLine } from "../events.ts";
import type { Findings } from "../findings.ts";
import {
  type CheckedGame,
  checkGame,
  cut,
  misfit,
  opened,
  readHeader,
  readRows,
  tellFuture,
} from "../game.ts";
import { isObject, type Json } from "../json.ts";
import { CHANCE } from "../kinds.ts";
import { Newer, readOpen } from "../newer.ts";
import type { Pace } from "../pace.ts";
import { checkCommitments, checkNullStates } from "../parts.ts";
import { checkProof } from "../proof.ts";
import { checkHead, type Kept, RECEIPT } from "../receipts.ts";
import {
  anything,
  digest,
  fields,
  fitting,
  integer,
  isName,
  type Of,
  object,
  oneOf,
  text,
} from "../shapes.ts";
import type { ReadLine } from "../source.ts";
import { rotationCount, rotations } from "./blocks.ts";
import { checkAgainst, type Luck } from "./games.ts";
import { readStreamEvent, type StreamEvent } from "./kinds.ts";
import { Stream } from "./stream.ts";

const STATUSES = ["open", "running", "paused", "ended", "cancelled"] as const;
const HEADER = fields(
  {
    export: oneOf("lonja-tournament/2"),
    tournament_id: text,
    status: oneOf(...STATUSES),
    version: integer(1),
    games: integer(0),
    receipt: RECEIPT,
    public_key: digest,
    report: object,
  },
  { proof: anything },
);
type Header = Of<typeof HEADER>;

/** The kinds that end a tournament, and reveal its secrets. */
const LAST: readonly string[] = ["ended", "cancelled"];
/** The version of the computation of figures; later versions have greater numbers. */
const FIGURES = 1;
const REPORT: readonly string[] = [
  "id",
  "name",
  "created_at",
  "created_by",
  "chance",
  "plan",
  "status",
  "reason",
  "version",
  "head",
  "at",
  "rounds",
  "games",
  "blocks",
  "disqualified",
  "figures",
  "table",
  "cross_table",
  "seats",
  "verdict",
  "rating_curve",
  "samples",
  "measured",
  "abandoned",
  "part",
  "ladder",
];

export const isTournament = (value: Json): boolean =>
  isObject(value) && value.export === "lonja-tournament/2";

/** Check a record of a tournament; return the key that it names, null if it is not a record. */
export async function checkTournament(
  first: ReadLine,
  lines: AsyncGenerator<ReadLine>,
  pace: Pace,
  kept: Kept,
  told: Findings,
): Promise<string | null> {
  let header: Header;
  const note = (path: string, name: string, { tournament_id }: Header) => {
    told.begin("tournament", tournament_id);
    told.unknown({ row: first.row }, path, name);
  };
  try {
    header = readOpen(HEADER, first.value, "$", note);
  } catch (error) {
    misfit(error, first, told, "header");
    return null;
  }
  const id = header.tournament_id;
  told.begin("tournament", id);
  checkReport(header, note);
  const rows = await readRows(header.version, lines, pace);
  const { stream, checked, newer } = await pace.run(checkStream(header, rows, told));
  told.version = checked.length;
  told.status = newer ? null : (stream?.status ?? null);
  if (newer) await checkGamesAlone(header, lines, pace, kept, told);
  else if (stream === null) told.once("games_stop");
  else await checkGames(stream, header, lines, pace, kept, told);
  kept.check(id, header.public_key, checked, null);
  return header.public_key;
}

/**
 * The report's figures are not checked here. But if they are of a later version, the record is
 * newer than this program.
 */
function checkReport(
  header: Header,
  note: (path: string, name: string, header: Header) => void,
): void {
  const { report } = header;
  const { figures } = report;
  if (typeof figures === "number" && figures > FIGURES)
    return note("$.report.figures", `${figures}`, header);
  for (const name of Object.keys(report))
    if (!REPORT.includes(name) && isName(name)) note(`$.report.${name}`, name, header);
}

/** The result of a stream: what it says about its games, if it has no unknown parts. */
interface CheckedStream {
  readonly stream: Stream | null;
  readonly checked: readonly Line[];
  readonly newer: boolean;
}

function* checkStream(
  header: Header,
  rows: readonly ReadLine[],
  told: Findings,
): Generator<void, CheckedStream> {
  const id = header.tournament_id;
  const checked: Line[] = [];
  const events: (StreamEvent | null)[] = [];
  const newer = new Newer(told);
  for (const [index, { value, row }] of rows.entries()) {
    try {
      const before = checked.at(-1)?.hash ?? genesis(id);
      const line = readLine(value, { row, number: index + 1, before }, newer);
      checked.push(line);
      events.push(readStreamEvent(line, newer));
    } catch (error) {
      misfit(error, { row }, told);
    }
    yield;
  }
  const last = checked.at(-1);
  checkHead(header.receipt, header.public_key, id, last, 1, told);
  if (header.proof !== undefined && last !== undefined) {
    const { status, version } = header;
    checkProof(header.proof, { id, status, version, hash: last.hash }, { row: 1 }, told);
  }
  tellFuture(last, told);
  yield* checkChain(checked, told);
  checkLastBatch(checked, told);
  const salt = opened(checked, LAST, "salt", "salt_secret");
  yield* checkCommitments(checked, salt === null ? null : unhex(salt), told);
  if (salt !== null) yield* checkNullStates(checked, () => true, unhex(salt), told);
  checkSeed(checked, told);
  const [created] = events;
  if (events.length !== rows.length) return { stream: null, checked, newer: false };
  if (created?.kind !== "created") {
    if (created) told.add("first", created, { kind: created.kind });
    return { stream: null, checked, newer: newer.any };
  }
  const stop = checked.findIndex((line) => line.last >= newer.since);
  const known = (stop < 0 ? events : events.slice(0, stop)) as readonly StreamEvent[];
  const stream = new Stream(id, created, told);
  yield* stream.follow(known, stop < 0);
  if (!newer.any && STATUSES.includes(header.status) && header.status !== stream.status)
    told.add("header_status", { row: 1 }, { expected: stream.status, found: header.status });
  return { stream, checked, newer: newer.any };
}

/** Checks the revealed seed against its commitment, even if other facts are unknown. */
function checkSeed(lines: readonly Line[], told: Findings): void {
  const created = lines[0]?.kind === "created" ? lines[0].body.created : undefined;
  const chance = fitting(CHANCE, isObject(created) ? created.chance : undefined);
  const seed =
    opened(lines, ["ended"], "ended", "seed") ?? opened(lines, ["cancelled"], "cancelled", "seed");
  const last = lines.find((line) => LAST.includes(line.kind));
  if (
    chance !== null &&
    seed !== null &&
    commitmentOfSeed(chance.scope, seed) !== chance.commitment
  )
    told.add("seed_commitment", last);
}

/** Checks each game only by itself, because it is unknown which games belong to the tournament. */
async function checkGamesAlone(
  header: Header,
  lines: AsyncGenerator<ReadLine>,
  pace: Pace,
  kept: Kept,
  told: Findings,
): Promise<void> {
  for (let games = 0; games < header.games; games += 1) {
    const checked = await checkNextGame(header, lines, pace, kept, told);
    if (checked === "none") throw cut(header.games, games);
    if (checked === null) return told.once("games_stop");
  }
  told.id = header.tournament_id;
  const { value: more } = await lines.next();
  if (more) told.add("lines_after", { row: more.row });
}

/**
 * Reads and checks the next game; returns null if there is something else, "none" at the end of the
 * file.
 */
async function checkNextGame(
  header: Header,
  lines: AsyncGenerator<ReadLine>,
  pace: Pace,
  kept: Kept,
  told: Findings,
): Promise<CheckedGame | null | "none"> {
  const { value: first } = await lines.next();
  if (!first) return "none";
  const game = readHeader(first, told);
  if (game === null) return null;
  told.id = game.game_id;
  const rows = await readRows(game.version, lines, pace);
  const checked = await pace.run(checkGame(game, first.row, rows, told));
  if (game.public_key !== header.public_key)
    told.add("key_other", { row: first.row }, { found: game.public_key });
  kept.check(game.game_id, game.public_key, checked.lines, checked.events);
  return checked;
}

/** Checks the games one after the other; each is dropped from memory before the next is read. */
async function checkGames(
  stream: Stream,
  header: Header,
  lines: AsyncGenerator<ReadLine>,
  pace: Pace,
  kept: Kept,
  told: Findings,
): Promise<void> {
  let games = 0;
  for (const block of stream.played) {
    const { lineup } = block;
    const expected = rotationCount(lineup, stream.plan.rotations);
    const found = block.games.length;
    if (found !== expected) told.add("block_games", block.ended, { found, expected });
    const seatings = found === expected ? rotations(lineup, stream.plan.rotations) : [];
    const luck: Luck = { commitment: null };
    for (const rotation of block.games.keys()) {
      const checked = await checkNextGame(header, lines, pace, kept, told);
      if (checked === "none") {
        if (games < header.games) throw cut(header.games, games);
        return told.add("games_missing", {}, { found: games, expected: header.games });
      }
      if (checked === null) return told.once("games_stop");
      checkAgainst(
        stream,
        header.tournament_id,
        block,
        rotation,
        seatings[rotation] ?? [],
        luck,
        checked,
        told,
      );
      games += 1;
    }
  }
  told.id = header.tournament_id;
  const { value: more } = await lines.next();
  if (more) told.add("lines_after", { row: more.row });
  if (games !== header.games)
    told.add("games_missing", { row: 1 }, { found: games, expected: header.games });
}
