/** A ruleset's words in one language, filled in as docs/api/board.md, "Words", says. */

export type Words = Readonly<Record<string, string>>;
export type Values = Readonly<Record<string, unknown>>;

/** Say the label `key` with these values; a key that is not there is said as it is. */
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

const HOLE = /\{([^{}:]+)(?::([^{}]*))?\}/g;

function filled(words: Words, part: string, values: Values): string {
  return part.replace(HOLE, (_, name: string, how = "") => said(words, values[name], how));
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
  return how !== "" && how !== "+" && !how.includes("|");
}

function said(words: Words, value: unknown, how: string): string {
  if (how.includes("|")) {
    const [one, many] = how.split("|");
    return `${value} ${value === 1 ? one : many}`;
  }
  if (how === "+") return Number(value) < 0 ? `${value}` : `+${value}`;
  if (how === "") return items(value).map(String).join(", ");
  if (how.startsWith("each ")) {
    const owner = how.slice("each ".length);
    return items(value)
      .map((item, id) => `${words[`${owner}.${id}`] ?? id} ${item}`)
      .join(", ");
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
  return counted
    .map(([id, count]) => (count === 1 ? word(id) : `${count} × ${word(id)}`))
    .join(", ");
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
