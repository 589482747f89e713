/**
 * Brings what can be chosen on the board into sight when a question opens: on a phone, the board is
 * higher than the screen, and the question lies over it. Who has moved the board by hand since then,
 * or is moving it, keeps it where it is as long as anything to choose is in sight there.
 */

import { useEffect, useRef } from "preact/hooks";
import { size } from "../browser/screen.ts";
import { glideMs } from "../browser/theme.ts";
import type { Choosing } from "../play/choice.ts";
import type { Table } from "../play/table.ts";
import { fit, isWithin, type Span, scrolled } from "./sight.ts";

/** A hand that moved so shortly before a question, in milliseconds, has moved for it. */
const RECENT_MS = 1000;
const BOARD = ".play .board-sheet";
const HALO = ":scope > .halo, :scope > .moving > .halo";

export function TargetsInSight({ table, choice }: { table: Table; choice: Choosing }) {
  const targets = choice.targets.value;
  const moved = useRef(-Infinity);
  const opened = useRef(0);
  useEffect(() => {
    const note = () => {
      moved.current = performance.now();
    };
    for (const kind of ["wheel", "touchmove"]) addEventListener(kind, note, { passive: true });
    return () => {
      for (const kind of ["wheel", "touchmove"]) removeEventListener(kind, note);
    };
  }, []);
  useEffect(() => {
    opened.current = performance.now();
  }, [table.legal.value]);
  useEffect(
    () => soon(() => show(moved.current > opened.current - RECENT_MS)),
    [targets, size.value],
  );
  return null;
}

/** Runs a callback when the board is drawn; the returned function cancels it. */
function soon(what: () => void): () => void {
  const timer = setTimeout(what);
  return () => clearTimeout(timer);
}

/**
 * Scrolls the board, and then the window: to all that can be chosen, or to what is on the board if
 * there is no room for all at once.
 */
function show(byHand: boolean): void {
  if (isFocusElsewhere()) return;
  for (const sheet of document.querySelectorAll(".play .sheet.larger")) {
    const { left, right } = sheet.getBoundingClientRect();
    scroll(sheet, "left", spansOf(sheet, "left", "right"), { from: left, to: right }, byHand);
  }
  const all = spansOf(document, "top", "bottom");
  const onBoard = spansOf(document, "top", "bottom", `${BOARD} [data-target]`);
  const spans = onBoard.length > 0 && !fit(all, room()) ? onBoard : all;
  // With the whole board, if it has room, as on a phone that is held across.
  const more = [...spans, ...spansOf(document, "top", "bottom", BOARD)];
  scroll(window, "top", spans.length > 0 && fit(more, room()) ? more : spans, room(), byHand);
}

/**
 * Whether somebody goes by keys through another part of the page, which stays in sight then. A room
 * that is entered has the focus as a whole, board and all.
 */
function isFocusElsewhere(): boolean {
  const focused = document.querySelector(":focus-visible");
  return focused !== null && !focused.closest(".play") && !focused.querySelector(".play");
}

function scroll(
  what: Element | Window,
  axis: "left" | "top",
  spans: readonly Span[],
  room: Span,
  byHand: boolean,
): void {
  if (byHand && spans.some((span) => isWithin(span, room))) return;
  const by = scrolled(spans, room);
  if (by !== 0) what.scrollBy({ [axis]: by, behavior: glideMs.peek() > 0 ? "smooth" : "instant" });
}

type Side = "left" | "right" | "top" | "bottom";

function spansOf(within: ParentNode, from: Side, to: Side, what = ".play [data-target]"): Span[] {
  return [...within.querySelectorAll(what)].map((target) => {
    const box = (target.querySelector(HALO) ?? target).getBoundingClientRect();
    return { from: box[from], to: box[to] };
  });
}

/** The part of the window that the question does not cover. */
function room(): Span {
  const question = document.querySelector<HTMLElement>(".play > .side.first");
  const isBelow =
    question !== null &&
    getComputedStyle(question).position === "sticky" &&
    question.offsetWidth > innerWidth / 2;
  return { from: 0, to: innerHeight - (isBelow ? question.offsetHeight : 0) };
}
