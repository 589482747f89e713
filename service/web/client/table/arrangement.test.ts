import assert from "node:assert/strict";
import { test } from "node:test";
import type { Point } from "../board/geometry.ts";
import { type Arrangement, arrange, type Box, gridOf, PANELS, type Wanted } from "./arrangement.ts";

const ASKED = { replays: false, enlarged: 1 };
const WIDE: Wanted = { board: [1600, 1000], mat: [480, 170], players: 4, numbers: 4, ...ASKED };
const HIGH: Wanted = { board: [1200, 1116], mat: [600, 1146], players: 4, numbers: 5, ...ASKED };
const MANY: Wanted = { board: [1440, 1000], mat: [520, 356], players: 5, numbers: 11, ...ASKED };
const FIVE: Wanted = { board: [1200, 960], mat: [480, 184], players: 5, numbers: 5, ...ASKED };
const ROOMS: Point[] = [
  [984, 612],
  [1240, 712],
  [1400, 740],
  [1880, 990],
];
const UPRIGHT: Point = [728, 936];

function apart(one: Box, other: Box): boolean {
  return (
    one.left + one.width <= other.left ||
    other.left + other.width <= one.left ||
    one.top + one.height <= other.top ||
    other.top + other.height <= one.top
  );
}

function check(arrangement: Arrangement | null, [width, height]: Point): Arrangement {
  assert.ok(arrangement);
  const boxes = PANELS.map((panel) => arrangement[panel]);
  for (const [nth, box] of boxes.entries()) {
    assert.ok(box.left >= 0 && box.left + box.width <= width);
    assert.ok(box.top >= 0 && box.top + box.height <= height);
    for (const other of boxes.slice(nth + 1)) assert.ok(apart(box, other));
  }
  return arrangement;
}

test("no panel covers another or leaves the room", () => {
  for (const room of ROOMS)
    for (const wanted of [WIDE, HIGH, MANY]) check(arrange(room, wanted), room);
});

test("a low mat stands below the board, a high one beside it", () => {
  const [room = [0, 0]] = ROOMS;
  const low = check(arrange(room, WIDE), room);
  assert.ok(low.mat.top >= low.board.top + low.board.height);
  const high = check(arrange(room, HIGH), room);
  assert.ok(high.mat.left >= high.board.left + high.board.width);
});

test("on an upright screen everything stands below the board", () => {
  for (const wanted of [WIDE, HIGH, MANY]) {
    const { board } = check(arrange(UPRIGHT, wanted), UPRIGHT);
    assert.ok(board.width > 400);
  }
  const { board, mat, question } = check(arrange(UPRIGHT, WIDE), UPRIGHT);
  assert.equal(board.width, UPRIGHT[0]);
  for (const { top } of [mat, question]) assert.ok(top > board.top + board.height);
  // What the board does not need is theirs.
  assert.ok(board.height <= Math.ceil((board.width * WIDE.board[1]) / WIDE.board[0]));
});

test("a larger room has a larger board", () => {
  for (const wanted of [WIDE, HIGH, MANY]) {
    const areas = ROOMS.map((room) => {
      const { width, height } = check(arrange(room, wanted), room).board;
      return Math.min(width / wanted.board[0], height / wanted.board[1]);
    });
    assert.deepEqual(
      areas,
      areas.toSorted((one, other) => one - other),
    );
  }
});

test("names have more room where a log beside them is wide enough", () => {
  const room: Point = [1326, 680];
  const { log, numbers } = check(arrange(room, WIDE), room);
  assert.equal(numbers.top, log.top);
  assert.ok(numbers.width >= 280);
  assert.ok(log.width >= 420);
});

test("a mat is larger where the room would be empty, and no board is smaller for it", () => {
  const room: Point = [2520, 1352];
  const { board, mat } = check(arrange(room, HIGH), room);
  assert.equal(board.height, room[1]);
  assert.ok(mat.width > HIGH.mat[0]);
});

test("a low mat beside the board leaves the rest of its column to the log", () => {
  const room: Point = [1326, 680];
  const { log, mat, numbers, question } = check(arrange(room, FIVE), room);
  assert.equal(log.left, mat.left);
  assert.ok(log.top > mat.top && log.height > 500);
  assert.ok(question.height + numbers.height > 600);
});

test("a room that is too small has no arrangement", () => {
  assert.equal(arrange([520, 500], WIDE), null);
  assert.equal(arrange([984, 300], WIDE), null);
});

test("the grid has a line wherever a panel begins or ends", () => {
  const box = (left: number, top: number, width: number, height: number) => ({
    left,
    top,
    width,
    height,
  });
  const grid = gridOf({
    board: box(0, 0, 500, 300),
    mat: box(0, 310, 200, 90),
    log: box(210, 310, 290, 90),
    question: box(510, 0, 290, 200),
    numbers: box(510, 210, 290, 190),
  });
  assert.equal(grid["grid-template-columns"], "200px 10px 290px 10px 290px");
  assert.equal(grid["grid-template-rows"], "200px 10px 90px 10px 90px");
  assert.equal(grid["--board"], "1 / 1 / 4 / 4");
  assert.equal(grid["--numbers"], "3 / 5 / 6 / 6");
});

test("a board is hardly smaller where the game is replayed, and the replay stands below", () => {
  const [asked, replayed]: [Point, Point] = [
    [1240, 712],
    [1240, 656],
  ];
  const before = check(arrange(asked, FIVE), asked);
  const after = check(arrange(replayed, { ...FIVE, replays: true }), replayed);
  assert.ok(after.board.height > 0.9 * before.board.height);
  const { "grid-template-rows": rows = "", "--replay": replay } = gridOf(after);
  assert.equal(replay, `${rows.split(" ").length + 1} / 1 / auto / -1`);
});

test("the numbers have room for the letters of a reader who has large ones", () => {
  const room: Point = [1880, 990];
  const { numbers } = check(arrange(room, { ...FIVE, enlarged: 1.5 }), room);
  assert.ok(numbers.height >= 6 * 26 * 1.5);
  assert.ok(numbers.width >= (92 + 5 * 26) * 1.5);
});
