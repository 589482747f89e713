/** Where focus goes when what was pressed is gone: nobody is sent back to the head of the page. */

import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/**
 * After each choice, which `changed` tells by its first member, lead focus to what comes next in the
 * box: the first thing to choose, or the box itself while others think, or the result.
 */
export function useFocus(
  box: RefObject<HTMLElement | null>,
  changed: readonly [steps: number, ...unknown[]],
): void {
  useEffect(() => {
    if (changed[0] === 0 || !isLost(document.activeElement, box.current)) return;
    const next = box.current?.querySelector<HTMLElement>("[data-first]") ?? box.current;
    focusOn(next ?? document.querySelector<HTMLElement>(".result"));
  }, changed);
}

/** Who sees where focus is sees where it goes; others keep what they look at. */
function focusOn(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
  if (element?.matches(":focus-visible")) element.scrollIntoView({ block: "nearest" });
}

/** Whether focus fell from what is gone, or stands on a part of the board that is no button any more. */
function isLost(active: Element | null, box: Element | null): boolean {
  if (active === null || active === document.body || active.id === "main") return true;
  if (active.closest(".board-sheet, .mat-sheet")) return !active.hasAttribute("data-target");
  return active === box || (box?.contains(active) === true && active.matches(":disabled"));
}
