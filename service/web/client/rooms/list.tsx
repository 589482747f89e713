/** A list of games that is read page by page. */

import { useState } from "preact/hooks";
import { type Schemas, told } from "../api/client.ts";
import { api } from "../browser/service.ts";
import { Failed, useAsked, Wait } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import { GameRows } from "./rows.tsx";

export type Status = "lobby" | "running" | "ended";
const PAGE = 20;

/** The newest games of this status, of one ruleset or, with "", of all. */
export function GameList({ status, game = "" }: { status: Status; game?: string }) {
  const [pages, setPages] = useState<Schemas["GameSummary"][]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const read = async (from: string | null) => {
    const query = {
      status,
      limit: PAGE,
      ...(game ? { ruleset: game } : {}),
      ...(from ? { cursor: from } : {}),
    };
    const page = await told(api.GET("/v1/games", { params: { query } }));
    setCursor(page.next_cursor);
    return page.games;
  };
  const [asked, again] = useAsked(() => read(null), [status, game]);
  const more = () =>
    read(cursor).then(
      (found) => setPages([...pages, ...found]),
      (problem) => setError(problem),
    );
  return (
    <Wait for={asked} again={again}>
      {(first) => (
        <>
          <GameRows games={[...first, ...pages]} />
          {cursor !== null && (
            <button type="button" onClick={more}>
              {phrases.value.more}
            </button>
          )}
          {error !== null && <Failed error={error} />}
        </>
      )}
    </Wait>
  );
}
