/**
 * A tip with the name and the meaning of what somebody points to on a board or in the table of
 * numbers. A mouse asks by resting, a finger by a tap, the keyboard by focusing a button; in the
 * table of numbers, the arrow keys lead from a player's name to the numbers.
 *
 * What is not lit, and refused by a rule, has the tip of `Why` instead.
 */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { THROUGH } from "../board/hits.ts";
import { FOLDED } from "../board/room.ts";
import type { Ruleset } from "../board/rulesets.ts";
import { adopt } from "../board/sheets.ts";
import type { Table } from "../play/table.ts";
import { meaningOf } from "./meaning.ts";
import { sceneAt } from "./scene.ts";

/** The time in milliseconds for which a mouse rests; `Why` asks after a shorter one. */
const REST_MS = 900;
const GAP = 8;
const ELEMENT = "[data-place], [data-piece]";
const CELL = ".glance tbody td, .glance thead th";
const STYLE = `
.meaning { position: fixed; z-index: 8; max-width: min(22rem, 92vw); padding: 0.4rem 0.7rem;
  border: 1px solid var(--line); border-radius: 0.6rem; background: var(--paper);
  color: var(--ink); font-size: 0.9rem; line-height: 1.35; pointer-events: none; }
.board:has(.why:not(:empty)) .meaning { display: none; }
`;
adopt(document, STYLE);

interface Tip {
  readonly text: string;
  readonly at: Element;
}

/** Stands within a board. */
export function Meanings({ table, ruleset }: { table: Table; ruleset: Ruleset }) {
  const [tip, setTip] = useState<Tip | null>(null);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const board = place.current?.closest(".board");
    return board ? watch(board, (at) => textOf(at, table, ruleset), setTip) : undefined;
  }, [table, ruleset]);
  useEffect(() => setTip(null), [table.frame.value, table.legal.value]);
  useLayoutEffect(() => {
    if (place.current && tip) put(place.current, tip.at.getBoundingClientRect());
  }, [tip]);
  // Buttons and places have these words in their names for screen readers already.
  return (
    <span ref={place} class="meaning" hidden={tip === null} aria-hidden="true">
      {tip?.text}
    </span>
  );
}

/** Shows tips for what somebody points to; returns what stops it. */
function watch(
  board: Element,
  text: (at: Element) => string,
  show: (tip: Tip | null) => void,
): () => void {
  const stopped = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const point = (target: EventTarget | null, wait: number) => {
    clearTimeout(timer);
    show(null);
    const at = (target as Element).closest(`${ELEMENT}, ${CELL}`);
    // Folded words, and cards that are enlarged, show themselves.
    if (!at || at.querySelector(FOLDED) || (at as HTMLElement).dataset.looks !== undefined) return;
    timer = setTimeout(() => {
      const said = text(at);
      show(said === "" ? null : { text: said, at });
    }, wait);
  };
  const on = (name: string, act: (event: never) => void) =>
    board.addEventListener(name, act as EventListener, { signal: stopped.signal });
  const hide = () => {
    clearTimeout(timer);
    show(null);
  };
  on("pointerover", (event: PointerEvent) => {
    if (event.pointerType !== "touch") point(event.target, REST_MS);
  });
  on("click", (event: PointerEvent) => {
    if (event.pointerType === "touch") point(event.target, REST_MS);
    else hide();
  });
  on("focusin", (event: FocusEvent) => {
    if ((event.target as Element).matches(":focus-visible")) point(event.target, 0);
  });
  on("pointerleave", hide);
  on("focusout", hide);
  on("keydown", (event: KeyboardEvent) => {
    if (event.key === "Escape") hide();
    else if (walk(event)) event.preventDefault();
  });
  return () => {
    hide();
    stopped.abort();
  };
}

/** The rows and columns that an arrow key goes on. */
const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/**
 * Focuses the next cell of the table of numbers, or the button in it; returns whether there is one.
 * The cells are no stops of Tab, which leads to the players' names alone.
 */
function walk({ key, target }: KeyboardEvent): boolean {
  const from = (target as Element).closest<HTMLTableCellElement>(".glance :is(td, th)");
  const [down, right] = STEPS[key] ?? [0, 0];
  if (!from || (down === 0 && right === 0)) return false;
  const row = from.parentElement as HTMLTableRowElement;
  const cell = row.closest("table")?.rows[row.rowIndex + down]?.cells[from.cellIndex + right];
  const next = cell?.querySelector("button") ?? cell;
  if (!next || next.textContent.trim() === "") return false;
  next.tabIndex = next === cell ? -1 : 0;
  next.focus();
  return true;
}

function textOf(at: Element, table: Table, ruleset: Ruleset): string {
  if (at.matches(CELL)) return ofCell(at as HTMLTableCellElement);
  const scene = sceneAt(table, ruleset);
  if (!scene) return "";
  const told = [at, ...standingOn(at)].map((one) => meaningOf(scene, (one as HTMLElement).dataset));
  return [...new Set(told)].filter(Boolean).join(" · ");
}

/** What stands on a button: a pointer goes through it, so that the button tells of it. */
function standingOn(at: Element): Element[] {
  const within = at.getBoundingClientRect();
  const all = at.closest("svg")?.querySelectorAll(`[${THROUGH}]`) ?? [];
  return [...all].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return within.left <= x && x <= within.right && within.top <= y && y <= within.bottom;
  });
}

/** A number of the table of numbers with its row and its column, or the name of a column. */
function ofCell(cell: HTMLTableCellElement): string {
  const { tHead } = cell.closest("table") as HTMLTableElement;
  const name = tHead?.rows[0]?.cells[cell.cellIndex]?.textContent.trim() ?? "";
  if (cell.tagName === "TH") return name;
  const who = cell.parentElement?.querySelector("th")?.textContent.trim() ?? "";
  return `${who}: ${name}: ${cell.textContent.trim()}`;
}

/** Puts the tip below an element, or above it where there is no room. */
function put(tip: HTMLElement, at: DOMRect): void {
  tip.style.left = tip.style.top = "0";
  const { left, top, width, height } = tip.getBoundingClientRect();
  const x = at.left + (at.width - width) / 2;
  const below = at.bottom + GAP;
  const y = below + height > innerHeight ? at.top - GAP - height : below;
  const within = (value: number, most: number) => Math.max(GAP, Math.min(value, most - GAP));
  tip.style.left = `${within(x, innerWidth - width) - left}px`;
  tip.style.top = `${within(y, innerHeight - height) - top}px`;
}
