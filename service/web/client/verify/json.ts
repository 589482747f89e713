// Reads and writes canonical JSON (docs/format.md); it reads strictly, so that no two programs can
// read different values.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object without a prototype, so that no key, not even `__proto__`, has a special meaning. */
export type JsonObject = { readonly [key: string]: Json };

/** Maximum depth: far more than any record has. A recursive reader needs such a limit. */
const MAX_DEPTH = 200;
const KEY = /^[a-z0-9_]+$/;
const INTEGER = /-?(?:0|[1-9][0-9]*)(?![0-9.eE])/y;
const FRACTION = /-?(?:0|[1-9][0-9]*)\.[0-9]+(?![0-9.eE])/y;

/** Why a text is not canonical JSON: a code of sentences.ts, and the column, counted from 1. */
export class NotCanonical extends Error {
  readonly code: string;
  readonly column: number;

  constructor(code: string, column: number) {
    super(`${code} in column ${column}`);
    this.code = code;
    this.column = column;
  }
}

/**
 * Parses one canonical value. With `figures`, which is for a tournament's header, fractions are
 * allowed, and any keys in any order.
 *
 * Throws NotCanonical.
 */
export function read(text: string, { figures = false } = {}): Json {
  const reader = new Reader(text, figures);
  const value = reader.value(0);
  reader.end();
  return value;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Writes a value in canonical form. */
export function write(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${write(value[key] as Json)}`).join(",")}}`;
}

class Reader {
  private at = 0;
  private readonly text: string;
  private readonly figures: boolean;

  constructor(text: string, figures: boolean) {
    this.text = text;
    this.figures = figures;
  }

  value(depth: number): Json {
    if (depth > MAX_DEPTH) this.fail("json_depth");
    switch (this.text[this.at]) {
      case "{":
        return this.object(depth);
      case "[":
        return this.array(depth);
      case '"':
        return this.string();
      case "t":
        return this.word("true", true);
      case "f":
        return this.word("false", false);
      case "n":
        return this.word("null", null);
      default:
        return this.number();
    }
  }

  end(): void {
    if (this.at !== this.text.length) this.fail("json_syntax");
  }

  private object(depth: number): JsonObject {
    const made: Record<string, Json> = Object.create(null);
    let before = "";
    this.at += 1;
    if (this.took("}")) return made;
    do {
      const start = this.at;
      const key = this.key(before);
      if (key in made) this.fail("json_twice", start);
      if (!this.took(":")) this.fail("json_syntax");
      made[key] = this.value(depth + 1);
      before = key;
    } while (this.took(","));
    if (!this.took("}")) this.fail("json_syntax");
    return made;
  }

  /** Keys are not empty, so "" comes before the first key. */
  private key(before: string): string {
    const start = this.at;
    if (this.text[start] !== '"') this.fail("json_syntax");
    const key = this.string();
    if (this.figures) return key;
    if (!KEY.test(key)) this.fail("json_key", start);
    if (key < before) this.fail("json_order", start);
    return key;
  }

  private array(depth: number): Json[] {
    const made: Json[] = [];
    this.at += 1;
    if (this.took("]")) return made;
    do made.push(this.value(depth + 1));
    while (this.took(","));
    if (!this.took("]")) this.fail("json_syntax");
    return made;
  }

  private string(): string {
    const start = this.at;
    let plain = true;
    for (this.at += 1; ; this.at += 1) {
      const code = this.text.charCodeAt(this.at);
      if (code === 0x22) break;
      if (Number.isNaN(code) || code < 0x20) this.fail("json_string");
      if (code === 0x5c) {
        plain = false;
        this.at += 1;
      }
    }
    this.at += 1;
    return plain
      ? this.text.slice(start + 1, this.at - 1)
      : this.unescaped(this.text.slice(start, this.at), start);
  }

  /** Only one form of escapes is canonical: that of JSON.stringify. */
  private unescaped(quoted: string, start: number): string {
    let value = "";
    try {
      value = JSON.parse(quoted);
    } catch {
      this.fail("json_string", start);
    }
    if (JSON.stringify(value) !== quoted || /\p{Surrogate}/u.test(value))
      this.fail("json_string", start);
    return value;
  }

  private number(): number {
    const found = this.match(INTEGER) ?? (this.figures ? this.match(FRACTION) : null);
    const value = Number(found);
    if (found === null || found === "-0" || Math.abs(value) > Number.MAX_SAFE_INTEGER)
      this.fail(/[-0-9]/.test(this.text[this.at] ?? "") ? "json_number" : "json_syntax");
    this.at += found.length;
    return value;
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail("json_syntax");
    this.at += word.length;
    return value;
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0] ?? null;
  }

  private took(sign: string): boolean {
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  private fail(code: string, at: number = this.at): never {
    throw new NotCanonical(code, at + 1);
  }
}
