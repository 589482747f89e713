import assert from "node:assert/strict";
import { test } from "node:test";
import { Component, type ComponentChildren, createElement, type VNode } from "preact";
import { redrawn } from "./redrawn.ts";

class Piece extends Component<{ of: object; children?: ComponentChildren }> {
  override render() {
    return this.props.children;
  }
}

function Named({ scene }: { scene: { name: string } }) {
  return createElement("text", null, scene.name);
}

/** A drawing of pieces, each with a name that a function draws. */
function drawing(names: readonly string[], x = 0) {
  const pieces = names.map((name) =>
    createElement(Piece, { key: name, of: { name, at: [x, 1] } }, [
      createElement(Named, { scene: { name } }),
    ]),
  );
  return createElement("g", { class: "pieces" }, pieces);
}

function piecesOf(drawn: ComponentChildren): VNode[] {
  return (drawn as VNode<{ children: VNode[] }>).props.children;
}

test("functions are called, and components of the page stay", () => {
  const [piece] = piecesOf(redrawn(drawing(["a"]), null)) as VNode<{ children: VNode[] }>[];
  assert.equal(piece?.type, Piece);
  assert.equal(piece?.props.children[0]?.type, "text");
});

test("a drawing that is the same is the one before", () => {
  const before = redrawn(drawing(["a", "b"]), null);
  assert.equal(redrawn(drawing(["a", "b"]), before), before);
});

test("what is the same stays, wherever it stands in its list", () => {
  const before = redrawn(drawing(["a", "b"]), null);
  const now = redrawn(drawing(["c", "b", "a"]), before);
  assert.notEqual(now, before);
  const [a, b] = piecesOf(before);
  assert.deepEqual(piecesOf(now).slice(1), [b, a]);
  assert.equal(piecesOf(now)[1], b);
  assert.equal(piecesOf(now)[2], a);
});

test("what differs in data within its props is drawn anew", () => {
  const before = redrawn(drawing(["a"]), null);
  const now = redrawn(drawing(["a"], 5), before);
  assert.notEqual(piecesOf(now)[0], piecesOf(before)[0]);
});

test("a key outside of a function stays", () => {
  const list = (names: string[]) =>
    names.map((name) => createElement(Named, { key: name, scene: { name } }));
  const before = redrawn(list(["a", "b"]), null) as VNode[];
  const now = redrawn(list(["b"]), before) as VNode[];
  assert.equal(now[0], before[1]);
  assert.equal(now[0]?.key, "b");
});

test("a function is not called for the props with which it drew what was there before", () => {
  let calls = 0;
  function Cube({ colour, at }: { colour: string; at: readonly number[] }) {
    calls++;
    return createElement("rect", { fill: colour, x: at[0] });
  }
  const cube = (colour: string, x: number) => createElement(Cube, { colour, at: [x, 1] });
  const before = redrawn(cube("red", 1), null);
  assert.equal(redrawn(cube("red", 1), before), before);
  assert.equal(calls, 1);
  const moved = redrawn(cube("red", 2), before);
  assert.equal((moved as VNode<{ x: number }>).props.x, 2);
  assert.equal(calls, 2);
});
