/**
 * Moving focus when the focused element is gone, so that nobody is sent back to the head of the
 * page.
 */

import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/**
 * After each pick, which `changed` signals by its first member, move focus to the next thing in the
 * box: the first choice, or the box itself while others think, or the result.
 */
export function useFocus(
  box: RefObject<HTMLElement | null>,
  changed: readonly [steps: number, ...unknown[]],
): void {
  useEffect(() => {
    const root = (box.current ?? document.body).getRootNode() as Document | ShadowRoot;
    if (changed[0] === 0 || !isLost(root, box.current)) return;
    const next = box.current?.querySelector<HTMLElement>("[data-first]") ?? box.current;
    focusOn(next ?? root.querySelector<HTMLElement>(".result"));
  }, changed);
}

/** For visible focus, scroll to it; otherwise leave the scroll position. */
function focusOn(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
  if (element?.matches(":focus-visible")) element.scrollIntoView({ block: "nearest" });
}

/**
 * Whether focus was lost with a removed element, or is on a part of the board that is no longer a
 * button.
 */
function isLost(root: Document | ShadowRoot, box: Element | null): boolean {
  // Where focus is elsewhere on the page, a shadow root has no active element, and keeps out of it.
  const active = root.activeElement ?? document.activeElement;
  if (active === null || active === document.body || active.id === "main") return true;
  if (active.closest(".board-sheet, .mat-sheet")) return !active.hasAttribute("data-target");
  return active === box || (box?.contains(active) === true && active.matches(":disabled"));
}
