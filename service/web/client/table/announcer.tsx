/** Tells who does not see the board what happened, whose turn it is, and how many choices there are. */

import { useEffect, useState } from "preact/hooks";
import type { Ruleset } from "../app/rulesets.ts";
import { phrases } from "../words/phrases.ts";
import { holderName, type Table } from "./table.ts";

export function Announcer({ table }: { table: Table; ruleset: Ruleset }) {
  const [said, setSaid] = useState("");
  const frame = table.frame.value;
  const legal = table.legal.value;
  const over = table.over.value;
  useEffect(() => {
    if (!frame) return;
    const words = phrases.peek();
    const own = table.own.peek();
    const told = frame.effects.map(({ text }) => text);
    const asked = frame.state.decisions.map(({ seat, label }) => {
      if (own.includes(seat)) return words.toChoose(label, legal?.moves.length ?? 0);
      const holder = table.game.peek()?.seats[seat];
      return words.waitFor((holder && holderName(holder)) || words.seat(seat), label);
    });
    setSaid([...told, ...asked, ...(over ? [words.isOver] : [])].join(". "));
  }, [frame, legal, over]);
  return (
    <div class="sr" role="status" aria-live="polite" data-announcer>
      {said}
    </div>
  );
}
