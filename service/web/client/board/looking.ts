/**
 * Looking at a card that a renderer enlarges while it is pointed to. A mouse and a keyboard point
 * without choosing; a finger cannot, so its first tap looks, and a second one chooses. A long press
 * looks too.
 */

import { narrow } from "../browser/screen.ts";

const LOOKS = "[data-looks]";
const LOOKED = "data-looked";

/** Whether a touch was for looking: then it chooses nothing. */
export function looked(frame: Element, event: MouseEvent): boolean {
  const before = frame.querySelector(`[${LOOKED}]`);
  const now = touched(event);
  before?.removeAttribute(LOOKED);
  if (now === null || now === before) return false;
  look(now);
  return true;
}

/** Look at an element after a long press, and suppress the browser's own menu. */
export function pressed(frame: Element, event: MouseEvent): void {
  const now = touched(event);
  if (now === null) return;
  event.preventDefault();
  frame.querySelector(`[${LOOKED}]`)?.removeAttribute(LOOKED);
  look(now);
}

function touched(event: MouseEvent): Element | null {
  const byFinger = (event as PointerEvent).pointerType === "touch";
  return byFinger ? (event.target as Element).closest(LOOKS) : null;
}

/**
 * The large card is placed above the small one: on a narrow screen it fits only if the small one is
 * low.
 */
function look(at: Element): void {
  at.setAttribute(LOOKED, "");
  if (narrow.peek()) at.scrollIntoView({ block: "end", behavior: "smooth" });
}
