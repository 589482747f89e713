/** The room of the log's panel: the latest event is seen in it, however long it is. */

import { tableWords } from "./words.ts";

/**
 * Leaves effects out of the shown event as long as it is higher than the panel, and says how many;
 * a single one that is higher has no icons.
 */
export function fit(list: HTMLElement): void {
  const here = list.querySelector<HTMLElement>(".here");
  for (const cut of list.querySelectorAll<HTMLElement>(".line:has(.more:not([hidden]))"))
    show(cut, Infinity);
  reach(list, here);
  if (!here) return;
  if (here.classList.contains("bare")) here.classList.remove("bare");
  const isHigh = () => here.offsetHeight > list.clientHeight;
  for (let kept = effectsOf(here).length - 1; isHigh() && kept > 0; kept--) show(here, kept);
  if (isHigh()) here.classList.add("bare");
}

function effectsOf(line: HTMLElement): HTMLElement[] {
  return [...line.querySelectorAll<HTMLElement>(".effect")];
}

function show(line: HTMLElement, kept: number): void {
  const effects = effectsOf(line);
  for (const [index, effect] of effects.entries()) effect.hidden = index >= kept;
  const more = line.querySelector<HTMLElement>(".more");
  if (!more) return;
  more.hidden = kept >= effects.length;
  more.dataset.text = tableWords.peek().andMore(effects.length - kept);
}

/** If Tab reaches no line any more, it reaches the shown one. */
function reach(list: HTMLElement, here: HTMLElement | null): void {
  if (list.querySelector("[tabindex='0']")) return;
  const item = here ?? [...list.querySelectorAll<HTMLElement>("[role=treeitem]")].at(-1);
  if (item) item.tabIndex = 0;
}

/** Scrolls to the shown event, unless somebody walks through the lines with the keyboard. */
export function toLatest(list: HTMLElement): void {
  if (list.querySelector(":focus-visible")) return;
  const here = list.querySelector<HTMLElement>(".here");
  if (!here) {
    list.scrollTop = list.scrollHeight;
    return;
  }
  const below = list.clientHeight - here.offsetHeight;
  const isLast = here === [...list.querySelectorAll(".line")].at(-1);
  list.scrollTop = here.offsetTop - Math.max(0, isLast ? below : below / 2);
}
