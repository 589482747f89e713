/** Reads the events of a table that its stream has not brought: who moved, when, and what stopped. */

import { type Schemas, told } from "../api/client.ts";
import type { Past } from "../play/happenings.ts";
import type { Table } from "../play/table.ts";

const PAGE = 1000;

/** After a failure, the log has its lines without who moved, and when. */
export async function readHappenings(table: Table): Promise<void> {
  const found: Past[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: Schemas["EventPage"] | string = await told(
      table.viewer.service.api.GET("/v1/games/{game_id}/events", {
        params: { path: { game_id: table.id }, query: { after, limit: PAGE } },
      }),
    );
    if (typeof page === "string") return;
    for (const { seq, at, kind, by, body } of page.events) found.push({ seq, at, kind, by, body });
    after = page.next_after;
  }
  const last = found.at(-1)?.seq ?? 0;
  const newer = table.past.peek().filter(({ seq }) => seq > last);
  table.past.value = [...found, ...newer];
}
