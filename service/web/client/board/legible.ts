/**
 * Keeps the letters of drawings readable: none is smaller than 12 pixels, however small a sheet is.
 * A text that has no room at this size is folded: `told.tsx` shows it when one points to it.
 */

import { wordsOf } from "./elements.tsx";
import { type Area, FOLDED, folded, isWord, narrowed } from "./room.ts";
import { LEAST } from "./text.tsx";

/** Marks a line whose letters are pressed together, at most to this part of their width. */
const PRESSED = "data-pressed";
const NARROWEST = 0.8;
/** Has the whole of a line of which only the beginning has room, and how that ends. */
const CUT = "data-cut";
const END = "…";

/** What is known of each sheet that was measured. */
const measured = new WeakMap<SVGSVGElement, Known>();

/**
 * Whether a sheet is as it was when it was made legible, such as the mat of somebody who did not
 * move; if not, it is to be made so.
 */
export function isLegible(sheet: SVGSVGElement, least: number): boolean {
  const known = measured.get(sheet);
  if (known?.least === least) return !known.hasChanged;
  known?.end();
  measured.set(sheet, new Known(sheet, least));
  return false;
}

/**
 * What was measured of a sheet, at a size of the least letters: texts, null for those that are not
 * shown, and the areas of pieces. What may have changed since is not in it.
 */
class Known {
  readonly texts = new WeakMap<SVGTextElement, Measured | null>();
  readonly pieces = new WeakMap<Element, Area | null>();
  readonly least: number;
  #changed = true;
  readonly #observer = new MutationObserver((records) => this.#note(records));

  constructor(sheet: SVGSVGElement, least: number) {
    this.least = least;
    const all = { attributes: true, characterData: true, childList: true, subtree: true };
    this.#observer.observe(sheet, all);
  }

  end(): void {
    this.#observer.disconnect();
  }

  /** Whether the sheet has changed in a way that its texts may depend on. */
  get hasChanged(): boolean {
    this.#note(this.#observer.takeRecords());
    return this.#changed;
  }

  /** The sheet is legible as it is now. */
  settle(): void {
    this.#observer.takeRecords();
    this.#changed = false;
  }

  forget(within: Element): void {
    for (const each of [within, ...within.querySelectorAll("text, .piece")]) {
      this.texts.delete(each as SVGTextElement);
      this.pieces.delete(each);
    }
  }

  #note(records: readonly MutationRecord[]): void {
    for (const { type, attributeName, target, addedNodes } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      const isSilent = type === "attributes" && SILENT.test(attributeName ?? "");
      if (!element || isSilent || element.matches(".hit")) continue;
      this.#changed = true;
      // A place or piece has the outline within which its texts stay.
      const around = element.closest(".place, .piece") ?? element.closest("text");
      if (around) this.forget(around);
      else if (type === "attributes") this.forget(element);
      else for (const added of addedNodes) if (added instanceof Element) this.forget(added);
    }
  }
}

/** Attributes on which no text depends. */
const SILENT = /^(aria-.*|role|tabindex|data-(does|hushed|looked|target|through))$/;

/**
 * Enlarges what is too small on sheets, and measures it; the returned function folds what then has no
 * room. What did not change since it was measured stays as it is.
 */
export function makeLegible(sheets: readonly SVGSVGElement[]): () => void {
  const all = sheets.flatMap((sheet) => {
    const known = measured.get(sheet);
    if (!known) return [];
    const texts = [...sheet.querySelectorAll<SVGTextElement>("text:not(.unfit)")];
    return [{ sheet, known, texts, unknown: texts.filter((text) => !known.texts.has(text)) }];
  });
  for (const { unknown } of all) unknown.forEach(unpress);
  const enlargedOn = all.map(({ unknown }) => enlargedTexts(unknown));
  for (const { text, size } of enlargedOn.flat())
    if (text.style.fontSize !== size) text.style.fontSize = size;
  const written = all.map(({ sheet, known, texts, unknown }, nth) => {
    for (const text of unknown) known.texts.set(text, null);
    const at = sheet.getScreenCTM() ?? new DOMMatrix();
    for (const each of enlargedOn[nth] ?? []) known.texts.set(each.text, measuredText(each, at));
    return writtenOn(sheet, known, texts, at);
  });
  return () => {
    for (const [nth, { sheet, known, unknown }] of all.entries()) {
      for (const text of unknown) {
        const found = known.texts.get(text);
        if (found) press(found);
      }
      fold(sheet, written[nth] ?? []);
      // What still moves is measured again later.
      for (const { effect } of sheet.getAnimations({ subtree: true }))
        if (effect instanceof KeyframeEffect && effect.target) known.forget(effect.target);
      known.settle();
    }
  };
}

/** Draws the lines of a text as wide as they are, to be measured. */
function unpress(text: SVGTextElement): void {
  for (const line of text.querySelectorAll(`[${PRESSED}]`)) {
    line.removeAttribute(PRESSED);
    line.removeAttribute("textLength");
  }
  for (const line of text.querySelectorAll<SVGElement>(`[${CUT}]`)) {
    const { dataset, firstChild } = line;
    // Unless it was drawn anew since.
    if (firstChild && line.textContent.endsWith(END)) firstChild.nodeValue = dataset.cut ?? "";
    line.removeAttribute(CUT);
  }
}

/** Those of texts that are shown on a sheet, or may be on a large card. */
function enlargedTexts(texts: readonly SVGTextElement[]) {
  const scales = new Map<Element | null, number>();
  return texts.flatMap((text) => {
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

type Enlarged = ReturnType<typeof enlargedTexts>[number];
type Measured = ReturnType<typeof measuredText>;

/** In pixels from the origin of the sheet, which is at `at`; a page can be scrolled. */
function measuredText(each: Enlarged, at: DOMMatrix) {
  const { text, isLeast } = each;
  // A text that was fitted has its room already; another stays within an outline, or on the sheet.
  const isFree = isLeast && !text.matches(".fitted, .large *");
  return {
    ...each,
    ...writtenAt(each, at),
    isFree,
    room: isFree ? outlineOf(text.closest(".place, .piece"), at) : null,
    said: text.textContent.trim(),
    kind: kindOf(text),
  };
}

function areaOf(element: Element, { e, f }: DOMMatrix): Area {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return { left: left - e, right: right - e, top: top - f, bottom: bottom - f };
}

/** All texts of a sheet that are shown, with the pieces that are drawn above each of them. */
function writtenOn(
  sheet: SVGSVGElement,
  { texts, pieces }: Known,
  drawn: readonly SVGTextElement[],
  at: DOMMatrix,
) {
  const whole = areaOf(sheet, at);
  const order = new Map(
    [...sheet.querySelectorAll("text, .piece")].map((each, nth) => [each, nth]),
  );
  const outlines = [...sheet.querySelectorAll(".piece")].flatMap((piece) => {
    const area = pieces.has(piece) ? pieces.get(piece) : outlineOf(piece, at);
    pieces.set(piece, area ?? null);
    return area ? [{ nth: order.get(piece) ?? 0, area }] : [];
  });
  return drawn.flatMap((text) => {
    const known = texts.get(text);
    if (!known) return [];
    const room = known.isFree ? (known.room ?? whole) : null;
    const covered = known.isLeast && isWord(known.said);
    return [{ ...known, room, above: covered ? aboveOf(order.get(text) ?? 0, outlines) : [] }];
  });
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

/** Folds the texts that have no room. */
function fold(sheet: SVGSVGElement, written: ReturnType<typeof writtenOn>): void {
  const unfit = [...sheet.querySelectorAll<SVGTextElement>("text.unfit:not(.large *)")];
  const without = folded(written, unfit.map(kindOf));
  for (const [nth, { text }] of written.entries())
    text.toggleAttribute("data-folded", without.has(nth));
  for (const card of sheet.querySelectorAll(".large"))
    card.toggleAttribute("data-wordless", card.querySelector(FOLDED) !== null);
}

/** Presses lines together that are a little too wide, and shows only the beginning of wider ones. */
function press({ pressed, begun }: Measured): void {
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
function writtenAt({ text, within, scale, isLeast }: Enlarged, at: DOMMatrix) {
  const area = areaOf(text, at);
  const { left, right } = area;
  const whole = { area, pressed: [], begun: [] };
  const beyond = right - left - within;
  if (!isLeast || beyond <= 0) return whole;
  const narrower = narrowed(area, beyond, getComputedStyle(text).textAnchor);
  const width = within / scale;
  const lines = [...text.querySelectorAll("tspan")].filter(
    (line) => line.getComputedTextLength() > width,
  );
  if (within >= (right - left) * NARROWEST)
    return { area: narrower, pressed: lines.map((line) => [line, width] as const), begun: [] };
  if (!text.matches(".fitted") || within === 0) return whole;
  const begun = lines.map((line) => [line, lettersIn(line, width)] as const);
  return { area: narrower, pressed: [], begun };
}

/** How many letters of a line have room before the mark of what is left out. */
function lettersIn(line: SVGTSpanElement, width: number): number {
  let letters = line.getNumberOfChars() - 1;
  const room = width - line.getSubStringLength(0, 1);
  while (letters > 1 && line.getSubStringLength(0, letters) > room) letters--;
  return letters;
}

/** Where the outline of a place or piece is. */
function outlineOf(element: Element | null, at: DOMMatrix): Area | null {
  const halo = element?.querySelector(":scope > .halo, :scope > .moving > .halo");
  return halo ? areaOf(halo, at) : null;
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
