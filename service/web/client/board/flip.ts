/**
 * Animates pieces from their old to their new places (the technique "first, last, invert, play");
 * their keys identify them. Nothing waits for an animation: the board is updated at once, and its
 * pieces only seem to move.
 */

interface Spot {
  readonly x: number;
  readonly y: number;
  /** The scale at this position: a part of a board may be drawn larger than the rest. */
  readonly scale: number;
}

/** The positions of pieces relative to the frame, so that scrolling does not change them. */
export function positions(frame: Element): Map<string, Spot> {
  const box = frame.getBoundingClientRect();
  return new Map(pieces(frame).map((piece) => [piece.dataset.key ?? "", spot(piece, box)]));
}

export function glide(
  frame: Element,
  before: ReadonlyMap<string, Spot>,
  milliseconds: number,
): void {
  if (before.size === 0) return;
  for (const running of frame.getAnimations({ subtree: true })) running.cancel();
  const box = frame.getBoundingClientRect();
  for (const piece of pieces(frame)) {
    const moving = piece.querySelector<SVGGElement>(".moving");
    const was = before.get(piece.dataset.key ?? "");
    if (!moving) continue;
    if (was === undefined) {
      moving.animate([{ opacity: 0 }, { opacity: 1 }], {
        duration: milliseconds,
        easing: "ease-out",
      });
      continue;
    }
    const now = spot(piece, box);
    const [dx, dy] = [(was.x - now.x) / now.scale, (was.y - now.y) / now.scale];
    if (Math.hypot(dx, dy) < 1) continue;
    moving.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], {
      duration: milliseconds,
      easing: "cubic-bezier(.3, .1, .2, 1)",
    });
  }
}

/** Runs a callback after the next frame; the returned function cancels it. */
export function afterDrawing(what: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(what);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** Ends all animations: every piece is shown at its place. */
export function settle(frame: Element): void {
  for (const animation of frame.getAnimations({ subtree: true })) animation.finish();
}

function pieces(frame: Element): SVGGElement[] {
  return [...frame.querySelectorAll<SVGGElement>("[data-key]")];
}

/** A piece's position in the frame's box, even while its drawing is moving. */
function spot(piece: SVGGElement, { x, y }: DOMRect): Spot {
  const { a = 1, e = 0, f = 0 } = piece.getScreenCTM() ?? {};
  return { x: e - x, y: f - y, scale: a || 1 };
}
