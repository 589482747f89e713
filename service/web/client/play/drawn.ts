/** What is drawn at a table, the shown frame or the preview of a move, and what is marked on it. */

import { useMemo, useRef, useState } from "preact/hooks";
import type { Highlights } from "../board/elements.tsx";
import type { Ruleset } from "../board/rulesets.ts";
import { laidOut, type Scene, sceneOf, type View } from "../board/scene.ts";
import { changed, type Ref, touchedBy } from "../board/targets.ts";
import { useLanguage } from "../words/languages.ts";
import type { Choosing } from "./choice.ts";
import { calledName } from "./names.ts";
import type { Effect, Table } from "./table.ts";

export interface Drawn {
  readonly scene: Scene;
  readonly touched: ReadonlySet<Ref>;
  readonly seq: number;
  /** Whether events were skipped since the previous drawing. */
  readonly leap: boolean;
}

/** The shown position; `drawn` is null if there is no board, or nothing on it yet. */
export interface Position {
  readonly view: View | null;
  readonly drawn: Drawn | null;
}

/** The position that a table shows, or to which the chosen move would lead. */
export function useDrawn(
  table: Table,
  choice: Choosing,
  ruleset: Ruleset,
  narrow: boolean,
): Position {
  const language = useLanguage();
  const frame = table.frame.value;
  const game = table.game.value;
  const foreseen = choice.preview.value?.state as View | null | undefined;
  const view = foreseen ?? (frame?.state.state as View | null | undefined) ?? null;
  const viewer = frame?.state.seat ?? null;
  const words = ruleset.words[language];
  const called = game?.seats.map((seat) => calledName(seat, language)) ?? [];
  // A game that was read again is not drawn again, unless somebody is called otherwise.
  const names = useMemo(() => called, [called.join("\n")]);
  const seq = frame?.seq ?? 0;
  const last = useRef<Drawn | null>(null);
  const layout = useMemo(
    () => ruleset.board && laidOut(ruleset.renderer, ruleset.board, narrow),
    [ruleset, narrow],
  );
  const setting = useMemo(
    () => layout && { ...layout, tables: ruleset.tables, words, language, names },
    [ruleset, layout, words, language, names],
  );
  const drawn = useMemo(() => {
    if (view === null || setting === null) return null;
    const before = last.current?.scene ?? null;
    const scene = sceneOf(setting, view, viewer, before);
    const touched =
      before && before.view !== view
        ? changed(everything(before), everything(scene))
        : new Set<Ref>();
    const leap = !table.follows && Math.abs(seq - (last.current?.seq ?? 0)) > 1;
    last.current = { scene, touched, seq, leap };
    return last.current;
  }, [setting, view, viewer]);
  return { view, drawn };
}

/** The marks on a drawing, and a function that sets which button Tab reaches. */
export function useHighlights(
  choice: Choosing,
  ruleset: Ruleset,
  drawn: Drawn | null,
  told: readonly Effect[],
): [Highlights, (ref: Ref) => void] {
  const [stop, setStop] = useState<Ref | null>(null);
  const targets = choice.targets.value;
  const highlights = useMemo((): Highlights => {
    const named = told.flatMap(({ data }) =>
      touchedBy(ruleset.elements, data as Record<string, unknown>),
    );
    const touched = told.length > 0 ? new Set(named) : drawn?.touched;
    return {
      targets: new Map([...targets].map(([ref, { label }]) => [ref, label])),
      chosen: choice.chosen.value,
      touched: touched ?? new Set(),
      stop: stop !== null && targets.has(stop) ? stop : (targets.keys().next().value ?? null),
    };
  }, [targets, choice.chosen.value, drawn, told, stop, ruleset]);
  return [highlights, setStop];
}

function everything({ pieces, mats }: Scene) {
  return [...pieces, ...mats.flatMap((mat) => mat.pieces)];
}
