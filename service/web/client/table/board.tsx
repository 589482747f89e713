/** The board of a table: drawn from the shown frame, or from the preview of a move. */

import type { ComponentChildren } from "preact";
import { Described } from "../board/described.tsx";
import { Glance } from "../board/glance.tsx";
import type { Ruleset } from "../board/rulesets.ts";
import type { View } from "../board/scene.ts";
import { BoardView } from "../board/view.tsx";
import { narrow, oneColumn } from "../browser/screen.ts";
import { settings } from "../browser/settings.ts";
import { dark, glideMs } from "../browser/theme.ts";
import { phrases } from "../phrases/phrases.ts";
import type { Choosing } from "../play/choice.ts";
import { useDrawn, useHighlights } from "../play/drawn.ts";
import { Folded } from "../play/folded.tsx";
import type { Frame, Table } from "../play/table.ts";
import { highlighted } from "./log.tsx";
import { Scrubber } from "./scrubber.tsx";

export function BoardPanel({
  table,
  choice,
  ruleset,
  beside,
  after,
}: {
  table: Table;
  choice: Choosing;
  ruleset: Ruleset;
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
          {() => <Described ruleset={ruleset} view={view} scene={drawn.scene} />}
        </Folded>
      )}
    </>
  );
  if (view === null || drawn === null)
    return (
      <div class="play">
        <div class="stage">
          <Unseen frame={frame} ruleset={ruleset} view={view} />
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

/** The content without a board: words, or that there is nothing to draw yet. */
function Unseen({
  frame,
  ruleset,
  view,
}: {
  frame: Frame | null;
  ruleset: Ruleset;
  view: View | null;
}) {
  const words = phrases.value;
  if (view) return <Described ruleset={ruleset} view={view} />;
  return <p class="unseen">{frame ? words.notBegun : words.loading}</p>;
}
