// The verifier: it takes a record as a Blob, and reports its faults. It needs no DOM, no network
// and no secure context, so it runs in a page, in a worker, in Node and from a file.

import { hasSignature } from "./beacons.ts";
import { type Counts, type Finding, Findings, type UnknownName } from "./findings.ts";
import { checkGame, readHeader, readRows } from "./game.ts";
import { isObject } from "./json.ts";
import { Pace } from "./pace.ts";
import { Kept } from "./receipts.ts";
import type { Severity } from "./sentences.ts";
import { linesOf, type ReadLine, Unreadable } from "./source.ts";
import { checkTournament, isTournament } from "./tournament/tournament.ts";
import { OF_TOURNAMENTS, UNCHECKED, type Unchecked } from "./unchecked.ts";

export interface Options {
  /** Receipts from answers of the API; all should belong to this record. */
  readonly receipts?: readonly unknown[];
  /** Receipts of any games. Those of this record are checked, others are ignored. */
  readonly otherReceipts?: readonly unknown[];
  /** The service's public key, in hex, from a trusted source. */
  readonly publicKey?: string;
  /** Called with the progress, a few times a second. */
  readonly onProgress?: (progress: Progress) => void;
  /** A signal that stops the verification: the promise is then rejected with its reason. */
  readonly signal?: AbortSignal;
}

export interface Progress {
  /** The number of bytes that were read, and the size of the file. */
  readonly bytes: number;
  readonly size: number;
  /** The number of events whose hash was checked. */
  readonly events: number;
}

export interface Report {
  /**
   * `failed`: something is wrong; `unreadable`: the file is not a record, or this program cannot
   * read it to its end; `newer`: nothing is wrong, but this program does not know all of it;
   * `open`: nothing is wrong, but some checks cannot be made yet; `sound`: all that can be checked
   * without the rules is right.
   */
  readonly verdict: "failed" | "unreadable" | "newer" | "open" | "sound";
  readonly kind: "game" | "tournament" | null;
  readonly id: string | null;
  /**
   * The number of events that were read (of a tournament, only those of its own stream), and the
   * status to which they lead, if it is known.
   */
  readonly version: number | null;
  readonly status: string | null;
  /** The key that the record claims to be signed with. */
  readonly publicKey: string | null;
  /** Parts of the record that this program does not know. */
  readonly newer: readonly UnknownName[];
  readonly findings: readonly Finding[];
  readonly failures: number;
  /** Number of findings in addition to the 500 that are kept. */
  readonly dropped: number;
  readonly counts: Readonly<Counts>;
  /** The checks that this verifier never makes. */
  readonly unchecked: readonly Unchecked[];
}

/** The names of later formats, whose contents this program does not know. */
const LATER = /^lonja(-tournament)?\/([3-9]|[1-9][0-9]{1,8})$/;

/**
 * Checks the record of a game or a tournament, plain or gzipped.
 *
 * Every fault of the record is a finding; the promise rejects only if the signal stops the check.
 */
export async function verify(record: Blob, options: Options = {}): Promise<Report> {
  const told = new Findings();
  let bytes = 0;
  const progress = () =>
    options.onProgress?.({ bytes, size: record.size, events: told.counts.events });
  const pace = new Pace(progress, options.signal);
  const lines = linesOf(record, (read) => {
    bytes += read;
  });
  try {
    const { value: first } = await lines.next();
    if (!first) told.add("file_empty");
    else await checkAny(first, lines, pace, options, told);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    told.add(error.code, error.place, error.values);
  } finally {
    await lines.return(undefined);
  }
  progress();
  return reportOf(told);
}

async function checkAny(
  first: ReadLine,
  lines: AsyncGenerator<ReadLine>,
  pace: Pace,
  options: Options,
  told: Findings,
): Promise<void> {
  const format = isObject(first.value) ? first.value.export : undefined;
  if (typeof format === "string" && LATER.test(format))
    return told.unknown({ row: first.row }, "$.export", format);
  const kept = new Kept(options.receipts ?? [], options.otherReceipts ?? [], told);
  const check = isTournament(first.value) ? checkTournament : checkRecord;
  const key = await check(first, lines, pace, kept, told);
  told.publicKey = key;
  if (key === null) return;
  if (options.publicKey === undefined) told.once("key_claimed", { key });
  else if (options.publicKey === key) told.once("key_trusted");
  else told.add("key_other", { row: 1 }, { found: key });
  kept.others();
}

/** Checks the record of a game; returns the key that it names, null if it is not a record. */
async function checkRecord(
  first: ReadLine,
  lines: AsyncGenerator<ReadLine>,
  pace: Pace,
  kept: Kept,
  told: Findings,
): Promise<string | null> {
  const header = readHeader(first, told);
  if (header === null) return null;
  told.begin("game", header.game_id);
  const rows = await readRows(header.version, lines, pace);
  const { value: more } = await lines.next();
  if (more) told.add("lines_after", { row: more.row });
  const signed = rows.some(({ value }) => hasSignature(value));
  const isSigned = signed ? (await import("./bls.ts")).isSigned : null;
  const checked = await pace.run(checkGame(header, first.row, rows, told, isSigned));
  told.version = rows.length;
  told.status = checked.status;
  kept.check(header.game_id, header.public_key, checked.lines, checked.events);
  return header.public_key;
}

function reportOf(told: Findings): Report {
  const { failures, newer, dropped, counts, kind, whole, version, status, publicKey } = told;
  const has = (severity: Severity) => told.kept.some((finding) => finding.severity === severity);
  const worst = (["unreadable", "newer", "open"] as const).find(has);
  return {
    verdict: failures > 0 ? "failed" : (worst ?? "sound"),
    kind,
    id: whole,
    version,
    status,
    publicKey,
    newer,
    findings: told.kept,
    failures,
    dropped,
    counts,
    unchecked: kind === "tournament" ? [...UNCHECKED, ...OF_TOURNAMENTS] : UNCHECKED,
  };
}
