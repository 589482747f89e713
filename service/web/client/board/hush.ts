/**
 * Hides drawings from screen readers, because letters and numbers without their places mean
 * nothing. Buttons stay, with their names; beside the board there is a description of the position.
 */

/** Hides a drawing from screen readers, except its buttons. */
export function hush(sheet: SVGSVGElement): void {
  for (const hidden of sheet.querySelectorAll("[data-hushed]")) {
    hidden.removeAttribute("data-hushed");
    hidden.removeAttribute("aria-hidden");
  }
  const kept = new Set<Element>();
  for (const button of sheet.querySelectorAll("[data-target]"))
    for (let part: Element | null = button; part && part !== sheet; part = part.parentElement)
      kept.add(part);
  hushWithin(sheet, kept);
}

function hushWithin(element: Element, kept: ReadonlySet<Element>): void {
  for (const child of element.children) {
    if (!kept.has(child)) {
      child.setAttribute("data-hushed", "");
      child.setAttribute("aria-hidden", "true");
    } else if (!child.hasAttribute("data-target")) hushWithin(child, kept);
  }
}
