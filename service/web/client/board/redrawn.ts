/**
 * Draws a scene again with all of the drawing before that is the same, which Preact then need not
 * compare: most events change little of a board. A drawing is made of functions without hooks, so
 * they are called here, and what they draw is compared; only places and pieces are components of the
 * page.
 */

import {
  Component,
  type ComponentChild,
  type ComponentChildren,
  createElement,
  Fragment,
  type FunctionComponent,
  isValidElement,
  type VNode,
} from "preact";

type Props = Record<string, unknown> & { readonly children?: ComponentChildren };
type Drawn = VNode<Props>;

/** A drawing, with the parts of the drawing `before` that are the same. */
export function redrawn(now: ComponentChildren, before: ComponentChildren): ComponentChildren {
  if (Array.isArray(now)) return list(now, Array.isArray(before) ? before : []);
  if (now === before || !isDrawn(now)) return now;
  const { type, props, key } = now;
  if (type === Fragment && key == null) return redrawn(props.children, before);
  if (typeof type === "function" && type !== Fragment && !(type.prototype instanceof Component))
    return called(now, type as FunctionComponent, before);
  const isFor = isDrawn(before) && before.type === type && before.key === key;
  return element(now, isFor ? before : null);
}

/** With which props functions made a drawing, or the whole of it. */
const made = new WeakMap<object, Map<FunctionComponent, Props>>();

/** What a function draws; it is not called for the props with which it made the drawing before. */
function called(
  { props, key }: Drawn,
  draw: FunctionComponent,
  before: ComponentChildren,
): ComponentChildren {
  const last = isObject(before) && made.get(before)?.get(draw);
  if (last && last.children === props.children && areSame(props, last, 1)) return before;
  const drawn = draw(props) as ComponentChildren;
  const all = redrawn(key == null ? drawn : createElement(Fragment, { key }, drawn), before);
  if (isObject(all)) made.set(all, (made.get(all) ?? new Map()).set(draw, props));
  return all;
}

function element(now: Drawn, before: Drawn | null): Drawn {
  const children = redrawn(now.props.children, before?.props.children);
  if (before && children === before.props.children && areSame(now.props, before.props))
    return before;
  if (children === now.props.children) return now;
  const { type, props, key, ref } = now;
  const named = ref ? { key, ref } : { key };
  return createElement(type as "g", { ...props, ...named, children } as object) as Drawn;
}

/** Of a list, each with the one of the same key or, without keys, in the same position. */
function list(now: readonly ComponentChild[], before: ComponentChild[]): ComponentChild[] {
  let keyed: Map<unknown, ComponentChild> | null = null;
  let isSame = now.length === before.length;
  const all = now.map((each, nth) => {
    let old = before[nth];
    const key = keyOf(each);
    if (key != null && key !== keyOf(old)) {
      keyed ??= new Map(before.map((one) => [keyOf(one), one]));
      old = keyed.get(key);
    }
    const made = redrawn(each, old) as ComponentChild;
    isSame &&= made === before[nth];
    return made;
  });
  return isSame ? before : all;
}

function isObject(node: unknown): node is object {
  return typeof node === "object" && node !== null;
}

function isDrawn(node: unknown): node is Drawn {
  return isObject(node) && isValidElement(node);
}

function keyOf(node: ComponentChild): unknown {
  return isDrawn(node) ? node.key : null;
}

/**
 * Whether props, or data within them such as a piece or its shape, are the same but for children; data
 * that is deeper than `depth` is the same only if it is one object. A negative depth has no end.
 */
function areSame(one: object, other: object, depth = -1): boolean {
  let count = 0;
  for (const name in one) {
    count++;
    if (name === "children") continue;
    const [mine, theirs]: unknown[] = [one[name as never], other[name as never]];
    if (Object.is(mine, theirs)) continue;
    if (depth === 0 || !isObject(mine) || !isObject(theirs)) return false;
    if (!areSame(mine, theirs, depth - 1)) return false;
  }
  for (const _ in other) count--;
  return count === 0;
}
