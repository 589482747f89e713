/** What the browser says of the screen, followed as it changes. */

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

/** Whether the screen is a phone's, held upright: style/narrow.css draws the same line. */
export const narrow = follows("(max-width: 40rem)");

/** Whether there is room for one column alone, as on a tablet: style/narrow.css draws this line too. */
export const oneColumn = follows("(max-width: 72rem)");
