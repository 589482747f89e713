/**
 * Looking at a card that a renderer enlarges while it is pointed to. A mouse and a keyboard point
 * without choosing; a finger cannot, so its first tap looks, and a second one chooses. A long press
 * looks too.
 */

const LOOKS = "[data-looks]";
const LOOKED = "data-looked";

/** Whether a touch was for looking: then it chooses nothing. */
export function looked(frame: Element, event: MouseEvent, narrow: boolean): boolean {
  const before = frame.querySelector(`[${LOOKED}]`);
  const now = touched(event);
  before?.removeAttribute(LOOKED);
  if (now === null || now === before) return false;
  look(now, narrow);
  return true;
}

/** Look at an element after a long press, and suppress the browser's own menu. */
export function pressed(frame: Element, event: MouseEvent, narrow: boolean): void {
  const now = touched(event);
  if (now === null) return;
  event.preventDefault();
  frame.querySelector(`[${LOOKED}]`)?.removeAttribute(LOOKED);
  look(now, narrow);
}

function touched(event: MouseEvent): Element | null {
  const byFinger = (event as PointerEvent).pointerType === "touch";
  return byFinger ? (event.target as Element).closest(LOOKS) : null;
}

/**
 * The large card is placed above the small one: on a narrow screen it fits only if the small one is
 * low.
 */
function look(at: Element, narrow: boolean): void {
  at.setAttribute(LOOKED, "");
  if (narrow) at.scrollIntoView({ block: "end", behavior: "smooth" });
}
