/**
 * Moves pieces from where they were to where they are (first, last, invert, play), by their keys.
 * Nothing waits for an animation: the board is new at once, and only looks as if it moved.
 */

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Where the middle of each piece is on the page, which may be scrolled meanwhile. */
export function positions(frame: Element): Map<string, Spot> {
  return new Map(pieces(frame).map((piece) => [piece.dataset.key ?? "", middle(piece)]));
}

export function glide(
  frame: Element,
  before: ReadonlyMap<string, Spot>,
  milliseconds: number,
): void {
  for (const piece of pieces(frame)) {
    const moving = piece.querySelector<SVGGElement>(".moving");
    const was = before.get(piece.dataset.key ?? "");
    if (!moving || before.size === 0) continue;
    for (const running of moving.getAnimations()) running.cancel();
    if (was === undefined) {
      moving.animate([{ opacity: 0 }, { opacity: 1 }], {
        duration: milliseconds,
        easing: "ease-out",
      });
      continue;
    }
    const now = middle(piece);
    const scale = piece.getScreenCTM()?.a || 1; // a part of a board may be larger than the rest
    const [dx, dy] = [(was.x - now.x) / scale, (was.y - now.y) / scale];
    if (Math.hypot(dx, dy) < 1) continue;
    moving.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], {
      duration: milliseconds,
      easing: "cubic-bezier(.3, .1, .2, 1)",
    });
  }
}

/** Show everything where it is. */
export function settle(frame: Element): void {
  for (const animation of frame.getAnimations({ subtree: true })) animation.finish();
}

function pieces(frame: Element): SVGGElement[] {
  return [...frame.querySelectorAll<SVGGElement>("[data-key]")];
}

function middle(piece: SVGGElement): Spot {
  const { x, y, width, height } = piece.getBoundingClientRect();
  return { x: x + width / 2 + scrollX, y: y + height / 2 + scrollY };
}
