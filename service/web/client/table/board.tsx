/** The board of a table: drawn from the shown frame, or from the preview of a move. */

import type { ComponentChildren } from "preact";
import { Described } from "../board/described.tsx";
import { Glance } from "../board/glance.tsx";
import type { ViewShown } from "../board/members.tsx";
import type { Ruleset } from "../board/rulesets.ts";
import { BoardView } from "../board/view.tsx";
import { narrow, oneColumn } from "../browser/screen.ts";
import { settings } from "../browser/settings.ts";
import { dark, glideMs } from "../browser/theme.ts";
import { phrases } from "../phrases/phrases.ts";
import type { Choosing } from "../play/choice.ts";
import { useDrawn, useHighlights } from "../play/drawn.ts";
import { Folded } from "../play/folded.tsx";
import type { Table } from "../play/table.ts";
import { highlighted } from "./log.tsx";
import { Scrubber } from "./scrubber.tsx";

export function BoardPanel({
  table,
  choice,
  ruleset,
  inWords,
  beside,
  after,
}: {
  table: Table;
  choice: Choosing;
  ruleset: Ruleset;
  inWords: (shown: ViewShown) => ComponentChildren;
  beside: ComponentChildren;
  after: ComponentChildren;
}) {
  const frame = table.frame.value;
  const foreseen = choice.preview.value?.state;
  const { view, drawn } = useDrawn(table, choice, ruleset, narrow.value);
  const [highlights, setStop] = useHighlights(choice, ruleset, drawn, highlighted.value);
  const wished = settings.value.larger ?? (narrow.value && ruleset.renderer.narrow === undefined);
  const larger = oneColumn.value && wished;
  const below = (
    <>
      <Scrubber table={table} larger={larger} />
      {view !== null && drawn && (
        <Folded class="described" summary={phrases.value.describe}>
          {() => (
            <Described scene={drawn.scene}>
              {inWords({ ruleset, view, scene: drawn.scene })}
            </Described>
          )}
        </Folded>
      )}
    </>
  );
  if (view === null || drawn === null)
    return (
      <div class="play">
        <div class="stage">
          {view ? inWords({ ruleset, view, scene: null }) : <Unseen begun={frame !== null} />}
          {below}
        </div>
        {beside}
        {after}
      </div>
    );
  return (
    <BoardView
      scene={drawn.scene}
      renderer={ruleset.renderer}
      highlights={highlights}
      dark={dark.value}
      glideMs={glideMs.value}
      leap={drawn.leap}
      name={foreseen ? phrases.value.preview : phrases.value.board}
      onPick={(ref) => choice.point(ref)}
      onStop={setStop}
      larger={larger ? phrases.value.pan : null}
      above={narrow.value && <Glance scene={drawn.scene} renderer={ruleset.renderer} />}
      below={below}
      beside={beside}
      after={after}
    />
  );
}

/** The reason why nothing is drawn yet. */
function Unseen({ begun }: { begun: boolean }) {
  const words = phrases.value;
  return <p class="unseen">{begun ? words.notBegun : words.loading}</p>;
}
