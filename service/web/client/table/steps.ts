/** The steps of a first game that is led by the hand, and which of them is next. */

import type { Language } from "../words/languages.ts";

/** A ruleset's document `first_game` (docs/games.md). */
export interface FirstGame {
  readonly seats: number;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly text: Readonly<Record<Language, string>>;
  /** What the step speaks of: `place:NAME`, `mat:NAME`, `piece:TYPE`, or a panel. */
  readonly at: readonly string[];
  /** The question with which the step comes; without one, it follows the step before it. */
  readonly question?: string;
  /** The types of moves with which it is done; without them, any move does. */
  readonly moves?: readonly string[];
}

/** The numbers of the steps that are done, and of those at which the player did something else. */
export interface Progress {
  readonly done: readonly number[];
  readonly passed: readonly number[];
}

export const BEGUN: Progress = { done: [], passed: [] };

/** The open question of the player, and the types of the legal moves. */
export interface Question {
  readonly name: string;
  readonly types: readonly string[];
}

/** The number of the step to show; null if none fits the position. */
export function stepNow(
  steps: readonly Step[],
  { done, passed }: Progress,
  question: Question | null,
): number | null {
  const left = [...steps.keys()].filter((index) => !done.includes(index));
  const inOrder = [
    ...left.filter((index) => !passed.includes(index)),
    ...left.filter((index) => passed.includes(index)),
  ];
  const comes = (index: number) => {
    const { question: name, moves } = steps[index] as Step;
    if (name === undefined) return index === 0 || done.includes(index - 1);
    return (
      question?.name === name && (!moves || moves.some((type) => question.types.includes(type)))
    );
  };
  return inOrder.find(comes) ?? null;
}

/** What the player answered: a question, with a move of this type; a sealed move has no type. */
export interface Answer {
  readonly question: Question;
  readonly type: string | null;
}

/**
 * The progress after an answer while a step was shown. A step without a question is put off, and
 * the answer then belongs to the step that would have come without it: its question may come only
 * once.
 */
export function after(
  steps: readonly Step[],
  progress: Progress,
  index: number,
  answer: Answer,
): Progress {
  const { question, moves } = steps[index] as Step;
  const { type } = answer;
  if (question && (!moves || type === null || moves.includes(type))) return finish(progress, index);
  const putOff = { ...progress, passed: add(progress.passed, index) };
  if (question) return putOff;
  const hidden = stepNow(steps, putOff, answer.question);
  const asks = hidden !== null && steps[hidden]?.question !== undefined;
  return asks ? after(steps, putOff, hidden, answer) : putOff;
}

/** The progress when a step is done. */
export function finish({ done, passed }: Progress, index: number): Progress {
  return { done: add(done, index), passed };
}

function add(all: readonly number[], index: number): readonly number[] {
  return [...new Set([...all, index])];
}
