/** The tables of a ruleset's `data`. */

export type Tables = Readonly<Record<string, unknown>>;
export type Row = Readonly<Record<string, unknown>>;

/** The rows of a table; `solo.cards` names a table within an object. */
export function rowsOf(tables: Tables, table: string): readonly Row[] {
  let found: unknown = tables;
  for (const name of table.split(".")) found = (found as Tables | undefined)?.[name];
  return Array.isArray(found) ? found : [];
}

export function rowOf(tables: Tables, table: string, id: string): Row | undefined {
  return rowsOf(tables, table).find((row) => row.id === id);
}

/** The ids of a table's rows; if they have none, the numbers of its slots. */
export function idsOf(tables: Tables, table: string): string[] {
  return rowsOf(tables, table).map((row) => String(row.id ?? row.slot));
}
