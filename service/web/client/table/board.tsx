/** The board of a table: drawn from the shown frame, or from the preview of a move. */

import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { Described } from "../board/described.tsx";
import { Glance, numbered } from "../board/glance.tsx";
import type { ViewShown } from "../board/members.tsx";
import type { Ruleset } from "../board/rulesets.ts";
import type { Scene } from "../board/scene.ts";
import type { Owner } from "../board/standing.ts";
import { BoardView } from "../board/view.tsx";
import { enlarged, handheld, narrow, oneColumn, size } from "../browser/screen.ts";
import { choose, settings } from "../browser/settings.ts";
import { dark, glideMs } from "../browser/theme.ts";
import { phrases } from "../phrases/phrases.ts";
import type { Choosing } from "../play/choice.ts";
import { useDrawn, useHighlights } from "../play/drawn.ts";
import { finalPoints } from "../play/final.ts";
import { Folded } from "../play/folded.tsx";
import type { Table } from "../play/table.ts";
import { arrange, gridOf } from "./arrangement.ts";
import { highlighted } from "./highlighted.ts";
import { useAddress, useAutoplay } from "./moments.ts";

export function BoardPanel({
  table,
  choice,
  ruleset,
  inWords,
  replay,
  beside,
  after,
}: {
  table: Table;
  choice: Choosing;
  ruleset: Ruleset;
  inWords: (shown: ViewShown) => ComponentChildren;
  /** The replay; null while nobody asks for it. */
  replay: ComponentChildren;
  beside: ComponentChildren;
  after: ComponentChildren;
}) {
  const frame = table.frame.value;
  const foreseen = choice.preview.value?.state;
  const { narrow: layout, touch } = ruleset.renderer;
  const forFingers = handheld.value && touch !== undefined;
  const wished = settings.value.larger ?? (forFingers || (narrow.value && layout === undefined));
  const isNarrow = narrow.value && !(forFingers && wished);
  const { view, drawn } = useDrawn(table, choice, ruleset, isNarrow);
  const [highlights, setStop] = useHighlights(choice, ruleset, drawn, highlighted.value);
  const final = finalPoints(table);
  const arrangement = useArrangement(drawn?.scene ?? null, replay !== null, final !== null);
  const larger = arrangement === null && oneColumn.value && wished;
  useAddress(table);
  useAutoplay(table);
  useEffect(() => toMat(drawn?.scene.viewer), [table.legal.value]);
  const below = (
    <>
      {oneColumn.value && !arrangement && (
        <button
          type="button"
          class="enlarge"
          aria-pressed={larger}
          onClick={() => choose({ larger: !larger })}
        >
          {phrases.value.larger}
        </button>
      )}
      {replay}
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
      larger={larger ? { hint: phrases.value.pan, scale: forFingers ? touch : 1 } : null}
      grid={arrangement && gridOf(arrangement)}
      above={
        (arrangement || narrow.value) && (
          <Glance
            scene={drawn.scene}
            renderer={ruleset.renderer}
            final={foreseen ? null : final}
            onLook={look}
          />
        )
      }
      below={below}
      beside={beside}
      after={after}
    />
  );
}

/** The least windows in which everything that a decision needs is seen at once: a desk's, a tablet's. */
const LEAST = [
  [1024, 700],
  [768, 1000],
] as const;
/** Larger letters leave no room for the board. */
const MOST_ENLARGED = 1.5;
/** What `style/arranged.css` leaves around the table: the margins, head and foot, and the replay. */
const [SIDES, HEAD, REPLAY] = [40, 88, 56];

/** Where the panels of a table stand in the window; null in a small one, or without mats. */
function useArrangement(scene: Scene | null, replays: boolean, ended: boolean) {
  const [width, height] = size.value;
  const { board, mats } = scene ?? {};
  const numbers = (scene ? numbered(scene).length : 0) + Number(ended);
  return useMemo(() => {
    const isLarge = LEAST.some(([across, down]) => width >= across && height >= down);
    if (!board?.mat || !mats || !isLarge || enlarged > MOST_ENLARGED) return null;
    const room = [width - SIDES, height - HEAD - (replays ? REPLAY : 0)] as const;
    const players = mats.length;
    const panels = { board: board.size, mat: board.mat.size, players, numbers, replays };
    return arrange(room, { ...panels, enlarged });
  }, [width, height, board, mats?.length, numbers, replays]);
}

/** Shows a mat, which may be scrolled away. */
function look(owner: Owner): void {
  toMat(owner);
  matOf(owner)?.scrollIntoView({ block: "nearest" });
}

/** Shows a mat first in the panel of the mats, which scrolls by itself. */
function toMat(owner: Owner | null | undefined): void {
  const mat = matOf(owner);
  const mats = mat?.closest<HTMLElement>(".arranged > .mats");
  if (mat && mats) mats.scrollTop = mat.offsetTop - mats.offsetTop;
}

function matOf(owner: Owner | null | undefined) {
  return document.querySelector<HTMLElement>(`.mat[data-owner="${owner}"]`);
}

/** The reason why nothing is drawn yet. */
function Unseen({ begun }: { begun: boolean }) {
  const words = phrases.value;
  return <p class="unseen">{begun ? words.notBegun : words.loading}</p>;
}
