// Reads the lines of a record from a file, which is plain or gzipped, with limits.

import { type Json, NotCanonical, read } from "./json.ts";

/** A line's maximum bytes, by the format. */
const MAX_LINE = 4 * 2 ** 20;
/** The maximum unpacked size, because a small gzip file can unpack to an enormous one. */
const MAX_FILE = 2 ** 31;
/**
 * Maximum ratio of unpacked to packed size. Hashes cannot be compressed, so a packed record has
 * more than a quarter of its size.
 */
const UNPACKED = 40;
const TOURNAMENT = '{"export":"lonja-tournament/2"';

/**
 * The reason why a file cannot be read any further: a code of sentences.ts, the line, and details.
 */
export class Unreadable extends Error {
  readonly code: string;
  readonly place: { readonly row?: number };
  readonly values: Readonly<Record<string, string | number>>;

  constructor(
    code: string,
    row: number | null,
    values: Readonly<Record<string, string | number>> = {},
  ) {
    super(`${code} in line ${row}`);
    this.code = code;
    this.place = row === null ? {} : { row };
    this.values = values;
  }
}

export interface ReadLine {
  readonly value: Json;
  readonly row: number;
  /** The bytes of the line, without the line feed. */
  readonly size: number;
}

/**
 * Reads a record line by line; `onBytes` gets the size of each piece of the file.
 *
 * Throws Unreadable.
 */
export async function* linesOf(
  record: Blob,
  onBytes: (bytes: number) => void,
): AsyncGenerator<ReadLine> {
  let row = 1;
  let rest: Uint8Array = new Uint8Array();
  let total = 0;
  for await (const piece of pieces(record, onBytes, () => row)) {
    total += piece.length;
    if (total > UNPACKED * record.size)
      throw new Unreadable("file_unpacked", row, { most: UNPACKED });
    if (total > MAX_FILE) throw new Unreadable("file_size", row, { most: MAX_FILE });
    let start = 0;
    for (;;) {
      const end = piece.indexOf(0x0a, start);
      const tail = piece.subarray(start, end < 0 ? undefined : end);
      if (rest.length + tail.length > MAX_LINE)
        throw new Unreadable("line_size", row, { most: MAX_LINE });
      const bytes = rest.length === 0 ? tail : appended(rest, tail);
      if (end < 0) {
        rest = bytes;
        break;
      }
      yield { value: parsed(bytes, row), row, size: bytes.length };
      rest = new Uint8Array();
      row += 1;
      start = end + 1;
    }
  }
  if (rest.length > 0) throw new Unreadable("line_end", row);
}

function parsed(bytes: Uint8Array, row: number): Json {
  let line: string;
  try {
    line = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Unreadable("line_utf8", row);
  }
  try {
    return read(line, { figures: row === 1 && line.startsWith(TOURNAMENT) });
  } catch (error) {
    if (!(error instanceof NotCanonical)) throw error;
    throw new Unreadable(codeOf(error, line), row, { column: error.column });
  }
}

/**
 * If the text is JSON, the code says that it is not canonical; if not, that the file is no record.
 */
function codeOf(error: NotCanonical, line: string): string {
  try {
    JSON.parse(line);
  } catch {
    return "json_syntax";
  }
  return error.code === "json_syntax" ? "json_space" : error.code;
}

async function* pieces(
  record: Blob,
  onBytes: (bytes: number) => void,
  row: () => number,
): AsyncGenerator<Uint8Array> {
  const magic = new Uint8Array(await record.slice(0, 2).arrayBuffer());
  const gzipped = magic[0] === 0x1f && magic[1] === 0x8b;
  const counted = record.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        onBytes(piece.length);
        controller.enqueue(piece);
      },
    }),
  );
  const stream = gzipped ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw new Unreadable("file_read", row(), { found: String(error) });
      });
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function appended(one: Uint8Array, other: Uint8Array): Uint8Array {
  const made = new Uint8Array(one.length + other.length);
  made.set(one);
  made.set(other, one.length);
  return made;
}
