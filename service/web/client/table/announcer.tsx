/**
 * Announces to screen readers what happened, whose turn it is, how many choices there are, and when
 * only a minute is left. Each sentence has a paragraph of its own.
 */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { serviceNow } from "../api/clock.ts";
import { phrases } from "../phrases/phrases.ts";
import { happeningOf } from "../play/happenings.ts";
import type { Frame, Table } from "../play/table.ts";
import { called, saidOf } from "./said.ts";
import { APART_MS, Speaking } from "./speaking.ts";
import { tableWords } from "./words.ts";

/** Number of paragraphs kept; removals are not announced. */
const KEPT = 8;
const WARNING_MS = 60_000;

/** Nothing has been told yet. */
const NOTHING = { newest: 0, frame: null, over: false };

interface Said {
  readonly id: number;
  readonly text: string;
}

export function Announcer({ table }: { table: Table }) {
  const [said, setSaid] = useState<readonly Said[]>([]);
  const frame = table.frame.value;
  const legal = table.legal.value;
  const over = table.over.value;
  const told = useRef<{ newest: number; frame: Frame | null; over: boolean }>(NOTHING);
  const speaking = useMemo(() => new Speaking(() => tableWords.peek()), [table]);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const speak = () => {
    timer.current = null;
    const text = speaking.next();
    if (text === null) return;
    setSaid((before) => [...before, { id: (before.at(-1)?.id ?? 0) + 1, text }].slice(-KEPT));
    timer.current = setTimeout(speak, APART_MS);
  };
  // Before the browser paints: a frame of its own would take as long as that of the drawn event.
  const speakSoon = () => queueMicrotask(() => timer.current ?? speak());
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  useLayoutEffect(() => {
    if (!frame) return;
    const words = phrases.peek();
    const own = table.own.peek();
    const game = table.game.peek();
    const { seq } = frame;
    const { newest } = told.current;
    if (frame !== told.current.frame) {
      if (!table.following.peek()) speaking.leave();
      // Of a step, all is told; of what was shown before, the shown event.
      const from = newest > 0 ? Math.min(newest, seq - 1) : seq - 1;
      const isNew = (one: { readonly seq: number }) => one.seq > from && one.seq <= seq;
      for (const event of table.past.peek().filter(isNew)) {
        const text = saidOf(happeningOf(event), game);
        if (text !== null) speaking.warn(text);
      }
      const events = Map.groupBy(table.log.peek().filter(isNew), (effect) => effect.seq);
      for (const effects of events.values())
        speaking.tell(effects.flatMap(({ text }) => (text ? text : [])));
    }
    if (over && !told.current.over) speaking.warn(words.isOver);
    told.current = { newest: Math.max(newest, seq), frame, over };
    const { decisions } = frame.state;
    const mine = decisions.find(({ seat }) => own.includes(seat));
    const others = decisions
      .filter(({ seat }) => !own.includes(seat))
      .map(({ seat, label }) => words.waitFor(called(game, seat), label));
    speaking.ask(
      mine ? words.toChoose(mine.label, legal?.moves.length ?? 0) : null,
      others.join("; ") || null,
    );
    speakSoon();
  }, [frame, legal, over]);
  useEffect(() => {
    const deadline = frame?.state.decisions.find(
      (decision) => decision.deadline !== null && table.own.peek().includes(decision.seat),
    )?.deadline;
    const left = deadline ? Date.parse(deadline) - serviceNow() - WARNING_MS : -1;
    if (left < 0 || left > LONGEST_MS) return;
    const warning = setTimeout(() => {
      speaking.warn(phrases.peek().minuteLeft);
      speakSoon();
    }, left);
    return () => clearTimeout(warning);
  }, [frame]);
  return (
    <div class="sr" role="log" aria-live="polite" data-announcer>
      {said.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}

/** The maximum delay of `setTimeout`. */
const LONGEST_MS = 2 ** 31 - 1;
