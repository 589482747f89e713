import assert from "node:assert/strict";
import { test } from "node:test";
import { type Area, folded, narrowed, type Written } from "./room.ts";

const SHEET: Area = { left: 0, top: 0, right: 500, bottom: 300 };

function written(said: string, left: number, top: number, more: Partial<Written> = {}): Written {
  const area = { left, top, right: left + 7 * said.length, bottom: top + 14 };
  const rest = {
    kind: null,
    room: SHEET,
    above: [],
    within: 1000,
    grown: 1.5,
    isLeast: true,
    isLarge: false,
  };
  return { said, area, ...rest, ...more };
}

const left = (...texts: Written[]) => [...folded(texts)].map((nth) => texts[nth]?.said);

test("a line that gets narrower stays where it is anchored", () => {
  const ends = (anchor: string) => {
    const { left, right } = narrowed({ left: 10, right: 50, top: 0, bottom: 14 }, 20, anchor);
    return [left, right];
  };
  assert.deepEqual(ends("start"), [10, 30]);
  assert.deepEqual(ends("middle"), [20, 40]);
  assert.deepEqual(ends("end"), [30, 50]);
});

test("texts that have room stay", () => {
  assert.deepEqual(left(written("wine", 10, 10), written("oil", 60, 10), written("3", 90, 10)), []);
});

test("of two texts in one place, numbers stay before words, and the least grown words", () => {
  assert.deepEqual(left(written("wine", 10, 10), written("12", 20, 12)), ["wine"]);
  const much = written("wine", 10, 10, { grown: 2 });
  assert.deepEqual(left(much, written("silver", 20, 12)), ["wine"]);
});

test("a text that is larger than the least always stays", () => {
  const large = { grown: 1, isLeast: false };
  assert.deepEqual(left(written("wine", 10, 10, large), written("oil", 12, 10, large)), []);
  assert.deepEqual(left(written("3", 10, 10), written("wine", 8, 10, large)), ["3"]);
});

test("a text stays within its place, or as far as it reached when drawn", () => {
  const room = { left: 20, top: 0, right: 50, bottom: 20 };
  assert.deepEqual(left(written("wine", 21, 2, { room })), []);
  assert.deepEqual(left(written("wine and oil", 21, 2, { room })), ["wine and oil"]);
  assert.deepEqual(left(written("a name", 14, 2, { room, grown: 1.1 })), []);
  assert.deepEqual(left(written("wine", 490, 10)), ["wine"]);
});

test("a word is not covered by a piece", () => {
  const above = [{ left: 34, top: 8, right: 50, bottom: 26 }];
  assert.deepEqual(left(written("wine", 10, 10, { above })), ["wine"]);
  assert.deepEqual(left(written("wine", 7, 10, { above })), []);
  assert.deepEqual(left(written("1234", 10, 10, { above })), []);
});

test("a text is no wider than it may be", () => {
  assert.deepEqual(left(written("wine", 10, 10, { room: null, within: 27 })), []);
  assert.deepEqual(left(written("wine", 10, 10, { room: null, within: 20 })), ["wine"]);
});

test("a large card is above everything", () => {
  const large = { isLarge: true, room: null };
  assert.deepEqual(left(written("3", 10, 10, large), written("3", 10, 10)), []);
});

test("where half of the words of a kind have no room, none of the kind is shown", () => {
  const port = { kind: "port" };
  const ports = [written("Lisbon", 10, 10, port), written("Genoa", 10, 90, port)];
  const cadiz = [written("Cadiz", 200, 10, port), written("12", 210, 12, port)];
  assert.deepEqual(left(...ports, ...cadiz), ["Cadiz"]);
  const malta = [written("Malta", 300, 10, port), written("7", 310, 12, port)];
  const all = [...ports, ...cadiz, ...malta];
  assert.deepEqual(left(...all).sort(), ["Cadiz", "Genoa", "Lisbon", "Malta"]);
  assert.deepEqual([...folded(ports, ["port", "port"])], [0, 1]);
  assert.deepEqual([...folded(ports, ["port"])], []);
});

test("where pieces cover half of the words of a kind, none of the kind is shown", () => {
  const above = [{ left: 14, top: 8, right: 50, bottom: 26 }];
  const market = written("Market", 10, 10, { kind: "hex", above });
  const dock = written("Dock", 100, 10, { kind: "hex" });
  assert.deepEqual(left(market, dock).sort(), ["Dock", "Market"]);
  assert.deepEqual(left(market, dock, written("Winery", 200, 10, { kind: "hex" })), ["Market"]);
});
