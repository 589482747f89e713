/**
 * A ruleset's labels in one language, and how their templates are filled in, as docs/api/table.md,
 * "Words", defines it.
 */

export type Words = Readonly<Record<string, string>>;
export type Values = Readonly<Record<string, unknown>>;

/** A part of a filled label: words of the template, or what stands in one of its holes. */
export interface Part {
  readonly text: string;
  /** The name of the value in the hole; null for words of the template. */
  readonly value: string | null;
  /** The vocabulary and the id that the text is a name of, if it is one. */
  readonly vocabulary?: string;
  readonly id?: string;
}

/** Fills in the label `key` with these values. If there is no such label, returns the key. */
export function say(words: Words, key: string, values: Values = {}): string {
  return textOf(partsOf(words, key, values));
}

/** The parts of the filled label `key`: joined, they are what `say` returns. */
export function partsOf(words: Words, key: string, values: Values = {}): Part[] {
  const template = words[key];
  if (template === undefined) return [plain(key)];
  return template
    .split(/\[(.*?)\]/) // every second part stood in brackets
    .flatMap((part, index) =>
      index % 2 === 1 && !allThere(part, values) ? [] : filled(words, part, values),
    );
}

function plain(text: string): Part {
  return { text, value: null };
}

function textOf(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join("");
}

const HOLE = /\{([^{}:]+)(?::(\{[^{}]*\}|[^{}]*))?\}/g;
const NESTED = /^\{(\w+):(\w+)\}$/;

function filled(words: Words, part: string, values: Values): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: hole, 1: name = "", 2: how = "", index } of part.matchAll(HOLE)) {
    if (index > end) parts.push(plain(part.slice(end, index)));
    for (const one of said(words, values[name], how, values)) parts.push({ ...one, value: name });
    end = index + hole.length;
  }
  return end < part.length ? [...parts, plain(part.slice(end))] : parts;
}

function allThere(part: string, values: Values): boolean {
  return [...part.matchAll(HOLE)].every(([, name = "", how = ""]) => {
    const value = values[name];
    if (typeof value === "number") return value !== 0 || namesSomething(how);
    if (Array.isArray(value)) return value.length > 0;
    if (value !== null && typeof value === "object") return Object.keys(value).length > 0;
    return Boolean(value);
  });
}

function namesSomething(how: string): boolean {
  return how !== "" && !/[|{+]/.test(how);
}

function said(words: Words, value: unknown, how: string, values: Values): Part[] {
  const [, of = "", vocabulary = ""] = NESTED.exec(how) ?? [];
  if (vocabulary) {
    const id = String(values[of]);
    return [{ ...plain(several(words[`${vocabulary}.${id}`] ?? "|", value)), vocabulary, id }];
  }
  if (how.includes("|")) return [plain(several(how, value))];
  if (how === "+") return [plain(Number(value) < 0 ? `${value}` : `+${value}`)];
  if (how === "") return listed(items(value).map(String).map(plain), words);
  if (how.startsWith("each ")) {
    const owner = how.slice("each ".length);
    const each = items(value).map((item, index) => {
      const id = String(index);
      return { ...plain(`${words[`${owner}.${id}`] ?? id} ${item}`), vocabulary: owner, id };
    });
    return listed(each, words);
  }
  return named(words, value, how);
}

function named(words: Words, value: unknown, vocabulary: string): Part[] {
  const word = (id: string) => words[`${vocabulary}.${id}`] ?? id;
  const found = value === null || value === undefined ? [] : items(value);
  if (found.length === 0) return [plain(words[`${vocabulary}.none`] ?? "")];
  const counted: [id: string, count: number][] = [];
  for (const id of found.map(idOf)) {
    const last = counted.at(-1);
    if (last?.[0] === id) last[1] += 1;
    else counted.push([id, 1]);
  }
  const each = counted.map(([id, count]) => ({
    ...plain(several(word(id), count)),
    vocabulary,
    id,
  }));
  return listed(each, words);
}

/**
 * A number followed by the singular or the plural; if a label has only one form, it is used for
 * both.
 */
function several(word: string, count: unknown): string {
  const [one, many] = word.split("|");
  if (many !== undefined) return `${count} ${count === 1 ? one : many}`;
  return count === 1 ? word : `${count} × ${word}`;
}

/**
 * Texts joined with commas, and with the label for "and" before the last one; in Spanish it is "e"
 * before an i.
 */
export function joined(said: readonly string[], words: Words): string {
  return textOf(listed(said.map(plain), words));
}

function listed(said: readonly Part[], words: Words): Part[] {
  const last = said.at(-1)?.text ?? "";
  const and = words[/^(i|hi(?![aeo]))/i.test(last) ? "list.and_i" : "list.and"];
  return said.flatMap((one, index) => {
    if (index === 0) return [one];
    const isLast = index === said.length - 1;
    return [plain(isLast && and ? ` ${and} ` : ", "), one];
  });
}

function items(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (value !== null && typeof value === "object")
    return Object.entries(value).flatMap(([id, count]) => Array(Number(count)).fill(id));
  return [value];
}

function idOf(value: unknown): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}

/** Vocabularies that contain sentences, not the names of ids. */
const SAYING = /^(move|help|group|field|effect|error|shown|told|text|decision)\./;

/**
 * The name of an id from the first of these vocabularies that has one, or else the only name that
 * any vocabulary has for it; null if there is none. A template with values is no name of an id. If
 * a name has a singular and a plural, the singular is used.
 */
export function wordOf(words: Words, id: string, ...vocabularies: string[]): string | null {
  for (const vocabulary of vocabularies) {
    const word = words[`${vocabulary}.${id}`]?.split("|")[0];
    if (word && !word.includes("{")) return word;
  }
  const found = new Set<string>();
  for (const [key, word] of Object.entries(words))
    if (key.replace(/.*?\./, "") === id && !SAYING.test(key) && !/[{|]/.test(word)) found.add(word);
  const [only = null, another] = found;
  return another ? null : only;
}
