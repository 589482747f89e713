/**
 * Keeps the letters of drawings readable: none is smaller than 12 pixels, however small a sheet is.
 * A text that has no room at this size is folded: `told.tsx` shows it when one points to it.
 */

import { wordsOf } from "./elements.tsx";
import { type Area, FOLDED, folded, isWord } from "./room.ts";
import { LEAST } from "./text.tsx";

/** Marks a line whose letters are pressed together, at most to this part of their width. */
const PRESSED = "data-pressed";
const NARROWEST = 0.8;
/** Has the whole of a line of which only the beginning has room, and how that ends. */
const CUT = "data-cut";
const END = "…";

/** What is known of each sheet that was measured, at a size of the least letters. */
const measured = new WeakMap<SVGSVGElement, { least: number; changes: Changes }>();

/**
 * Whether a sheet is as it was when it was made legible, such as the mat of somebody who did not
 * move; if not, it is to be made so.
 */
export function isLegible(sheet: SVGSVGElement, least: number): boolean {
  const known = measured.get(sheet);
  if (known?.least === least && !known.changes.any) return true;
  measured.set(sheet, { least, changes: known?.changes ?? new Changes(sheet) });
  return false;
}

/** Whether a sheet has changed in a way that its texts may depend on. */
class Changes {
  private noted = false;
  private readonly observer = new MutationObserver((records) => this.note(records));

  constructor(sheet: SVGSVGElement) {
    const all = { attributes: true, characterData: true, childList: true, subtree: true };
    this.observer.observe(sheet, all);
  }

  get any(): boolean {
    this.note(this.observer.takeRecords());
    return this.noted;
  }

  /** Forgets all changes so far. */
  forget(): void {
    this.observer.takeRecords();
    this.noted = false;
  }

  private note(records: readonly MutationRecord[]): void {
    this.noted ||= records.some(
      ({ type, attributeName, target }) =>
        type !== "attributes" ||
        !(SILENT.test(attributeName ?? "") || (target as Element).matches(".hit")),
    );
  }
}

/** Attributes on which no text depends. */
const SILENT = /^(aria-.*|role|tabindex|data-(does|hushed|looked|target))$/;

/**
 * Enlarges what is too small on sheets, and measures it; the returned function folds what then has no
 * room.
 */
export function makeLegible(sheets: readonly SVGSVGElement[]): () => void {
  for (const sheet of sheets) {
    for (const line of sheet.querySelectorAll(`[${PRESSED}]`)) {
      line.removeAttribute(PRESSED);
      line.removeAttribute("textLength");
    }
    for (const line of sheet.querySelectorAll<SVGElement>(`[${CUT}]`)) {
      const { dataset, firstChild } = line;
      // Unless it was drawn anew since.
      if (firstChild && line.textContent.endsWith(END)) firstChild.nodeValue = dataset.cut ?? "";
      line.removeAttribute(CUT);
    }
  }
  const enlargedOn = sheets.map(enlargedTexts);
  for (const { text, size } of enlargedOn.flat())
    if (text.style.fontSize !== size) text.style.fontSize = size;
  const written = sheets.map((sheet, nth) => writtenOn(sheet, enlargedOn[nth] ?? []));
  return () => {
    for (const [nth, sheet] of sheets.entries()) {
      fold(sheet, written[nth] ?? []);
      measured.get(sheet)?.changes.forget();
    }
  };
}

/** The texts that are shown on a sheet, or may be on a large card. */
function enlargedTexts(sheet: SVGSVGElement) {
  const scales = new Map<Element | null, number>();
  return [...sheet.querySelectorAll<SVGTextElement>("text:not(.unfit)")].flatMap((text) => {
    const isLarge = text.closest(".large") !== null;
    const shown = text.parentElement?.checkVisibility({ visibilityProperty: true });
    if (!shown && !isLarge) return [];
    // A browser takes long to tell the scale of a text, and most of a sheet have the same.
    const within = text.closest(SCALED);
    const scale = scales.get(within) ?? text.getScreenCTM()?.a ?? 0;
    scales.set(within, scale);
    return [{ text, isLarge, ...enlarged(text, scale) }];
  });
}

/** What may have another scale than what is around it. */
const SCALED = "[transform*=scale], [transform*=rotate], svg";

function writtenOn(sheet: SVGSVGElement, texts: ReturnType<typeof enlargedTexts>) {
  const whole = sheet.getBoundingClientRect();
  const order = new Map(
    [...sheet.querySelectorAll("text, .piece")].map((each, nth) => [each, nth]),
  );
  const pieces = [...sheet.querySelectorAll(".piece")].flatMap((piece) => {
    const halo = piece.querySelector(":scope > .halo, :scope > .moving > .halo");
    return halo ? [{ nth: order.get(piece) ?? 0, area: halo.getBoundingClientRect() }] : [];
  });
  return texts.map((each) => ({
    ...each,
    ...areaOf(each.text, each),
    // A text that was fitted has its room already.
    room: each.isLeast && !each.text.matches(".fitted, .large *") ? roomOf(each.text, whole) : null,
    above:
      each.isLeast && isWord(each.text.textContent)
        ? aboveOf(order.get(each.text) ?? 0, pieces)
        : [],
    said: each.text.textContent.trim(),
    kind: kindOf(each.text),
  }));
}

/**
 * Names buttons by their texts as they are seen, where these are not in the name: a beginning with
 * "…" that other texts follow.
 */
export function nameAsSeen(sheet: SVGSVGElement): void {
  for (const button of sheet.querySelectorAll<SVGElement>("[data-target]")) {
    const texts = [...button.querySelectorAll("text")];
    const seen = texts.map(({ textContent }) => textContent.trim()).join(" ");
    if (!wordsOf(button.getAttribute("aria-label") ?? "").includes(wordsOf(seen).trim()))
      button.setAttribute("aria-label", `${button.dataset.does}, ${seen}`);
  }
}

/** Folds the texts that have no room, and presses lines together that are a little too wide. */
function fold(sheet: SVGSVGElement, written: ReturnType<typeof writtenOn>): void {
  const unfit = [...sheet.querySelectorAll<SVGTextElement>("text.unfit:not(.large *)")];
  const without = folded(written, unfit.map(kindOf));
  for (const [nth, { text, pressed, begun }] of written.entries()) {
    text.toggleAttribute("data-folded", without.has(nth));
    for (const [line, letters] of begun) {
      line.setAttribute(CUT, line.textContent);
      if (line.firstChild)
        line.firstChild.nodeValue = `${line.textContent.slice(0, letters).trimEnd()}${END}`;
    }
    for (const [line, width] of pressed) {
      line.setAttribute(PRESSED, "");
      line.setAttribute("textLength", `${width}`);
      line.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
  }
  for (const card of sheet.querySelectorAll(".large"))
    card.toggleAttribute("data-wordless", card.querySelector(FOLDED) !== null);
}

/** How a text is enlarged, if its letters are drawn smaller than the least size. */
function enlarged(text: SVGTextElement, scale: number) {
  const drawn = Number(text.getAttribute("font-size"));
  const grown = Math.max(1, LEAST / (drawn * scale || LEAST));
  const size = grown > 1.001 ? `${drawn * grown}px` : "";
  // Letters that are pressed together must not be pressed more.
  const within = text.querySelector("[textLength]") ? 0 : Number(text.dataset.within ?? 1e6);
  return { size, scale, grown, isLeast: drawn * scale < LEAST * 1.001, within: within * scale };
}

/**
 * Where a text is written. Lines that are a little too wide are pressed together; of wider ones, if
 * they were fitted, only the beginning is shown.
 */
function areaOf(text: SVGTextElement, { within, scale, isLeast }: ReturnType<typeof enlarged>) {
  const { left, right, top, bottom } = text.getBoundingClientRect();
  const whole = { area: { left, right, top, bottom }, pressed: [], begun: [] };
  const beyond = right - left - within;
  if (!isLeast || beyond <= 0) return whole;
  const area = { left: left + beyond / 2, right: right - beyond / 2, top, bottom };
  const width = within / scale;
  const lines = [...text.querySelectorAll("tspan")].filter(
    (line) => line.getComputedTextLength() > width,
  );
  if (within >= (right - left) * NARROWEST)
    return { area, pressed: lines.map((line) => [line, width] as const), begun: [] };
  if (!text.matches(".fitted") || within === 0) return whole;
  return { area, pressed: [], begun: lines.map((line) => [line, lettersIn(line, width)] as const) };
}

/** How many letters of a line have room before the mark of what is left out. */
function lettersIn(line: SVGTSpanElement, width: number): number {
  let letters = line.getNumberOfChars() - 1;
  const room = width - line.getSubStringLength(0, 1);
  while (letters > 1 && line.getSubStringLength(0, letters) > room) letters--;
  return letters;
}

/** A text on a place or piece stays within its outline; another one, on the sheet. */
function roomOf(text: SVGTextElement, whole: Area): Area {
  const halo = text
    .closest(".place, .piece")
    ?.querySelector(":scope > .halo, :scope > .moving > .halo");
  return halo?.getBoundingClientRect() ?? whole;
}

/** The areas of the pieces that come after a text, by their numbers in the order of the document. */
function aboveOf(
  text: number,
  pieces: readonly { readonly nth: number; readonly area: Area }[],
): Area[] {
  return pieces.filter(({ nth }) => nth > text).map(({ area }) => area);
}

/** The kind of the place or piece on which a text stands, and its role there: names, numbers. */
function kindOf(text: SVGTextElement): string | null {
  const at = text.closest<SVGGElement>(".place, .piece")?.dataset;
  if (!at) return null;
  const role = [...text.classList].filter((name) => name !== "unfit" && name !== "cut");
  return [at.kind ?? at.piece?.split(":", 1)[0], ...role].join(" ");
}
