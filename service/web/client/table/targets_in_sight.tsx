/**
 * Brings what can be chosen on the board into sight when a question opens: on a phone, the board is
 * higher than the room above the question. Who has moved the board by hand since then,
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
    addEventListener("focusin", follow);
    return () => {
      for (const kind of ["wheel", "touchmove"]) removeEventListener(kind, note);
      removeEventListener("focusin", follow);
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

function follow({ target }: FocusEvent): void {
  const focused = (target as Element).closest(".play [data-target]:focus-visible");
  if (focused) outlineOf(focused).scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Runs a callback when the board is drawn; the returned function cancels it. */
function soon(what: () => void): () => void {
  const timer = setTimeout(what);
  return () => clearTimeout(timer);
}

/**
 * Scrolls the board, and then the page: to all that can be chosen, or to what is on the board if
 * there is no room for all at once. What a larger board then shows beside the screen does not count.
 */
function show(byHand: boolean): void {
  if (isFocusElsewhere()) return;
  const aside = new Set<Element>();
  for (const sheet of document.querySelectorAll(".play .sheet.larger")) {
    const { left, right } = sheet.getBoundingClientRect();
    const [within, targets] = [{ from: left, to: right }, targetsOf(sheet)];
    const spans = spansOf(targets, "left", "right");
    const by = scroll(sheet, "left", spans, within, byHand);
    for (const [nth, span] of spans.entries())
      if (!isWithin(span, within, by)) aside.add(targets[nth] as Element);
  }
  const shown = targetsOf(document).filter((target) => !aside.has(target));
  const all = spansOf(shown, "top", "bottom");
  const onBoard = spansOf(
    shown.filter((target) => target.closest(BOARD)),
    "top",
    "bottom",
  );
  const spans = onBoard.length > 0 && !fit(all, room()) ? onBoard : all;
  // With the whole board, if it has room, as on a phone that is held across.
  const more = [...spans, ...spansOf([...document.querySelectorAll(BOARD)], "top", "bottom")];
  scroll(page(), "top", spans.length > 0 && fit(more, room()) ? more : spans, room(), byHand);
}

/**
 * Whether somebody goes by keys through another part of the page, which stays in sight then. A room
 * that is entered has the focus as a whole, board and all.
 */
function isFocusElsewhere(): boolean {
  const focused = document.querySelector(":focus-visible");
  return focused !== null && !focused.closest(".play") && !focused.querySelector(".play");
}

/** Scrolls, and returns by how many pixels. */
function scroll(
  what: Element,
  axis: "left" | "top",
  spans: readonly Span[],
  room: Span,
  byHand: boolean,
): number {
  if (byHand && spans.some((span) => isWithin(span, room))) return 0;
  const by = scrolled(spans, room);
  if (by !== 0) what.scrollBy({ [axis]: by, behavior: glideMs.peek() > 0 ? "smooth" : "instant" });
  return by;
}

type Side = "left" | "right" | "top" | "bottom";

function targetsOf(within: ParentNode): Element[] {
  return [...within.querySelectorAll(".play [data-target]")];
}

function outlineOf(target: Element): Element {
  return target.querySelector(HALO) ?? target;
}

function spansOf(elements: readonly Element[], from: Side, to: Side): Span[] {
  return elements.map((target) => {
    const box = outlineOf(target).getBoundingClientRect();
    return { from: box[from], to: box[to] };
  });
}

/** What scrolls the page: itself, or its body where this ends above the question. */
function page(): Element {
  const { body, documentElement } = document;
  return getComputedStyle(body).overflowY === "auto" ? body : documentElement;
}

/** What is in sight of the page. Where it ends above the question, it hears only later how high that is. */
function room(): Span {
  const question = page() === document.body && document.querySelector(".play > .side.first");
  return { from: 0, to: question ? question.getBoundingClientRect().top : page().clientHeight };
}
