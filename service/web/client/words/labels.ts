/**
 * A ruleset's labels in one language, and how their templates are filled in, as docs/api/table.md,
 * "Words", defines it.
 */

export type Words = Readonly<Record<string, string>>;
export type Values = Readonly<Record<string, unknown>>;

/** Fills in the label `key` with these values. If there is no such label, returns the key. */
export function say(words: Words, key: string, values: Values = {}): string {
  const template = words[key];
  if (template === undefined) return key;
  return template
    .split(/\[(.*?)\]/) // every second part stood in brackets
    .map((part, index) =>
      index % 2 === 1 && !allThere(part, values) ? "" : filled(words, part, values),
    )
    .join("");
}

const HOLE = /\{([^{}:]+)(?::(\{[^{}]*\}|[^{}]*))?\}/g;
const NESTED = /^\{(\w+):(\w+)\}$/;

function filled(words: Words, part: string, values: Values): string {
  return part.replace(HOLE, (_, name: string, how = "") => said(words, values[name], how, values));
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

function said(words: Words, value: unknown, how: string, values: Values): string {
  const nested = NESTED.exec(how);
  if (nested) return several(words[`${nested[2]}.${values[nested[1] ?? ""]}`] ?? "|", value);
  if (how.includes("|")) return several(how, value);
  if (how === "+") return Number(value) < 0 ? `${value}` : `+${value}`;
  if (how === "") return joined(items(value).map(String), words);
  if (how.startsWith("each ")) {
    const owner = how.slice("each ".length);
    return joined(
      items(value).map((item, id) => `${words[`${owner}.${id}`] ?? id} ${item}`),
      words,
    );
  }
  return named(words, value, how);
}

function named(words: Words, value: unknown, vocabulary: string): string {
  const word = (id: string) => words[`${vocabulary}.${id}`] ?? id;
  const found = value === null || value === undefined ? [] : items(value);
  if (found.length === 0) return words[`${vocabulary}.none`] ?? "";
  const counted: [id: string, count: number][] = [];
  for (const id of found.map(idOf)) {
    const last = counted.at(-1);
    if (last?.[0] === id) last[1] += 1;
    else counted.push([id, 1]);
  }
  return joined(
    counted.map(([id, count]) => several(word(id), count)),
    words,
  );
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
  const last = said.at(-1) ?? "";
  if (said.length < 2) return last;
  const and = words[/^(i|hi(?![aeo]))/i.test(last) ? "list.and_i" : "list.and"];
  return said.slice(0, -1).join(", ") + (and ? ` ${and} ` : ", ") + last;
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
