// The findings of a verification: sentences, each with its place in the record, and how much was
// checked.

import { SENTENCES, type Severity } from "./sentences.ts";

/** An unknown name, and its event: null for the header or a receipt. */
export interface UnknownName {
  readonly id: string | null;
  readonly version: number | null;
  readonly path: string;
  readonly name: string;
}

/** A fault, something that cannot be checked, or a remark, each with its place. */
export interface Finding {
  readonly severity: Severity;
  readonly code: string;
  /** The id of the game or tournament, null before its header was read. */
  readonly id: string | null;
  /** The number of the event. */
  readonly version: number | null;
  /** The line of the file, counted from 1. */
  readonly line: number | null;
  readonly values: Readonly<Record<string, string | number>>;
  readonly en: string;
  readonly es: string;
}

export interface Counts {
  events: number;
  batches: number;
  commitments: number;
  nonces: number;
  openings: number;
  state_proofs: number;
  draws: number;
  picks: number;
  entropy: number;
  signatures: number;
  /** Moves and keys that seats have signed, and keys that none before has signed. */
  signed: number;
  games: number;
  hidden: number;
}

export interface Place {
  readonly seq?: number;
  readonly row?: number;
}

/**
 * Maximum number of findings that are kept, because a hostile file could have one in each line;
 * further findings are only counted.
 */
const KEPT = 500;
/** Maximum number of unknown names that are reported, each with its first place. */
const NAMED = 20;
const LONGEST = 120;

export class Findings {
  readonly kept: Finding[] = [];
  readonly counts: Counts = {
    events: 0,
    batches: 0,
    commitments: 0,
    nonces: 0,
    openings: 0,
    state_proofs: 0,
    draws: 0,
    picks: 0,
    entropy: 0,
    signatures: 0,
    signed: 0,
    games: 0,
    hidden: 0,
  };
  /** Parts of the record that this program does not know. */
  readonly newer: UnknownName[] = [];
  failures = 0;
  dropped = 0;
  /** The kind of the record; null before its header was read. */
  kind: "game" | "tournament" | null = null;
  whole: string | null = null;
  /** The number of the record's events, and the status to which they lead; null if unknown. */
  version: number | null = null;
  status: string | null = null;
  publicKey: string | null = null;
  /**
   * The id of the game or tournament that the findings are about: in a tournament's record, also
   * one of its games.
   */
  id: string | null = null;
  private readonly told = new Set<string>();
  private readonly named = new Set<string>();

  begin(kind: "game" | "tournament", id: string): void {
    this.kind = kind;
    this.whole = id;
    this.id = id;
  }

  add(
    code: string,
    place: Place = {},
    values: Readonly<Record<string, string | number>> = {},
  ): void {
    const [severity, en, es] = SENTENCES[code] ?? missing(code);
    if (severity === "failure") this.failures += 1;
    if (this.kept.length === KEPT) {
      this.dropped += 1;
      return;
    }
    const short = shortened(values);
    this.kept.push({
      severity,
      code,
      id: this.id,
      version: place.seq ?? null,
      line: place.row ?? null,
      values: short,
      en: filled(en, short),
      es: filled(es, short),
    });
  }

  /** Add an unknown name, unless it was added before. */
  unknown(place: Place, path: string, name: string): void {
    const key = `${path.replace(/\[\d+\]/g, "")}\n${name}`;
    if (this.named.has(key) || this.newer.length === NAMED) return;
    this.named.add(key);
    this.newer.push({ id: this.id, version: place.seq ?? null, path, name });
    this.add("newer", place, { path, name });
  }

  /** Add a finding about the whole record, unless it was added before. */
  once(code: string, values: Readonly<Record<string, string | number>> = {}): void {
    const key = `${this.id}\n${code}`;
    if (this.told.has(key)) return;
    this.told.add(key);
    this.add(code, {}, values);
  }
}

function missing(code: string): never {
  throw new Error(`no sentence for ${code}`);
}

function shortened(values: Readonly<Record<string, string | number>>) {
  const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "string" ? cut(value) : value,
    ]),
  );
}

function filled(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
