/**
 * Keys on a board: an arrow key moves the focus to the nearest button in its direction, Home and
 * End move it to the first and the last button.
 */

const DIRECTIONS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * The button to which a key leads from the focused one; null if there is none. With `among`, it is
 * the element with this selector, seen from `here`.
 */
export function nextStop(
  frame: Element,
  event: KeyboardEvent,
  among = "[data-target]",
  here = (event.target as Element).closest(among),
): SVGElement | null {
  const all = [...frame.querySelectorAll<SVGElement>(among)];
  if (!here || event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === "Home") return all[0] ?? null;
  if (event.key === "End") return all.at(-1) ?? null;
  const direction = DIRECTIONS[event.key];
  if (!direction) return null;
  const [x, y] = middle(here);
  let best: { element: SVGElement; cost: number } | null = null;
  for (const element of all) {
    if (element === here) continue;
    const [dx, dy] = [middle(element)[0] - x, middle(element)[1] - y];
    const along = dx * direction[0] + dy * direction[1];
    const aside = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
    if (along <= 1) continue;
    const cost = along + 2 * aside; // a distance at right angles to the arrow counts twice
    if (best === null || cost < best.cost) best = { element, cost };
  }
  return best?.element ?? null;
}

function middle(element: Element): readonly [number, number] {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}
