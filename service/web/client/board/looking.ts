/**
 * Enlarged cards: a renderer shows a card large while it is pointed to. With a mouse or a keyboard,
 * people can point without choosing. On a touch screen they cannot, so the first tap enlarges the
 * card, and a second tap chooses it. A long press enlarges it, too.
 */

const LOOKS = "[data-looks]";
const LOOKED = "data-looked";

/** Whether a touch only enlarged a card, so that it chooses nothing. */
export function looked(frame: Element, event: MouseEvent, narrow: boolean): boolean {
  const before = frame.querySelector(`[${LOOKED}]`);
  const now = touched(event);
  before?.removeAttribute(LOOKED);
  if (now === null || now === before) return false;
  look(now, narrow);
  return true;
}

/** Enlarge an element after a long press, and suppress the browser's own menu. */
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
 * On a narrow screen, scrolls the small card towards the lower end, so that the large card fits
 * above it. On a board that is moved under the finger, scrolls to the large card.
 */
function look(at: Element, narrow: boolean): void {
  at.setAttribute(LOOKED, "");
  if (narrow) return at.scrollIntoView({ block: "end", behavior: "smooth" });
  for (const card of document.querySelectorAll(".larger .large"))
    if (card.getClientRects()[0]) card.scrollIntoView({ block: "nearest", inline: "nearest" });
}
