// Elements, created from names and text only: no markup is ever parsed.

type Attributes = Readonly<Record<string, string | boolean | ((event: Event) => void)>>;
type Child = Node | string | null;

/** Create an element; an attribute that is a function listens to the event of its name. */
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

/** Text with parts between backticks shown as code. */
export function marked(text: string): DocumentFragment {
  const made = document.createDocumentFragment();
  text.split("`").forEach((piece, index) => {
    made.append(index % 2 === 0 ? piece : el("code", {}, piece));
  });
  return made;
}
