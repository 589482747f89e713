/** Texts for values that have no label, and counts of equal texts. */

/** A value as text; the texts for booleans are given. */
export function plain(
  value: unknown,
  { yes, no }: { readonly yes: string; readonly no: string },
): string {
  if (typeof value === "boolean") return value ? yes : no;
  return value === null || value === undefined ? "–" : String(value);
}

/** Joins equal texts that follow each other to one text with a count. */
export function counted(texts: readonly string[]): string[] {
  const runs: [text: string, times: number][] = [];
  for (const text of texts) {
    const last = runs.at(-1);
    if (last?.[0] === text) last[1] += 1;
    else runs.push([text, 1]);
  }
  return runs.map(([text, times]) => (times === 1 ? text : `${times} × ${text}`));
}
