/** The log; a line and the elements of the board that it names highlight each other. */

import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { language } from "../browser/language.ts";
import { phrases } from "../phrases/phrases.ts";
import { calledName } from "../play/names.ts";
import type { Effect, Table } from "../play/table.ts";

/** The line under the pointer; the board marks the elements that it names. */
export const highlighted = signal<Effect | null>(null);

/** Number of lines that are rendered at first; older ones follow when somebody scrolls to them. */
const SHOWN = 400;

/** A line of the log: an effect, or null if somebody took back moves. */
interface Line {
  readonly seq: number;
  readonly text: string;
  readonly effect: Effect | null;
}

/** The lines: an effect whose text is empty, such as a gain of 0, has none. */
function linesOf(table: Table): Line[] {
  const words = phrases.value;
  const seats = table.game.value?.seats ?? [];
  const told = table.takenBack.value.map(({ seq, to, seat }) => {
    const holder = seats[seat];
    const who = (holder && calledName(holder, language.value)) || words.seat(seat);
    return { seq, text: words.tookBack(who, to), effect: null };
  });
  const lines = table.log.value
    .filter(({ text }) => text !== "")
    .map((effect) => ({ seq: effect.seq, text: effect.text, effect }));
  return told.length === 0 ? lines : [...lines, ...told].sort((a, b) => a.seq - b.seq);
}

export function Log({
  table,
  replays,
  onReplay,
}: {
  table: Table;
  /** Whether the replay is shown, and a function that shows or hides it. */
  replays: boolean;
  onReplay: () => void;
}) {
  const words = phrases.value;
  const list = useRef<HTMLOListElement>(null);
  const lines = linesOf(table);
  const gone = (seq: number) =>
    table.takenBack.value.some((undone) => undone.to < seq && seq < undone.seq);
  const shown = table.shown.value;
  const last = lines.findLastIndex(({ seq }) => seq <= shown);
  const from = Math.max(0, Math.min(last, lines.length - 1) - SHOWN);
  const visible = lines.slice(from, table.following.value ? last + 1 : lines.length);
  const here = visible.filter(({ seq }) => seq === lines[last]?.seq);
  const [kept, setKept] = useState(here.length);
  const folded = here.slice(kept);
  useLayoutEffect(() => {
    if (list.current) setKept(fitting(list.current));
  }, [shown, here.length, here[0]?.text]);
  useEffect(() => {
    if (list.current) toLatest(list.current);
  }, [shown, lines, kept]);
  useEffect(() => {
    const { current } = list;
    if (!current) return;
    const resized = new ResizeObserver(() => {
      setKept(fitting(current));
      toLatest(current);
    });
    resized.observe(current);
    return () => resized.disconnect();
  }, []);
  return (
    <section class="log-panel" aria-labelledby="log">
      <header>
        <h2 id="log">{words.log}</h2>
        {table.following.value && table.wanted.value < table.newest.value && (
          <button type="button" class="main" data-skip onClick={() => table.catchUp()}>
            {words.skipAhead}
          </button>
        )}
        <button type="button" class="plain" aria-pressed={replays} onClick={onReplay}>
          {words.replay}
        </button>
      </header>
      {lines.length === 0 && <p class="quiet">{words.nothingYet}</p>}
      <ol class="log" ref={list} tabIndex={0} aria-labelledby="log">
        {visible.map((line, index) => {
          const { seq, text, effect } = line;
          const isMore = visible[index - 1]?.seq === seq;
          return (
            <li
              key={`${seq} ${from + index}`}
              class={here.includes(line) ? `here ${folded.includes(line) ? "folded" : ""}` : ""}
              data-more={isMore || undefined}
              data-seq={seq}
              onMouseEnter={() => {
                highlighted.value = effect;
              }}
              onMouseLeave={() => {
                highlighted.value = null;
              }}
            >
              <a
                href={`#v=${seq}`}
                aria-label={words.event(seq)}
                onFocus={() => {
                  highlighted.value = effect;
                }}
                onBlur={() => {
                  highlighted.value = null;
                }}
              >
                {isMore ? "·" : seq}
              </a>
              {effect && gone(seq) ? <s> {text}</s> : ` ${text}`}
            </li>
          );
        })}
        {folded.length > 0 && (
          <li class="here unfolds" data-more aria-hidden="true">
            {words.andMore(folded.length)}
          </li>
        )}
      </ol>
    </section>
  );
}

/** The height of a line of text, in pixels. */
const LINE = 18;

/** How many lines of the shown event have room; the others are folded, until the log has the focus. */
function fitting(list: HTMLElement): number {
  list.classList.add("whole"); // nothing is folded while this measures
  const here = [...list.querySelectorAll(".here[data-seq]")];
  const top = here[0]?.querySelector("a")?.getBoundingClientRect().top ?? 0;
  const ends = here.map((line) => line.getBoundingClientRect().bottom - top);
  const room = list.clientHeight;
  list.classList.remove("whole");
  if ((ends.at(-1) ?? 0) <= room) return here.length;
  return Math.max(1, ends.filter((end) => end <= room - LINE).length);
}

/** Scrolls to the middle of the shown event, or to the end if there is none. */
function toLatest(list: HTMLElement): void {
  const here = list.querySelectorAll<HTMLElement>(".here:not(.folded)");
  // An inline line begins with a break, so its number tells where it is.
  const [first, end] = [here.item(0)?.querySelector("a"), here.item(here.length - 1)];
  if (!first || !end) {
    list.scrollTop = list.scrollHeight;
    return;
  }
  const height = end.offsetTop + end.offsetHeight - first.offsetTop;
  list.scrollTop = first.offsetTop - Math.max(0, list.clientHeight - height) / 2;
}
