/** Text that is fitted into a space, because SVG does not wrap lines. */

import type { ComponentChild } from "preact";
import { useSurroundings } from "./elements.tsx";

/** The least size of letters on the screen, in pixels. */
export const LEAST = 12;

/** The size of the least letters in units of a sheet; 0 if it is not shown. */
export function leastOn(sheet: SVGSVGElement): number {
  const scale = sheet.getScreenCTM()?.a;
  return scale ? LEAST / scale : 0;
}

/** The average width of a letter, relative to its height. */
const LETTER = 0.54;
/** Broad letters, relative to the page's. */
const BROAD = 1.2;
const LINE = 1.15;

/** Wraps a text between words, into lines with at most so many letters. */
export function wrapped(text: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/**
 * At the least size, only the letters need room. They are measured on the screen (`legible.ts`), so
 * they are guessed to be slender here.
 */
const SLENDER = 0.48;
/** Where that is not enough, as wide as they are when they are pressed together. */
const PRESSED = 0.43;
const LETTERS_ONLY = 0.4;

/**
 * The largest of these sizes at which a text fits into a box, and the text's lines; the last size
 * if it never fits.
 */
export function fitted(text: string, width: number, height: number, sizes: readonly number[]) {
  let found = { size: 12, lines: [text], fits: true };
  for (const size of sizes) {
    const lines = wrapped(text, Math.floor(width / (size * LETTER)));
    const longest = Math.max(...lines.map((line) => line.length));
    const fits = longest * size * LETTER <= width && lines.length * size * LINE <= height;
    found = { size, lines, fits };
    if (fits) break;
  }
  return found;
}

/**
 * The same with no size below `least`. Unless something else can stand for the text, whether it fits
 * at this size is decided with less space.
 */
function fittedFrom(
  least: number,
  text: string,
  width: number,
  height: number,
  max: number,
  strict = false,
) {
  const sizes = SIZES.filter((size) => size <= max);
  const usual = sizes.filter((size) => size >= least);
  if (usual.length > 0 || strict) {
    const found = fitted(text, width, height, usual.length > 0 ? usual : [least]);
    if (found.fits || least === 0 || strict) return found;
  }
  const slender = atLeast(least, text, width, height, SLENDER);
  return slender.fits ? slender : atLeast(least, text, width, height, PRESSED);
}

/** The lines of a text of the least size, with letters so wide, and whether they fit. */
function atLeast(least: number, text: string, width: number, height: number, letter: number) {
  const lines = wrapped(text, Math.floor(width / (least * letter)));
  const longest = Math.max(...lines.map(lengthOf));
  const high = lines.length * LINE - LETTERS_ONLY;
  const fits = longest * least * letter <= width && high * least <= height;
  return { size: least, lines, fits };
}

/** How many letters of the average width are as wide as a line. */
function lengthOf(line: string): number {
  return line.length - (1 - THIN) * (line.match(/[fijlrtI.,']/g)?.length ?? 0);
}

/** The width of thin letters, relative to the average. */
const THIN = 0.6;

/** Where no letters fit beside the mark of what is left out, a text is folded as a whole. */
const CUT = 3;

/** The beginning of a text that does not fit in letters of the least size; null if none has room. */
export function cut(text: string, width: number, height: number, least: number) {
  const letters = Math.floor(width / (least * SLENDER));
  const count = Math.floor((height / least + LETTERS_ONLY) / LINE);
  if (letters < CUT || count < 1) return null;
  const all = wrapped(text, letters);
  const lines = all.slice(0, count).map((line, nth) => {
    const goesOn = nth === count - 1 && all.length > count;
    if (line.length <= letters - Number(goesOn)) return goesOn ? `${line}…` : line;
    return `${line.slice(0, letters - 1).trimEnd()}…`;
  });
  return { size: least, lines };
}

const SIZES = [38, 34, 32, 30, 26, 22, 20, 18, 16, 14, 12, 10];

interface Boxed {
  readonly children: string;
  readonly box: readonly [number, number];
  readonly at?: readonly [number, number];
  readonly max?: number;
  /** Whether its letters are as broad as bold ones of a serif font. */
  readonly broad?: boolean;
  /**
   * What stands there where the text has no room in letters that can be read: another text, or
   * around the middle of the box a drawing, whose letters have the given size. By default it is the
   * beginning of the text.
   */
  readonly short?: string | ((size: number) => ComponentChild) | undefined;
  readonly class?: string;
}

/** The size in units of the least letters that can be read on the screen; 0 where it is not known, and on sheets that are not shown. */
export function useLeast(): number {
  return useSurroundings()?.least ?? 0;
}

/**
 * A text centred in a box around the origin (or `at`), as large as possible, but not larger than
 * `max` unless only larger letters can be read on the screen. Where it has no room then, something
 * shorter stands for it, and `told.tsx` shows the whole text when one points to it.
 */
export function Text(props: Boxed) {
  const least = useLeast();
  const { children: text, box, max = 22, broad = false, short, at: [x, y] = [0, 0] } = props;
  const [width, height] = [box[0] / (broad ? BROAD : 1), box[1]];
  const draws = typeof short === "function";
  const whole = fittedFrom(least, text, width, height, max, draws);
  if (whole.fits || least === 0) return lined(props, whole);
  if (draws)
    return (
      <g class="cut" data-whole={text} transform={`translate(${x} ${y})`}>
        {short(least)}
      </g>
    );
  const shorter = short ? fittedFrom(least, short, width, height, max) : whole;
  if (shorter.fits) return lined(props, shorter);
  const begun = cut(short || text, width, height, least);
  return begun ? lined(props, begun, "cut") : lined(props, whole, "unfit");
}

function lined(
  { children: text, box: [width], at: [x, y] = [0, 0], class: own = "" }: Boxed,
  { size, lines }: { readonly size: number; readonly lines: readonly string[] },
  shown = "",
) {
  const first = 0.35 - ((lines.length - 1) * LINE) / 2;
  return (
    <text
      class={`fitted ${shown} ${own}`}
      font-size={size}
      y={y}
      data-within={width}
      data-whole={shown === "cut" ? text : undefined}
    >
      {lines.map((line, number) => (
        <tspan key={`${number} ${line}`} x={x} dy={`${number === 0 ? first : LINE}em`}>
          {`${line} `}
        </tspan>
      ))}
    </text>
  );
}
