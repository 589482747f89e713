/** Text that is fitted into a space, because SVG does not wrap lines. */

import { useContext } from "preact/hooks";
import { Around } from "./elements.tsx";

/** The least size of letters on the screen, in pixels. */
export const LEAST = 12;

/** The size of the least letters in units of a sheet; 0 if it is not shown. */
export function leastOn(sheet: SVGSVGElement): number {
  const scale = sheet.getScreenCTM()?.a ?? 0;
  return scale > 0 ? LEAST / scale : 0;
}

/** The average width of a letter, relative to its height. */
const LETTER = 0.54;
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
 * At the least size, only the letters need room, and they may exceed the box by a tenth. They are
 * measured on the screen (`legible.ts`), so they are guessed to be slender here.
 */
const SLENDER = 0.48;
/** Where that is not enough, as wide as they are when they are pressed together. */
const PRESSED = 0.43;
const LETTERS_ONLY = 0.4;
const BEYOND = 1.1;

/**
 * The largest of these sizes at which a text fits into a box, and the text's lines; the last size
 * if it never fits.
 */
export function fitted(text: string, width: number, height: number, sizes: readonly number[]) {
  for (const size of sizes) {
    const lines = wrapped(text, Math.floor(width / (size * LETTER)));
    const longest = Math.max(...lines.map((line) => line.length));
    const fits = longest * size * LETTER <= width && lines.length * size * LINE <= height;
    if (fits || size === sizes.at(-1)) return { size, lines, fits };
  }
  return { size: 12, lines: [text], fits: true };
}

/** The same with no size below `least`; whether the text fits is decided with less space then. */
function fittedFrom(least: number, text: string, width: number, height: number, max: number) {
  const sizes = SIZES.filter((size) => size <= max);
  const usual = sizes.filter((size) => size >= least);
  if (usual.length > 0) {
    const found = fitted(text, width, height, usual);
    if (found.fits || least === 0) return found;
  }
  const slender = atLeast(least, text, width, height, SLENDER);
  return slender.fits ? slender : atLeast(least, text, width, height, PRESSED);
}

/** The lines of a text of the least size, with letters so wide, and whether they fit. */
function atLeast(least: number, text: string, width: number, height: number, letter: number) {
  const lines = wrapped(text, Math.floor(width / (least * letter)));
  const longest = Math.max(...lines.map((line) => line.length));
  const high = lines.length * LINE - LETTERS_ONLY;
  const fits = longest * least * letter <= width && high * least <= height;
  return { size: least, lines, fits };
}

const SIZES = [38, 34, 32, 30, 26, 22, 20, 18, 16, 14, 12, 10];

interface Boxed {
  readonly children: string;
  readonly box: readonly [number, number];
  readonly at?: readonly [number, number];
  readonly max?: number;
  /** What it says where the text has no room in letters that can be read. */
  readonly short?: string;
  readonly class?: string;
}

/**
 * A text centred in a box around the origin (or `at`), as large as possible, but not larger than
 * `max` unless only larger letters can be read on the screen. What has no room then is folded; see
 * `legible.ts`.
 */
export function Text(props: Boxed) {
  return boxed(props, useContext(Around)?.least ?? 0);
}

/** The same, with the least size of letters. */
export function boxed(
  {
    children: text,
    box: [width, height],
    at: [x, y] = [0, 0],
    max = 22,
    class: own = "",
    short,
  }: Boxed,
  least: number,
) {
  const whole = fittedFrom(least, text, width, height, max);
  const { size, lines, fits } =
    whole.fits || least === 0 || !short ? whole : fittedFrom(least, short, width, height, max);
  const first = 0.35 - ((lines.length - 1) * LINE) / 2;
  return (
    <text
      class={`fitted ${fits || least === 0 ? "" : "unfit"} ${own}`}
      font-size={size}
      y={y}
      data-within={width * BEYOND}
    >
      {lines.map((line, number) => (
        <tspan key={`${number} ${line}`} x={x} dy={`${number === 0 ? first : LINE}em`}>
          {`${line} `}
        </tspan>
      ))}
    </text>
  );
}
