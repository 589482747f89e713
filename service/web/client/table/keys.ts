/**
 * Keyboard commands at a table: Escape takes the last pick back, "/" searches the moves, "u" takes
 * back the last move, "[" and "]" step through the game, "{" and "}" through its rounds.
 */

import { useEffect } from "preact/hooks";
import type { Choosing } from "../play/choice.ts";
import type { Table } from "../play/table.ts";
import { pressTakeBack } from "./taking_back.tsx";

export function useTableKeys(table: Table, choice: Choosing): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const typing = (event.target as Element).matches("input:not([type=range]), textarea, select");
      if (event.key === "Escape" && choice.takeBack()) event.preventDefault();
      if (typing) return;
      if (event.key === "[") table.go(table.wanted.peek() - 1);
      else if (event.key === "]") table.go(table.wanted.peek() + 1);
      else if (event.key === "{" || event.key === "}") table.goRound(event.key === "}" ? 1 : -1);
      else if (event.key === "u") pressTakeBack();
      else if (event.key === "/") search(event);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [table, choice]);
}

function search(event: KeyboardEvent): void {
  const list = document.querySelector<HTMLDetailsElement>(".all-moves");
  if (!list) return;
  event.preventDefault();
  list.open = true;
  list.querySelector<HTMLInputElement>(".search")?.focus();
}
