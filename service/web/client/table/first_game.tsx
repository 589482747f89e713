/**
 * A first game that is led by the hand: each step points to what it speaks of, and waits until the
 * player has done it. The player may do anything else, and leave the lesson at any time.
 */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
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
import { sceneAt } from "./scene.ts";
import { spokenOf } from "./spoken_of.ts";
import {
  type Answer,
  after,
  finish,
  type Progress,
  type Question,
  type Step,
  stepNow,
} from "./steps.ts";

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

function Lesson({ ruleset, ...taught }: Taught & { ruleset: Ruleset }) {
  const { id } = ruleset;
  const [asked] = useAsked(() => readFirstGame(id), [id]);
  const over = taught.table.over.value;
  useEffect(() => {
    if (over) taught.go(null);
  }, [over]);
  if (asked.state !== "here") return null;
  return <Steps {...taught} ruleset={ruleset} steps={asked.value.steps} />;
}

function Steps({
  table,
  ruleset,
  steps,
  progress,
  go,
}: Taught & { ruleset: Ruleset; steps: readonly Step[] }) {
  const words = firstGameWords.value;
  const question = useQuestion(table);
  const now = stepNow(steps, progress, question);
  useMoves(table, now, question, (index, answer) => {
    go(after(steps, progress, index, answer));
  });
  const step = now === null ? null : (steps[now] ?? null);
  const names = useNames(table, ruleset, step);
  const heading = useRef<HTMLHeadingElement>(null);
  const left = useRef(false);
  useEffect(() => {
    // The button that had the focus is gone.
    if (left.current && now === null) heading.current?.focus({ preventScroll: true });
    left.current = false;
  }, [progress]);
  const goOn = (index: number) => {
    left.current = true;
    go(finish(progress, index));
  };
  const leave = () => {
    const next = document.querySelector<HTMLElement>(".chooser") ?? document.getElementById("main");
    next?.focus({ preventScroll: true });
    go(null);
  };
  return (
    <section class="first-game" aria-labelledby="first-game" data-step={now ?? undefined}>
      <h2 id="first-game" tabIndex={-1} ref={heading}>
        {words.firstGame}
        {step && <small class="quiet"> {words.step(progress.done.length + 1, steps.length)}</small>}
      </h2>
      <p role="status">
        {step?.text[language.value] ?? waiting(table, progress.done.length === steps.length)}
        {names.length > 0 && <span class="sr"> {words.speaksOf(names)}</span>}
      </p>
      <p class="actions">
        {now !== null && (
          <button type="button" data-go-on onClick={() => goOn(now)}>
            {step?.question ? words.skip : words.go}
          </button>
        )}{" "}
        <button type="button" class="plain" data-leave onClick={leave}>
          {words.leave}
        </button>
      </p>
      {step && <Pointer key={now} at={step.at} viewer={table.frame.value?.state.seat ?? null} />}
    </section>
  );
}

/** What is said while there is no step; nothing while the player looks back. */
function waiting(table: Table, isLast: boolean): string {
  const words = firstGameWords.value;
  if (isLast) return words.end;
  if (!table.following.value) return "";
  return table.catchesUp.value || table.asked.value.length === 0 ? words.watch : words.free;
}

/** The names of what a step speaks of, as they were when it came: what is told once stays. */
function useNames(table: Table, ruleset: Ruleset, step: Step | null): readonly string[] {
  const isDrawn = table.frame.value !== null;
  return useMemo(() => {
    const { panels } = firstGameWords.peek();
    return step ? spokenOf(step.at, sceneAt(table, ruleset), panels) : [];
  }, [step, language.value, isDrawn]);
}

/** The question that the player can answer now; null if there is none. */
function useQuestion(table: Table): Question | null {
  const own = table.own.value;
  const open = table.frame.value?.state.decisions.find(({ seat }) => own.includes(seat));
  const moves = table.legal.value?.moves;
  return open && moves ? { name: open.name, types: moves.map(({ type }) => type) } : null;
}

/** Tells each move that the player makes, with the step and the question that were there before. */
function useMoves(
  table: Table,
  now: number | null,
  question: Question | null,
  tell: (index: number, answer: Answer) => void,
): void {
  const seen = useRef<number | null>(null);
  const shown = useRef<{ index: number; question: Question } | null>(null);
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
    if (!move) return;
    if (shown.current) {
      const { index, question } = shown.current;
      tell(index, { question, type: move.type });
    }
    shown.current = null;
  }, [past]);
  useEffect(() => {
    if (now !== null && question) shown.current = { index: now, question };
  }, [now, table.legal.value]);
}
