/**
 * Arranges a table within a room, such as the window below the head of a page, so that all that a
 * decision needs is seen at once.
 */

import type { Point } from "../board/geometry.ts";

/** What stands in the room. */
export const PANELS = ["board", "mat", "question", "numbers", "log"] as const;
export type Panel = (typeof PANELS)[number];

/** In pixels, from the room's left top corner. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type Arrangement = Readonly<Record<Panel, Box>>;

/** Sizes in pixels, but the drawings' in units, of which only the proportions count. */
export interface Wanted {
  readonly board: Point;
  /** The size of a mat's drawing. */
  readonly mat: Point;
  readonly players: number;
  /** How many numbers each player has. */
  readonly numbers: number;
  /** Whether the game is replayed. */
  readonly replays: boolean;
  /** How many times as large as usual the numbers and names beside them are. */
  readonly enlarged: number;
}

const GAP = 8;
/** The widths of the column in which the question stands. */
const COLUMNS = [280, 320, 360, 400, 440, 480];
/** The question is at least so high; where a game is replayed, nothing is asked. */
const QUESTION = { asked: 260, replayed: 230 };
/** The heights of the log. */
const LOGS = [144, 220, 300];
/** A mat's heading. */
const HEADING = 24;
/** A row of numbers, a player's name beside them, and one number. */
const ROW = 26;
const NAME = 92;
const NUMBER = 26;
/** A name has so much more where the log beside it is wider than this. */
const LONGER = 110;
const LOG = 420;
/** A mat has at most so many pixels a unit, and at least this part of it. */
const LARGEST = 1.5;
const STEPS = 72;

/** The best of all arrangements in which each panel has room; null if the room is too small. */
export function arrange([width, height]: Point, wanted: Wanted): Arrangement | null {
  let best: { arrangement: Arrangement; worth: number } | null = null;
  for (const column of COLUMNS)
    for (const lines of LOGS)
      for (let step = 1; step <= STEPS; step++) {
        const scale = (LARGEST * step) / STEPS;
        for (const arrangement of all(width, height, column, scale, lines, wanted)) {
          const worth = worthOf(arrangement, scale, wanted);
          if (fits(arrangement, wanted) && worth > (best?.worth ?? 0))
            best = { arrangement, worth };
        }
      }
  return best && named(best.arrangement);
}

/** Gives names, if the log stands beside their numbers, what the log does not need. */
function named(arrangement: Arrangement): Arrangement {
  const { numbers, log } = arrangement;
  const isBeside = numbers.top === log.top && numbers.left < log.left;
  const more = Math.min(LONGER, log.width - LOG);
  if (!isBeside || more <= 0) return arrangement;
  return {
    ...arrangement,
    numbers: { ...numbers, width: numbers.width + more },
    log: { ...log, left: log.left + more, width: log.width - more },
  };
}

/**
 * The ways to arrange: the mat stands below the board, right of it, where the log may stand below it,
 * or below the question; on an upright screen, everything stands below the board, or all but the mat. `lines` is the height of
 * the log, unless it is as high as what is beside it.
 */
function* all(
  width: number,
  height: number,
  column: number,
  scale: number,
  lines: number,
  wanted: Wanted,
): Generator<Arrangement> {
  const [rows, cells] = numbersOf(wanted);
  const [across, down] = [wanted.mat[0] * scale, wanted.mat[1] * scale + HEADING];
  const left = width - column - GAP;
  const side = left + GAP;
  const log = { left: side, top: height - lines, width: column, height: lines };
  const numbers = { left: side, top: log.top - GAP - rows, width: column, height: rows };
  const question = { left: side, top: 0, width: column, height: numbers.top - GAP };

  const board = { left: 0, top: 0, width: left, height: height - down - GAP };
  const below = board.height + GAP;
  const mat = { left: 0, top: below, width: across, height: down };
  const rest = { left: across + GAP, width: left - across - GAP };
  yield {
    board,
    mat,
    question: { ...question, height: height - rows - GAP },
    numbers: { ...numbers, top: height - rows },
    log: { ...rest, top: below, height: down },
  };

  const beside = { ...board, width: left - across - GAP, height };
  const right = { left: beside.width + GAP, top: 0, width: across, height: down };
  yield { board: beside, mat: { ...right, height }, question, numbers, log };

  yield {
    board: beside,
    mat: right,
    question: { ...question, height: height - rows - GAP },
    numbers: { ...numbers, top: height - rows },
    log: { left: right.left, top: down + GAP, width: across, height: height - down - GAP },
  };

  const strip = Math.max(rows, lines);
  const upper = height - strip - GAP;
  yield {
    board: { ...beside, height: upper },
    mat: { ...right, height },
    question: { ...question, height: height - rows - GAP },
    numbers: { ...numbers, top: height - rows },
    log: { left: 0, top: upper + GAP, width: beside.width, height: strip },
  };

  const asked = question.height - down - GAP;
  yield {
    board: { ...board, height },
    mat: { left: side, top: asked + GAP, width: column, height: down },
    question: { ...question, height: asked },
    numbers,
    log,
  };

  const low = height - down - GAP;
  yield {
    board: { ...board, height: upper },
    mat: { left: side, top: low + GAP, width: column, height: down },
    question: { ...question, height: low },
    numbers: { left: 0, top: upper + GAP, width: cells, height: strip },
    log: { left: cells + GAP, top: upper + GAP, width: left - cells - GAP, height: strip },
  };

  const own = Math.max(across, cells);
  const text = { left: own + GAP, width: width - own - GAP };
  // A board that is as wide as the room leaves the rest of the height to the panels.
  const spare = height - GAP - Math.ceil((width * wanted.board[1]) / wanted.board[0]);
  const lower = Math.max(down + GAP + rows, leastOf(wanted) + GAP + lines, spare);
  const at = height - lower;
  yield {
    board: { left: 0, top: 0, width, height: at - GAP },
    mat: { left: 0, top: at, width: own, height: lower - rows - GAP },
    numbers: { left: 0, top: height - rows, width: own, height: rows },
    question: { ...text, top: at, height: lower - lines - GAP },
    log: { ...text, top: height - lines, height: lines },
  };

  const high = { left: 0, top: 0, width: width - across - GAP, height: down };
  const under = { top: down + GAP, height: height - down - GAP };
  yield {
    board: high,
    mat: { left: high.width + GAP, top: 0, width: across, height: down },
    question: { ...under, left: side, width: column },
    numbers: { left: 0, top: under.top, width: left, height: rows },
    log: { left: 0, top: under.top + rows + GAP, width: left, height: under.height - rows - GAP },
  };
}

function numbersOf({ players, numbers, enlarged }: Wanted): Point {
  return [(players + 1) * ROW * enlarged, (NAME + numbers * NUMBER) * enlarged];
}

/** The least height of the question. */
function leastOf({ replays }: Wanted): number {
  return replays ? QUESTION.replayed : QUESTION.asked;
}

/** Whether each panel has the room that it needs; the mat's drawing is `scale` large. */
function fits({ board, mat, question, numbers, log }: Arrangement, wanted: Wanted): boolean {
  const [rows, cells] = numbersOf(wanted);
  return (
    board.width >= 240 &&
    board.height >= 180 &&
    mat.height > 3 * HEADING &&
    question.height >= leastOf(wanted) &&
    numbers.width >= cells &&
    numbers.height >= rows &&
    log.width >= 240 &&
    log.height >= Math.min(...LOGS) - GAP
  );
}

/**
 * The larger both drawings are, the better, the board above all. The question and the log that are
 * large enough are not better for more, and a mat is hardly: only where the room would be empty.
 */
function worthOf(
  { board, mat, question, log }: Arrangement,
  scale: number,
  wanted: Wanted,
): number {
  const shown = scaleOf(board, wanted.board);
  const own = Math.min(scale, scaleOf({ ...mat, height: mat.height - HEADING }, wanted.mat));
  const texts = share(question, ENOUGH.question) ** 0.2 * share(log, ENOUGH.log) ** 0.3;
  const spare = Math.max(own / LARGE, 1) ** 0.01;
  return shown ** 3 * Math.min(own, LARGE) ** 1.2 * spare * Math.min(own / SMALL, 1) ** 2 * texts;
}

/** The part of the area that would be enough for a panel. */
function share({ width, height }: Box, enough: number): number {
  return Math.min(width * height, enough) / enough;
}

/** A mat with so many pixels a unit is large enough. */
const LARGE = 0.75;
/** With fewer than so many, it hardly shows its numbers. */
const SMALL = 0.33;
/** So many square pixels are enough. */
const ENOUGH = { question: 320 * 300, log: 400 * 220 };

function scaleOf({ width, height }: Pick<Box, "width" | "height">, [across, down]: Point): number {
  return Math.max(0, Math.min(width / across, height / down));
}

/**
 * The grid in which each panel has its box: its tracks, and the lines between which it stands. The
 * replay stands below them all.
 */
export function gridOf(arrangement: Arrangement): Record<string, string> {
  const boxes = PANELS.map((panel) => arrangement[panel]);
  const columns = linesOf(boxes.flatMap(({ left, width }) => [left, left + width]));
  const rows = linesOf(boxes.flatMap(({ top, height }) => [top, top + height]));
  const line = (lines: readonly number[], at: number) => lines.indexOf(Math.round(at)) + 1;
  const areas = PANELS.map((panel) => {
    const { left, top, width, height } = arrangement[panel];
    const [from, to] = [line(rows, top), line(rows, top + height)];
    return [
      `--${panel}`,
      `${from} / ${line(columns, left)} / ${to} / ${line(columns, left + width)}`,
    ];
  });
  return {
    "grid-template-columns": tracksOf(columns),
    "grid-template-rows": tracksOf(rows),
    "--replay": `${rows.length} / 1 / auto / -1`,
    ...Object.fromEntries(areas),
  };
}

function linesOf(ends: readonly number[]): number[] {
  return [...new Set([0, ...ends.map(Math.round)])].sort((one, other) => one - other);
}

function tracksOf(lines: readonly number[]): string {
  return lines
    .slice(1)
    .map((at, nth) => `${at - (lines[nth] ?? 0)}px`)
    .join(" ");
}
