/** Links to a finished game and to its moments, and the tag that embeds it. */

import { Copyable, CopyableCode } from "../parts/parts.tsx";
import type { Table } from "../play/table.ts";
import { scoreWords } from "./score_words.ts";

export function Share({ table }: { table: Table }) {
  const words = scoreWords.value;
  const game = table.game.value;
  const here = `${location.origin}/games/${table.id}`;
  const isPast = !table.following.value;
  const tag = `<lonja-game service="${location.origin}" game="${table.id}"></lonja-game>`;
  return (
    <section class="share" aria-labelledby="share">
      <h2 id="share">{words.share}</h2>
      <h3>{isPast ? words.linkAt(table.wanted.value) : words.link}</h3>
      <Copyable
        text={isPast ? `${here}#v=${table.wanted.value}` : here}
        label={isPast ? words.linkAt(table.wanted.value) : words.link}
      />
      {game?.table.visibility !== "private" && (
        <>
          <h3>{words.embed}</h3>
          <CopyableCode text={tag} />
          <p class="quiet">
            {words.embedIs} <a href="/docs/api/embed">{words.how}</a>
          </p>
        </>
      )}
    </section>
  );
}
