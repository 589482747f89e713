/** Rows that are read page by page. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { phrases } from "../phrases/phrases.ts";
import { Doing, useAsked, Wait } from "./parts.tsx";

/** `next` is the cursor of the page after this one; null if it is the last. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** Shows the rows of the first page, and a button that adds those of the next. */
export function Pages<Row>({
  read,
  children,
}: {
  read: (cursor?: string) => Promise<Page<Row>>;
  children: (rows: readonly Row[], areAll: boolean) => ComponentChildren;
}) {
  const [asked, again] = useAsked(() => read(), []);
  const [later, setLater] = useState<Page<Row> | null>(null);
  return (
    <Wait for={asked} again={again}>
      {(first) => {
        const { next } = later ?? first;
        const added = later?.rows ?? [];
        const add = async (cursor: string) => {
          const page = await read(cursor);
          setLater({ rows: [...added, ...page.rows], next: page.next });
        };
        return (
          <>
            {children([...first.rows, ...added], next === null)}
            {next !== null && <Doing does={() => add(next)}>{phrases.value.more}</Doing>}
          </>
        );
      }}
    </Wait>
  );
}
