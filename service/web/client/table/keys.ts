/**
 * Keyboard commands at a table: Escape takes the last pick back, "/" searches the moves, a digit
 * begins the number of a move in their list, "u" takes back the last move, "?" opens the rules, "["
 * and "]" step through the game, "{" and "}" through its rounds. Space skips to the present.
 */

import { useEffect } from "preact/hooks";
import type { Choosing } from "../play/choice.ts";
import { NUMBER } from "../play/chooser.tsx";
import type { Table } from "../play/table.ts";

export function useTableKeys(table: Table, choice: Choosing): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const typing = (event.target as Element).matches("input:not([type=range]), textarea, select");
      if (event.key === "Escape" && choice.takeBack()) event.preventDefault();
      if (typing || table.skips(event)) return;
      if (event.key === "[") table.go(table.wanted.peek() - 1);
      else if (event.key === "]") table.go(table.wanted.peek() + 1);
      else if (event.key === "{" || event.key === "}") table.goRound(event.key === "}" ? 1 : -1);
      else if (event.key === "u") document.querySelector<HTMLElement>(".take-back button")?.click();
      else if (event.key === "?") document.querySelector<HTMLElement>("[data-rules]")?.click();
      else if (event.key === "/") search(event, "");
      else if (/^[1-9]$/.test(event.key)) search(event, NUMBER + event.key);
    };
    const click = (event: MouseEvent) => table.skips(event);
    addEventListener("keydown", press);
    addEventListener("click", click);
    return () => {
      removeEventListener("keydown", press);
      removeEventListener("click", click);
    };
  }, [table, choice]);
}

/** Opens the list of moves with the focus in its search, in which `wanted` is typed. */
function search(event: KeyboardEvent, wanted: string): void {
  const list = document.querySelector<HTMLDetailsElement>(".all-moves");
  if (!list) return;
  event.preventDefault();
  const field = list.querySelector<HTMLInputElement>(".search");
  if (field === null) {
    list.dataset.wanted = wanted; // the search takes it when it is rendered
    list.open = true;
    list.dispatchEvent(new Event("toggle")); // at once, because more keys may follow
  } else {
    field.value = wanted;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  }
}
