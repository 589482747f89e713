/** The board of a table: drawn from the shown frame, or from the preview of a move. */

import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { Described } from "../board/described.tsx";
import type { Highlights } from "../board/elements.tsx";
import { Glance } from "../board/glance.tsx";
import type { Ruleset } from "../board/rulesets.ts";
import { laidOut, type Scene, sceneOf, type View } from "../board/scene.ts";
import { changed, type Ref, touchedBy } from "../board/targets.ts";
import { BoardView } from "../board/view.tsx";
import { language } from "../browser/language.ts";
import { narrow, oneColumn } from "../browser/screen.ts";
import { settings } from "../browser/settings.ts";
import { dark, glideMs } from "../browser/theme.ts";
import { Folded } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import type { Choosing } from "../play/choice.ts";
import { highlighted } from "./log.tsx";
import { calledName } from "../play/names.ts";
import { Scrubber } from "./scrubber.tsx";
import type { Frame, Table } from "../play/table.ts";

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
  const foreseen = choice.preview.value?.state as View | null | undefined;
  const view = foreseen ?? (frame?.state.state as View | null | undefined) ?? null;
  const viewer = frame?.state.seat ?? null;
  const words = ruleset.words[language.value];
  const names = useMemo(() => table.game.value?.seats.map(calledName) ?? [], [table.game.value]);
  const seq = frame?.seq ?? 0;
  const last = useRef<Drawn | null>(null);
  const layout = useMemo(
    () => ruleset.board && laidOut(ruleset.renderer, ruleset.board, narrow.value),
    [ruleset, narrow.value],
  );
  const drawn = useMemo(() => {
    const { tables } = ruleset;
    if (view === null || layout === null) return null;
    const before = last.current?.scene ?? null;
    const scene = sceneOf(
      { ...layout, tables, words, language: language.value, names },
      view,
      viewer,
      before,
    );
    const touched =
      before && before.view !== view
        ? changed(everything(before), everything(scene))
        : new Set<Ref>();
    const leap = Math.abs(seq - (last.current?.seq ?? 0)) > 1;
    last.current = { scene, touched, seq, leap };
    return last.current;
  }, [ruleset, layout, view, viewer, words, names]);
  const [stop, setStop] = useState<Ref | null>(null);
  const targets = choice.targets.value;
  const told = highlighted.value;
  const highlights = useMemo((): Highlights => {
    const touched = told
      ? new Set(touchedBy(ruleset.elements, told.data as Record<string, unknown>))
      : drawn?.touched;
    return {
      targets: new Map([...targets].map(([ref, { label }]) => [ref, label])),
      chosen: choice.chosen.value,
      touched: touched ?? new Set(),
      stop: stop !== null && targets.has(stop) ? stop : (targets.keys().next().value ?? null),
    };
  }, [targets, choice.chosen.value, drawn, told, stop, ruleset]);
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

interface Drawn {
  readonly scene: Scene;
  readonly touched: ReadonlySet<Ref>;
  readonly seq: number;
  /** Whether events were skipped since the previous drawing. */
  readonly leap: boolean;
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

function everything({ pieces, mats }: Scene) {
  return [...pieces, ...mats.flatMap((mat) => mat.pieces)];
}
