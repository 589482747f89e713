/** The lobby: seeking players, tables that wait for some, games to watch, opening a table. */

import { useState } from "preact/hooks";
import { loading } from "../browser/release.ts";
import { go } from "../browser/router.ts";
import { rulesets } from "../browser/service.ts";
import { useTitle } from "../browser/title.ts";
import { RulesetFilter, type Rulesets, StatusFilter } from "../parts/filters.tsx";
import { useAsked, Wait } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import { GameList, type Status } from "./list.tsx";
import { OpenForm } from "./open.tsx";
import { openWords } from "./open_words.ts";

export function Lobby() {
  const words = phrases.value;
  useTitle(words.lobby);
  const preset = location.hash.slice(1);
  const [games, again] = useAsked(() => rulesets.list(), []);
  const [game, setGame] = useState("");
  const [status, setStatus] = useState<Status>("lobby");
  const names: Record<Status, string> = {
    lobby: words.openTables,
    running: words.runningGames,
    ended: words.endedGames,
  };
  return (
    <>
      <h1>{words.lobby}</h1>
      <Wait for={games} again={again}>
        {(found) => (
          <>
            <Seeks games={found} preset={preset} />
            <details class="card" open={preset !== ""}>
              <summary class="button main">{words.openTable}</summary>
              <OpenForm games={found} preset={preset} />
            </details>
            <div class="filters">
              <StatusFilter label={words.lobby} names={names} value={status} set={setStatus} />
              <RulesetFilter games={found} value={game} set={setGame} />
            </div>
            <GameList status={status} game={game} />
          </>
        )}
      </Wait>
      <JoinByLink />
    </>
  );
}

/** Seeking others, whose code is loaded after the lobby. */
function Seeks(about: { games: Rulesets; preset: string }) {
  const [asked, again] = useAsked(() => loading(() => import("./seeks.tsx")), []);
  return (
    <Wait for={asked} again={again}>
      {({ Seeks: Found }) => <Found {...about} />}
    </Wait>
  );
}

function JoinByLink() {
  const [link, setLink] = useState("");
  const [refused, setRefused] = useState<string | null>(null);
  const follow = (event: Event) => {
    event.preventDefault();
    const found =
      /\/games\/[^#\s]+(#\S*)?/.exec(link)?.[0] ??
      (/^[\w-]+$/.test(link.trim()) ? `/games/${link.trim()}` : null);
    setRefused(found ? null : link);
    if (found) go(found);
  };
  return (
    <form class="inline" onSubmit={follow}>
      <label>
        {openWords.value.joinByLink}
        <input
          value={link}
          aria-invalid={refused !== null}
          aria-describedby={refused === null ? undefined : "no-table"}
          onInput={(event) => setLink(event.currentTarget.value)}
        />
      </label>
      <button type="submit">{openWords.value.go}</button>
      {refused !== null && (
        <p id="no-table" class="failed" role="alert">
          {openWords.value.noSuchTable(refused)}
        </p>
      )}
    </form>
  );
}
