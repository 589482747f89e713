/** A table: the board, what one may do, what happened, and who plays. It is also the replay. */

import { useEffect, useMemo } from "preact/hooks";
import { cutSince } from "../api/stream.ts";
import { Failed } from "../app/parts.tsx";
import { Announcer } from "../table/announcer.tsx";
import { BoardPanel } from "../table/board.tsx";
import { Choosing } from "../table/choice.ts";
import { Chooser } from "../table/chooser.tsx";
import { useTableKeys } from "../table/keys.ts";
import { LobbyPanel } from "../table/lobby.tsx";
import { Log } from "../table/log.tsx";
import { Result } from "../table/result.tsx";
import { Seats } from "../table/seats.tsx";
import { useTurnSignals } from "../table/signals.ts";
import { Table } from "../table/table.ts";
import { language } from "../words/language.ts";
import { phrases } from "../words/phrases.ts";

/** The event that the address names: `#v=123`. */
function versionInAddress(): number | null {
  const found = /(?:^#|&)v=(\d+)/.exec(location.hash);
  return found ? Number(found[1]) : null;
}

export function TableRoom({ id }: { id: string }) {
  const table = useMemo(() => new Table(id), [id]);
  const choice = useMemo(() => new Choosing(table), [table]);
  useEffect(() => {
    void table.open(versionInAddress());
    const moved = () => {
      const at = versionInAddress();
      if (at !== null && table.newest.peek() > 0) table.go(at);
    };
    addEventListener("hashchange", moved);
    return () => {
      removeEventListener("hashchange", moved);
      choice.close();
      table.close();
    };
  }, [table]);
  useTableKeys(table, choice);
  useTurnSignals(table);
  const words = phrases.value;
  const game = table.game.value;
  const ruleset = table.ruleset.value;
  if (table.error.value !== null)
    return <Failed error={table.error.value} again={() => location.reload()} />;
  if (!game || !ruleset) return <p class="quiet">{words.loading}</p>;
  const title = ruleset.titles[language.value] ?? ruleset.id;
  return (
    <div
      class="table"
      data-status={game.status}
      data-shown={table.shown.value}
      data-newest={table.newest.value}
    >
      <header class="table-head">
        <h1>{game.table.title ?? title}</h1>
        <p class="quiet">
          {game.table.title && `${title} · `}
          {words.status[game.status]} · <a href={`/rules/${game.ruleset}`}>{words.rules}</a>
        </p>
      </header>
      {cutSince.value !== null && !table.over.value && (
        <p class="banner" role="status">
          {words.cut}
        </p>
      )}
      {game.suspended_since && <p class="banner">{words.suspended}</p>}
      {game.status === "lobby" || game.status === "closed" || game.version < 1 ? (
        <LobbyPanel table={table} game={game} ruleset={ruleset} />
      ) : (
        <BoardPanel
          table={table}
          choice={choice}
          ruleset={ruleset}
          beside={
            <div class="side first">
              <Result table={table} game={game} ruleset={ruleset} />
              <Chooser table={table} choice={choice} ruleset={ruleset} />
            </div>
          }
          after={
            <div class="side">
              <Seats table={table} game={game} ruleset={ruleset} />
              <Log table={table} ruleset={ruleset} />
            </div>
          }
        />
      )}
      <Announcer table={table} />
    </div>
  );
}
