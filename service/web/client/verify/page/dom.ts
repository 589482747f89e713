// Creates elements from names and text; no markup is ever parsed.

type Attributes = Readonly<Record<string, string | boolean | ((event: Event) => void)>>;
type Child = Node | string | null;

/**
 * Creates an element; an attribute whose value is a function is a listener to the event of this
 * name.
 */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (typeof value === "string") made.setAttribute(key, value);
    else made.toggleAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Text in which parts between backticks are shown as code. */
export function marked(text: string): DocumentFragment {
  const made = document.createDocumentFragment();
  text.split("`").forEach((piece, index) => {
    made.append(index % 2 === 0 ? piece : el("code", {}, piece));
  });
  return made;
}
