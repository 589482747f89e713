/** Tells the page that this table waits for its player, so that the title of the page says so. */

import { useEffect } from "preact/hooks";
import { language } from "../browser/language.ts";
import { waits } from "../identity/turns.ts";
import { phrases } from "../phrases/phrases.ts";
import type { Table } from "../play/table.ts";

export function useTurnSignals(table: Table): void {
  const asked = table.asked.value.length > 0;
  const known = table.own.value.length > 0 && table.begun.value;
  const title = table.ruleset.value?.titles[language.value] ?? phrases.value.game;
  useEffect(() => {
    document.title = asked ? `● ${phrases.peek().turnTitle} – ${title}` : `${title} – Lonja`;
  }, [asked, title]);
  useEffect(() => {
    if (known) waits(table.id, asked);
  }, [known, asked]);
}
