/** Text that is fitted into a space, because SVG does not wrap lines. */

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
 * The largest of these sizes at which a text fits into a box, and the text's lines; the last size
 * if it never fits.
 */
export function fitted(text: string, width: number, height: number, sizes: readonly number[]) {
  for (const size of sizes) {
    const lines = wrapped(text, Math.floor(width / (size * LETTER)));
    const longest = Math.max(...lines.map((line) => line.length));
    const fits = longest * size * LETTER <= width && lines.length * size * LINE <= height;
    if (fits || size === sizes.at(-1)) return { size, lines };
  }
  return { size: 12, lines: [text] };
}

const SIZES = [38, 34, 32, 30, 26, 22, 20, 18, 16, 14, 12, 10];

/**
 * A text centred in a box around the origin (or `at`), as large as possible, but not larger than
 * `max`.
 */
export function Text({
  children: text,
  box: [width, height],
  at: [x, y] = [0, 0],
  max = 22,
  class: own = "",
}: {
  children: string;
  box: readonly [number, number];
  at?: readonly [number, number];
  max?: number;
  class?: string;
}) {
  const { size, lines } = fitted(
    text,
    width,
    height,
    SIZES.filter((size) => size <= max),
  );
  const top = y - ((lines.length - 1) * size * LINE) / 2;
  return (
    <text class={`fitted ${own}`} font-size={size}>
      {lines.map((line, number) => (
        <tspan key={`${number} ${line}`} x={x} y={top + number * size * LINE} dy="0.35em">
          {`${line} `}
        </tspan>
      ))}
    </text>
  );
}
