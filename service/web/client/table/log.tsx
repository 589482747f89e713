/** The log; a line and the elements of the board that it names highlight each other. */

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Ruleset } from "../board/rulesets.ts";
import { phrases } from "../phrases/phrases.ts";
import type { Effect, Table } from "../play/table.ts";

/** The line under the pointer; the board marks the elements that it names. */
export const highlighted = signal<Effect | null>(null);

/** Number of lines that are rendered at first; older ones follow when somebody scrolls to them. */
const SHOWN = 400;

export function Log({ table }: { table: Table; ruleset: Ruleset }) {
  const words = phrases.value;
  const list = useRef<HTMLOListElement>(null);
  // An effect whose text is empty, such as a gain of 0, has no line.
  const lines = table.log.value.filter(({ text }) => text !== "");
  const shown = table.shown.value;
  const last = lines.findLastIndex(({ seq }) => seq <= shown);
  const from = Math.max(0, Math.min(last, lines.length - 1) - SHOWN);
  const visible = lines.slice(from, table.following.value ? last + 1 : lines.length);
  useEffect(() => {
    const here = list.current?.querySelectorAll(".here");
    const line = here?.item(here.length - 1) ?? list.current?.lastElementChild;
    if (line && list.current)
      list.current.scrollTop = (line as HTMLElement).offsetTop - list.current.clientHeight / 2;
  }, [shown, lines]);
  return (
    <section class="log-panel" aria-labelledby="log">
      <h2 id="log">{words.log}</h2>
      {lines.length === 0 && <p class="quiet">{words.nothingYet}</p>}
      <ol class="log" ref={list} tabIndex={0} aria-labelledby="log">
        {visible.map((effect, index) => (
          <li
            key={`${effect.seq} ${from + index}`}
            class={effect.seq === lines[last]?.seq ? "here" : ""}
            data-seq={effect.seq}
            onMouseEnter={() => {
              highlighted.value = effect;
            }}
            onMouseLeave={() => {
              highlighted.value = null;
            }}
          >
            <a
              href={`#v=${effect.seq}`}
              aria-label={words.event(effect.seq)}
              onFocus={() => {
                highlighted.value = effect;
              }}
              onBlur={() => {
                highlighted.value = null;
              }}
            >
              {effect.seq}
            </a>
            <span>{effect.text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
