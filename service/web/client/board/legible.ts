/**
 * Keeps the letters of drawings readable: none is smaller than 12 pixels, however small a sheet is.
 * A text that has no room at this size is folded: `told.tsx` shows it when one points to it.
 */

import { type Area, folded } from "./room.ts";

/** In pixels. */
const LEAST = 12;

/** The size of the least letters in units of a sheet; 0 if it is not shown. */
export function leastOn(sheet: SVGSVGElement): number {
  const scale = sheet.getScreenCTM()?.a ?? 0;
  return scale > 0 ? LEAST / scale : 0;
}

/** Enlarges what is too small on a sheet, and folds what then has no room. */
export function makeLegible(sheet: SVGSVGElement): void {
  const texts = [...sheet.querySelectorAll<SVGTextElement>("text:not(.unfit)")].flatMap((text) => {
    const isLarge = text.closest(".large") !== null;
    const shown = text.parentElement?.checkVisibility({ visibilityProperty: true });
    return shown || isLarge ? [{ text, isLarge, ...enlarged(text) }] : [];
  });
  const whole = sheet.getBoundingClientRect();
  const written = texts.map(({ text, ...rest }) => ({
    ...rest,
    area: text.getBoundingClientRect(),
    // A text that was fitted has its room already.
    room: rest.isLeast && !text.matches(".fitted, .large *") ? roomOf(text, whole) : null,
    said: text.textContent.trim(),
  }));
  const without = folded(written);
  for (const [nth, { text }] of texts.entries())
    text.toggleAttribute("data-folded", without.has(nth));
}

/** Gives a text letters of the least size, if they are drawn smaller. */
function enlarged(text: SVGTextElement) {
  const drawn = Number(text.getAttribute("font-size"));
  const scale = text.getScreenCTM()?.a ?? 0;
  const grown = Math.max(1, LEAST / (drawn * scale || LEAST));
  const size = grown > 1.001 ? `${drawn * grown}px` : "";
  if (text.style.fontSize !== size) text.style.fontSize = size;
  // Letters that are pressed together must not be pressed more.
  const within = text.querySelector("[textLength]") ? 0 : Number(text.dataset.within ?? 1e6);
  return { grown, isLeast: drawn * scale < LEAST * 1.001, within: within * scale };
}

/** A text on a place or piece stays within its outline; another one, on the sheet. */
function roomOf(text: SVGTextElement, whole: Area): Area {
  const halo = text
    .closest(".place, .piece")
    ?.querySelector(":scope > .halo, :scope > .moving > .halo");
  return halo?.getBoundingClientRect() ?? whole;
}
