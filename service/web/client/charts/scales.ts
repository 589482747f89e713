/** Scales: positions of values on a line, and the ticks. */

export interface Scale {
  readonly ticks: readonly number[];
  at(value: number): number;
}

/**
 * A scale for values from `low` to `high`, extended to round numbers, whose positions go from
 * `start` to `end`.
 */
export function scale(
  [low, high]: readonly [number, number],
  [start, end]: readonly [number, number],
  wanted = 5,
): Scale {
  const step = stepOf((high - low || Math.abs(high) || 1) / wanted);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  const [from, to] = [first * step, last * step];
  return {
    ticks: Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step),
    at: (value) => start + ((value - from) / (to - from)) * (end - start),
  };
}

/** The next round number above: 1, 2 or 5 times a power of ten. */
function stepOf(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5].find((each) => each * power >= rough * 0.999) ?? 10;
  return factor * power;
}

/** The smallest and the largest of some numbers. */
export function extent(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}
