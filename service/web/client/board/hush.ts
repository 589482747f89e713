/**
 * Hides drawings from screen readers, because letters and numbers without their places mean
 * nothing. Buttons stay, with their names; beside the board there is a description of the position.
 */

const HUSHED = "data-hushed";

/** Hides a drawing from screen readers, except its buttons. */
export function hush(sheet: SVGSVGElement): void {
  const kept = new Set<Element>();
  for (const button of sheet.querySelectorAll("[data-target]"))
    for (let part: Element | null = button; part && part !== sheet; part = part.parentElement)
      kept.add(part);
  const hidden = new Set(hushable(sheet, kept));
  for (const element of sheet.querySelectorAll(`[${HUSHED}]`)) {
    if (hidden.has(element)) continue;
    element.removeAttribute(HUSHED);
    element.removeAttribute("aria-hidden");
  }
  for (const element of hidden) {
    if (element.hasAttribute(HUSHED)) continue;
    element.setAttribute(HUSHED, "");
    element.setAttribute("aria-hidden", "true");
  }
}

function* hushable(element: Element, kept: ReadonlySet<Element>): Generator<Element> {
  for (const child of element.children) {
    if (!kept.has(child)) yield child;
    else if (!child.hasAttribute("data-target")) yield* hushable(child, kept);
  }
}
