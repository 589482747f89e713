/**
 * A first game that is led by the hand: each step points to what it speaks of, and waits until the
 * player has done it. The player may do anything else, and leave the lesson at any time.
 */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Ruleset } from "../board/rulesets.ts";
import { adopt } from "../board/sheets.ts";
import { language } from "../browser/language.ts";
import { useAsked } from "../parts/parts.tsx";
import { happeningOf } from "../play/happenings.ts";
import type { Table } from "../play/table.ts";
import style from "../style/first_game.css" with { type: "text" };
import { readFirstGame } from "./first_game_document.ts";
import { firstGameWords } from "./first_game_words.ts";
import { keepProgress, progressOf } from "./led.ts";
import { Pointer } from "./pointer.tsx";
import { after, finish, type Progress, type Question, type Step, stepNow } from "./steps.ts";

adopt(document, style);

/** The steps of a table that is a first game; nothing at any other table. */
export function FirstGame({ table, ruleset }: { table: Table; ruleset: Ruleset }) {
  const [progress, setProgress] = useState(() => progressOf(table.id));
  const go = (to: Progress | null) => {
    keepProgress(table.id, to);
    setProgress(to ?? undefined);
  };
  return progress ? <Lesson {...{ table, ruleset, progress, go }} /> : null;
}

interface Taught {
  readonly table: Table;
  readonly progress: Progress;
  /** Goes on; null ends the lesson. */
  readonly go: (to: Progress | null) => void;
}

function Lesson({ ruleset: { id }, ...taught }: Taught & { ruleset: Ruleset }) {
  const [asked] = useAsked(() => readFirstGame(id), [id]);
  const over = taught.table.over.value;
  useEffect(() => {
    if (over) taught.go(null);
  }, [over]);
  return asked.state === "here" ? <Steps {...taught} steps={asked.value.steps} /> : null;
}

function Steps({ table, steps, progress, go }: Taught & { steps: readonly Step[] }) {
  const words = firstGameWords.value;
  const question = useQuestion(table);
  const now = stepNow(steps, progress, question);
  useMoves(table, question ? now : null, (index, type) => {
    go(after(steps, progress, index, type));
  });
  const step = now === null ? null : steps[now];
  const isLast = progress.done.length === steps.length;
  const said =
    step?.text[language.value] ?? (isLast ? words.end : question ? words.free : words.watch);
  return (
    <section class="first-game" aria-labelledby="first-game" data-step={now ?? undefined}>
      <h2 id="first-game">
        {words.firstGame}
        {!isLast && (
          <small class="quiet"> {words.step(progress.done.length + 1, steps.length)}</small>
        )}
      </h2>
      <p role="status">{said}</p>
      <p class="actions">
        {now !== null && (
          <button type="button" data-go-on onClick={() => go(finish(progress, now))}>
            {step?.question ? words.skip : words.go}
          </button>
        )}{" "}
        <button type="button" class="plain" data-leave onClick={() => go(null)}>
          {words.leave}
        </button>
      </p>
      {step && <Pointer key={now} at={step.at} viewer={table.frame.value?.state.seat ?? null} />}
    </section>
  );
}

/** The question that the player can answer now; null if there is none. */
function useQuestion(table: Table): Question | null {
  const own = table.own.value;
  const open = table.frame.value?.state.decisions.find(({ seat }) => own.includes(seat));
  const moves = table.legal.value?.moves;
  return open && moves ? { name: open.name, types: moves.map(({ type }) => type) } : null;
}

/** Tells each move that the player makes, with the step that was shown when the question was open. */
function useMoves(
  table: Table,
  now: number | null,
  tell: (index: number, type: string | null) => void,
): void {
  const seen = useRef<number | null>(null);
  const shown = useRef<number | null>(null);
  const past = table.past.value;
  useEffect(() => {
    const newest = past.at(-1)?.seq ?? table.newest.peek();
    const own = table.own.peek();
    const before = seen.current ?? newest;
    seen.current = newest;
    const move = past
      .filter(({ seq }) => seq > before)
      .map(happeningOf)
      .find(({ kind, seat }) => kind === "moved" && seat !== null && own.includes(seat));
    if (move && shown.current !== null) tell(shown.current, move.type);
    if (move) shown.current = null;
  }, [past]);
  useEffect(() => {
    if (now !== null) shown.current = now;
  }, [now, table.legal.value]);
}
