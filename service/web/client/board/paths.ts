/**
 * Paths into a view, and templates that take their values from it (docs/api/table.md, "Drawing a
 * board").
 */

/** A value within a view: the value, its name or index in its parent, and the parent. */
export interface Node {
  readonly value: unknown;
  readonly key: string | number | null;
  readonly within: Node | null;
}

export function root(value: unknown): Node {
  return { value, key: null, within: null };
}

/** The nodes to which a path leads; `*` stands for every item of a list, or member of an object. */
export function* nodes(node: Node, path: string): Generator<Node> {
  if (node.value === null || typeof node.value !== "object") return;
  const [name, ...rest] = path.split("/") as [string, ...string[]];
  for (const key of name === "*" ? keysOf(node.value) : [name]) {
    const found = member(node, key);
    if (found.value === null || found.value === undefined) continue;
    if (rest.length > 0) yield* nodes(found, rest.join("/"));
    else yield found;
  }
}

/**
 * The value of a template at a node. If the template is one pair of braces, this is the value
 * itself, otherwise a text; it is null if any value in the template is null.
 */
export function fill(template: string, node: Node): unknown {
  const whole = /^\{([^{}]*)\}$/.exec(template);
  if (whole) return look(node, whole[1] ?? "");
  let missing = false;
  const said = template.replace(/\{([^{}]*)\}/g, (_, path: string) => {
    const value = look(node, path);
    missing ||= value === null;
    return String(value);
  });
  return missing ? null : said;
}

function look(start: Node, path: string): unknown {
  let node = start;
  for (const step of path.split("/")) {
    if (step === "#") return node.key;
    if (step === "#+1") return Number(node.key) + 1;
    if (step === "..") node = node.within ?? root(null);
    else if (step !== ".") node = member(node, step);
  }
  return node.value ?? null;
}

function member(node: Node, key: string | number): Node {
  const within = node.value as Record<string | number, unknown> | null;
  return { value: within?.[key] ?? null, key, within: node };
}

function keysOf(value: object): (string | number)[] {
  return Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
}
