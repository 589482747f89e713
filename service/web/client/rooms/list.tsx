/** A list of games that is read page by page. */

import { told } from "../api/client.ts";
import { api } from "../browser/service.ts";
import { Pages } from "../parts/pages.tsx";
import { GameRows } from "./rows.tsx";

export type Status = "lobby" | "running" | "ended";
const PAGE = 20;

/** The newest games of this status, of one ruleset or, with "", of all. */
export function GameList({ status, game = "" }: { status: Status; game?: string }) {
  const read = async (cursor?: string) => {
    const query = {
      status,
      limit: PAGE,
      ...(game ? { ruleset: game } : {}),
      ...(cursor ? { cursor } : {}),
    };
    const page = await told(api.GET("/v1/games", { params: { query } }));
    return { rows: page.games, next: page.next_cursor };
  };
  return (
    <Pages key={`${status} ${game}`} read={read}>
      {(games) => <GameRows games={games} />}
    </Pages>
  );
}
