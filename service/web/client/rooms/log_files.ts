/** Reads the files of the public log (docs/format.md): checkpoints, tiles and entries. */

import { H, hex, joined } from "../verify/digests.ts";

const WIDTH = 256;
const HEIGHT = 8;
const HASH = 32;
/** Bytes of a co-signature: the key's id, the time, and the signature. */
const COSIGNED = 4 + 8 + 64;

/** A signature that says when somebody saw a checkpoint. */
export interface Seen {
  readonly name: string;
  readonly at: Date;
}

/** The signed head of a log. Nobody has checked the signatures: only who knows the keys can. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  /** The root, in hex. */
  readonly root: string;
  /** When the log says that this was its newest state. */
  readonly at: Date | null;
  readonly witnesses: readonly Seen[];
  /** The whole note, to be compared with what others got. */
  readonly note: string;
}

/** An entry; a kind of a later release has perhaps no id. */
export interface Leaf {
  readonly number: number;
  readonly kind: string;
  readonly id: string;
  readonly seq: number;
  readonly to?: number;
}

/** Returns a file of the log, by its path below `/log/`; null if there is none. */
export type ReadFile = (path: string) => Promise<Uint8Array | null>;

/** Reads a checkpoint. Throws if it is none. */
export function checkpoint(note: string): Checkpoint {
  const [text = "", signed = ""] = note.split("\n\n", 2);
  const [origin, size, root] = text.split("\n");
  if (!origin || !/^\d+$/.test(size ?? "") || !root) throw new Error(`no checkpoint: ${note}`);
  const seen = signed.split("\n").flatMap((line) => {
    const [dash, name, encoded] = line.split(" ");
    if (dash !== "—" || !name || !encoded) return [];
    const bytes = unbase64(encoded);
    return bytes.length === COSIGNED ? [{ name, at: timeIn(bytes) }] : [];
  });
  return {
    origin,
    size: Number(size),
    root: hex(unbase64(root)),
    at: seen.find(({ name }) => name === `${origin}/time`)?.at ?? null,
    witnesses: seen.filter(({ name }) => name !== `${origin}/time`),
    note,
  };
}

/** Returns the head, in hex, of the first `count` of the `size` leaves whose tiles are served. */
export async function rootOf(count: number, size: number, read: ReadFile): Promise<string> {
  const heads: Uint8Array[] = [];
  for (let first = 0; first < count; ) {
    let level = 0;
    while (first % 2 ** (level + 1) === 0 && first + 2 ** (level + 1) <= count) level += 1;
    heads.push(await subtree(level, first / 2 ** level, size, read));
    first += 2 ** level;
  }
  let head = heads.pop() ?? H(new Uint8Array());
  for (const left of heads.reverse()) head = node(left, head);
  return hex(head);
}

/** Returns the newest entries, at least `most` of them if there are so many, the newest first. */
export async function newest(size: number, most: number, read: ReadFile): Promise<Leaf[]> {
  const found: Leaf[] = [];
  for (let index = Math.ceil(size / WIDTH) - 1; index >= 0 && found.length < most; index -= 1) {
    const width = Math.min(WIDTH, size - index * WIDTH);
    const bytes = await file("tile/entries/", index, width, read);
    const leaves = entries(bytes).slice(0, width);
    found.push(...leaves.map((leaf, place) => leafOf(leaf, index * WIDTH + place)).reverse());
  }
  return found;
}

async function subtree(level: number, index: number, size: number, read: ReadFile) {
  const tileLevel = Math.floor(level / HEIGHT);
  const leaves = 2 ** (level % HEIGHT);
  const first = index * leaves;
  const tile = Math.floor(first / WIDTH);
  const width = Math.min(WIDTH, Math.floor(size / 2 ** (HEIGHT * tileLevel)) - tile * WIDTH);
  const bytes = await file(`tile/${tileLevel}/`, tile, width, read);
  const from = (first - tile * WIDTH) * HASH;
  let row = Array.from({ length: leaves }, (_, place) =>
    bytes.subarray(from + place * HASH, from + (place + 1) * HASH),
  );
  while (row.length > 1)
    row = row.flatMap((left, place) => {
      const right = row[place + 1];
      return place % 2 === 0 && right ? [node(left, right)] : [];
    });
  const [found] = row;
  if (found?.length !== HASH) throw new Error(`tile ${tileLevel}/${tile} is too short`);
  return found;
}

const node = (left: Uint8Array, right: Uint8Array) => H(joined(Uint8Array.of(1), left, right));

/** A partial file may have been replaced by the full one since. */
async function file(folder: string, index: number, width: number, read: ReadFile) {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, "0");
  const parts = padded.match(/.{3}/g) ?? [];
  const path = folder + [...parts.slice(0, -1).map((part) => `x${part}`), parts.at(-1)].join("/");
  const found = (width < WIDTH ? await read(`${path}.p/${width}`) : null) ?? (await read(path));
  if (!found) throw new Error(`${path} is missing`);
  return found;
}

function entries(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const start = at + 2;
    at = start + (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
    found.push(bytes.subarray(start, at));
  }
  return found;
}

function leafOf(entry: Uint8Array, number: number): Leaf {
  const { kind = "", id = "", seq = 0, to } = JSON.parse(new TextDecoder().decode(entry))[2] ?? {};
  return { number, kind, id, seq, to };
}

const unbase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

function timeIn(bytes: Uint8Array): Date {
  const seconds = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(4);
  return new Date(Number(seconds) * 1000);
}
