/**
 * Moves focus when the focused element is removed; otherwise the browser would move it to the top
 * of the page.
 */

import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/**
 * Moves focus after a pick, if the focused element is gone: to the first choice, to the box while
 * others decide, or to the result. `changed` begins with the number of picks.
 */
export function useFocus(
  box: RefObject<HTMLElement | null>,
  changed: readonly [steps: number, ...unknown[]],
): void {
  useEffect(() => {
    const root = (box.current ?? document.body).getRootNode() as Document | ShadowRoot;
    if (changed[0] === 0 || !isLost(root, box.current)) return;
    const next =
      box.current?.querySelector<HTMLElement>("[data-first]") ??
      (changed[1] ? root.querySelector<HTMLElement>('[data-target][tabindex="0"]') : null) ??
      box.current;
    focusOn(next ?? root.querySelector<HTMLElement>(".result"));
  }, changed);
}

/** Scroll to the focused element only if its focus is visible. */
function focusOn(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
  if (element?.matches(":focus-visible")) element.scrollIntoView({ block: "nearest" });
}

/**
 * Whether focus was lost because its element was removed, or is on a part of the board that is no
 * longer a button.
 */
function isLost(root: Document | ShadowRoot, box: Element | null): boolean {
  // If focus is outside of a shadow root, the root has no active element; then focus is not moved.
  const active = root.activeElement ?? document.activeElement;
  if (active === null || active === document.body || active.id === "main") return true;
  if (active.closest(".board-sheet, .mat-sheet")) return !active.hasAttribute("data-target");
  return active === box || (box?.contains(active) === true && active.matches(":disabled"));
}
