/**
 * Looking at a card that a renderer shows large while it is pointed to. A mouse and a keyboard point
 * without choosing; a finger does not, so its first tap looks, and a second one chooses. A long
 * press looks too.
 */

const LOOKS = "[data-looks]";
const LOOKED = "data-looked";

/** Whether a touch was for looking: then it chooses nothing. */
export function looked(frame: Element, event: MouseEvent): boolean {
  const { pointerType } = event as PointerEvent;
  const before = frame.querySelector(`[${LOOKED}]`);
  const now = pointerType === "touch" ? (event.target as Element).closest(LOOKS) : null;
  before?.removeAttribute(LOOKED);
  if (now === null || now === before) return false;
  now.setAttribute(LOOKED, "");
  return true;
}

/** Look at what is pressed long, and keep the browser's own menu away from it. */
export function pressed(frame: Element, event: MouseEvent): void {
  const target = (event.target as Element).closest(LOOKS);
  if ((event as PointerEvent).pointerType !== "touch" || target === null) return;
  event.preventDefault();
  frame.querySelector(`[${LOOKED}]`)?.removeAttribute(LOOKED);
  target.setAttribute(LOOKED, "");
}
