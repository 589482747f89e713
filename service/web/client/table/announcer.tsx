/**
 * Announces to screen readers what happened, whose turn it is, how many choices there are, and when
 * only a minute is left. Each event has a paragraph of its own, so that listeners miss none.
 */

import { useEffect, useRef, useState } from "preact/hooks";
import { phrases } from "../phrases/phrases.ts";
import { happeningOf } from "../play/happenings.ts";
import type { Table } from "../play/table.ts";
import { called, saidOf } from "./said.ts";

/** Number of paragraphs kept; removals are not announced. */
const KEPT = 8;
const WARNING_MS = 60_000;

interface Said {
  readonly id: number;
  readonly text: string;
}

export function Announcer({ table }: { table: Table }) {
  const [said, setSaid] = useState<readonly Said[]>([]);
  const frame = table.frame.value;
  const legal = table.legal.value;
  const over = table.over.value;
  const newest = useRef(0);
  const tell = (text: string) => {
    if (text)
      setSaid((before) => [...before, { id: (before.at(-1)?.id ?? 0) + 1, text }].slice(-KEPT));
  };
  useEffect(() => {
    if (!frame) return;
    const words = phrases.peek();
    const own = table.own.peek();
    const game = table.game.peek();
    // Of a step, all is told; of what was shown before, the shown event.
    const from = newest.current > 0 ? Math.min(newest.current, frame.seq - 1) : frame.seq - 1;
    newest.current = Math.max(newest.current, frame.seq);
    const told = table.log
      .peek()
      .flatMap(({ seq, text }) => (seq > from && seq <= frame.seq && text ? text : []));
    const said = table.past
      .peek()
      .filter(({ seq }) => seq > from && seq <= frame.seq)
      .flatMap((event) => saidOf(happeningOf(event), game) ?? []);
    const asked = frame.state.decisions.map(({ seat, label }) => {
      if (own.includes(seat)) return words.toChoose(label, legal?.moves.length ?? 0);
      return words.waitFor(called(game, seat), label);
    });
    tell([...said, ...told, ...asked, ...(over ? [words.isOver] : [])].map(sentence).join(" "));
  }, [frame, legal, over]);
  useEffect(() => {
    const deadline = frame?.state.decisions.find(
      (decision) => decision.deadline !== null && table.own.peek().includes(decision.seat),
    )?.deadline;
    const left = deadline ? Date.parse(deadline) - Date.now() - WARNING_MS : -1;
    if (left < 0 || left > LONGEST_MS) return;
    const timer = setTimeout(() => tell(phrases.peek().minuteLeft), left);
    return () => clearTimeout(timer);
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

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
