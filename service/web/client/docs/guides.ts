/** The script of the guides: theme and languages chosen in this browser, search, and copying. */

import { keep, kept } from "../browser/storage.ts";

type Row = readonly [address: string, page: string, heading: string, text: string];

const WORDS = {
  en: { copy: "Copy", copied: "Copied", found: (count: number) => `${count} found` },
  es: { copy: "Copiar", copied: "Copiado", found: (count: number) => `${count} encontrados` },
};
const SHOWN = 12;

const { theme, language } = kept<{ theme?: string; language?: "en" | "es" }>("settings") ?? {};
const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
root.dataset.theme = theme && theme !== "system" ? theme : dark ? "dark" : "light";
const preferred = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in WORDS);
const tongue = language ?? (preferred as "en" | "es" | undefined) ?? "en";
root.lang = tongue;
const words = WORDS[tongue];

document.addEventListener("DOMContentLoaded", () => {
  // Older links to the console have this address; now it has an address of its own.
  if (location.pathname === "/docs" && location.hash.startsWith("#/"))
    location.replace(`/docs/console${location.hash}`);
  for (const each of document.querySelectorAll<HTMLElement>("[data-es]")) {
    const text = each.dataset[tongue] ?? "";
    if (each instanceof HTMLInputElement) each.ariaLabel = each.placeholder = text;
    else each.textContent = text;
  }
  const shelf = document.querySelector<HTMLDetailsElement>(".shelf details");
  if (shelf && matchMedia("(max-width: 50rem)").matches) shelf.open = false;
  for (const block of document.querySelectorAll("article pre, .samples pre")) copyable(block);
  for (const each of document.querySelectorAll<HTMLInputElement>(".languages input")) {
    each.checked ||= each.value === kept("language of examples");
    each.addEventListener("change", () => keep("language of examples", each.value));
  }
  const field = document.querySelector<HTMLInputElement>(".find input");
  if (field) search(field);
});

function copyable(block: Element): void {
  if (!navigator.clipboard) return; // browsers have it only over TLS or on localhost
  const frame = document.createElement("div");
  const button = document.createElement("button");
  frame.className = "code";
  button.type = "button";
  button.textContent = words.copy;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.textContent ?? "");
    button.textContent = words.copied;
  });
  block.replaceWith(frame);
  frame.append(button, block);
}

function search(field: HTMLInputElement): void {
  const list = document.querySelector<HTMLElement>("#found") as HTMLElement;
  const status = document.querySelector(".find [role=status]") as Element;
  const index = new URL(field.dataset.index as string, location.href);
  let rows: Promise<Row[]> | null = null;
  let chosen = -1;
  (field.parentElement as HTMLElement).hidden = false;
  const close = () => {
    list.hidden = true;
    field.ariaExpanded = "false";
    field.removeAttribute("aria-activedescendant");
  };
  const choose = (at: number) => {
    chosen = (at + list.children.length) % list.children.length;
    for (const [place, each] of [...list.children].entries())
      each.ariaSelected = String(place === chosen);
    field.setAttribute("aria-activedescendant", `found-${chosen}`);
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
  };
  field.addEventListener("input", async () => {
    rows ??= fetch(index).then((answer) => answer.json());
    const asked = field.value;
    const found = matching(await rows, asked);
    if (asked !== field.value) return; // the text has changed while the index was loading
    list.replaceChildren(...found.slice(0, SHOWN).map((row, at) => result(row, at, index)));
    status.textContent = asked ? words.found(found.length) : "";
    chosen = -1;
    list.hidden = found.length === 0;
    field.ariaExpanded = String(!list.hidden);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (list.hidden) return;
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen < 0 ? -1 : chosen - 1);
    else if (event.key === "Enter") list.children[Math.max(chosen, 0)]?.querySelector("a")?.click();
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (!field.parentElement?.contains(event.target as Node)) close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    field.focus();
  });
}

/** The sections that have all of the words. Those with more of the words in their headings come first. */
function matching(rows: readonly Row[], asked: string): Row[] {
  const wanted = asked.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const scored = rows.map((row) => {
    const [page, heading, text] = row.slice(1).map((part) => part.toLowerCase()) as string[];
    const each = wanted.map(
      (word) =>
        (heading?.includes(word) ? 9 : 0) +
        (page?.includes(word) ? 4 : 0) +
        Math.min(3, (text?.split(word).length ?? 1) - 1),
    );
    return { row, score: Math.min(...each) && each.reduce((sum, one) => sum + one, 0) };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ row }) => row);
}

function result([address, page, heading, text]: Row, at: number, index: URL): HTMLElement {
  const item = document.createElement("li");
  item.id = `found-${at}`;
  item.role = "option";
  const link = document.createElement("a");
  link.href = new URL(address, index).href;
  link.tabIndex = -1;
  const about = document.createElement("small");
  about.textContent = `${page} — ${text.slice(0, 90)}`;
  link.append(heading, about);
  item.append(link);
  return item;
}
