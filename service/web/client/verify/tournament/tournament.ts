// A tournament's record: its stream, then each game by itself and against the stream
// (docs/tournaments.md, "The record").

import { checkChain, checkLastBatch } from "../chain.ts";
import { genesis, unhex } from "../digests.ts";
import { type Line, readLine } from "../events.ts";
import type { Findings } from "../findings.ts";
import { checkGame, cut, misfit, readHeader, readRows } from "../game.ts";
import { isObject, type Json } from "../json.ts";
import type { Pace } from "../pace.ts";
import { checkCommitments, checkNullStates } from "../parts.ts";
import { checkHead, type Kept, RECEIPT } from "../receipts.ts";
import { digest, fields, integer, type Of, object, oneOf, text } from "../shapes.ts";
import type { ReadLine } from "../source.ts";
import { rotationCount, rotations } from "./blocks.ts";
import { checkAgainst } from "./games.ts";
import { readStreamEvent, type StreamEvent } from "./kinds.ts";
import { Stream } from "./stream.ts";

const HEADER = fields({
  export: oneOf("lonja-tournament/2"),
  tournament_id: text,
  status: oneOf("open", "running", "paused", "ended", "cancelled"),
  version: integer(1),
  games: integer(0),
  receipt: RECEIPT,
  public_key: digest,
  report: object,
});
type Header = Of<typeof HEADER>;

export const isTournament = (value: Json): boolean =>
  isObject(value) && value.export === "lonja-tournament/2";

/** Check a record of a tournament; return the key that it names, null if it is no record. */
export async function checkTournament(
  first: ReadLine,
  lines: AsyncGenerator<ReadLine>,
  pace: Pace,
  kept: Kept,
  told: Findings,
): Promise<string | null> {
  let header: Header;
  try {
    header = HEADER(first.value, "$");
  } catch (error) {
    misfit(error, first, told, "header");
    return null;
  }
  const id = header.tournament_id;
  told.begin("tournament", id);
  const rows = await readRows(header.version, lines, pace);
  const { stream, checked } = await pace.run(checkStream(header, rows, told));
  told.version = checked.length;
  told.status = stream?.status ?? null;
  if (stream === null) told.once("games_stop");
  else await checkGames(stream, header, lines, pace, kept, told);
  kept.check(id, header.public_key, checked, null);
  return header.public_key;
}

function* checkStream(
  header: Header,
  rows: readonly ReadLine[],
  told: Findings,
): Generator<void, { stream: Stream | null; checked: readonly Line[] }> {
  const id = header.tournament_id;
  const checked: Line[] = [];
  const events: StreamEvent[] = [];
  for (const [index, { value, row }] of rows.entries()) {
    try {
      const before = checked.at(-1)?.hash ?? genesis(id);
      const line = readLine(value, { row, number: index + 1, before });
      checked.push(line);
      events.push(readStreamEvent(line));
    } catch (error) {
      misfit(error, { row }, told);
    }
    yield;
  }
  checkHead(header.receipt, header.public_key, id, checked.at(-1), 1, told);
  yield* checkChain(checked, told);
  checkLastBatch(checked, told);
  const opened = saltOf(events);
  yield* checkCommitments(checked, opened, told);
  if (opened !== null) yield* checkNullStates(checked, () => true, opened, told);
  const [created] = events;
  if (created?.kind !== "created" || events.length !== rows.length) {
    if (created !== undefined && created.kind !== "created")
      told.add("first", created, { kind: created.kind });
    return { stream: null, checked };
  }
  const stream = new Stream(id, created, told);
  yield* stream.follow(events);
  if (header.status !== stream.status)
    told.add("header_status", { row: 1 }, { expected: stream.status, found: header.status });
  return { stream, checked };
}

/** The last event of a tournament opens its salt. */
function saltOf(events: readonly StreamEvent[]): Uint8Array | null {
  for (const event of events)
    if (event.kind === "ended" || event.kind === "cancelled")
      return unhex(event.body.salt.salt_secret);
  return null;
}

/** Check the games, one after the other: each is forgotten before the next is read. */
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
    for (const rotation of block.games.keys()) {
      const { value: first } = await lines.next();
      if (!first) {
        if (games < header.games) throw cut(header.games, games);
        told.add("games_missing", {}, { found: games, expected: header.games });
        return;
      }
      const game = readHeader(first, told);
      if (game === null) return told.once("games_stop");
      told.id = game.game_id;
      const rows = await readRows(game.version, lines, pace);
      const checked = await pace.run(checkGame(game, first.row, rows, told));
      if (game.public_key !== header.public_key)
        told.add("key_other", { row: first.row }, { found: game.public_key });
      kept.check(game.game_id, game.public_key, checked.lines, checked.events);
      checkAgainst(
        stream,
        header.tournament_id,
        block,
        rotation,
        seatings[rotation] ?? [],
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
