/** The screen's media queries, followed as they change. */

import { type ReadonlySignal, signal } from "@preact/signals";

/** Whether a media query holds. */
export function follows(query: string): ReadonlySignal<boolean> {
  const media = matchMedia(query);
  const value = signal(media.matches);
  media.addEventListener("change", () => {
    value.value = media.matches;
  });
  return value;
}

/** Whether the screen is an upright phone's: style/narrow.css uses the same limit. */
export const narrow = follows("(max-width: 40rem)");

/**
 * Whether there is room for only one column, as on a tablet: style/narrow.css uses the same limit.
 */
export const oneColumn = follows("(max-width: 72rem)");

/** Whether fingers use a phone, upright or held across: style/narrow.css uses the same limits. */
export const handheld = follows(
  ["(max-width: 40rem)", "(max-height: 30rem) and (max-width: 72rem)"]
    .map((phone) => `(pointer: coarse) and ${phone}`)
    .join(),
);

/** How many times as large as usual the reader's browser has letters. */
export const enlarged = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

/** The size of the window in pixels. */
export const size = signal<readonly [number, number]>([innerWidth, innerHeight]);
addEventListener("resize", () => {
  size.value = [innerWidth, innerHeight];
});
