/**
 * The question to the viewer: the open one, or that of the shown position while moves are tried.
 */

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Ruleset } from "../board/rulesets.ts";
import { Failed } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import type { Choosing } from "../play/choice.ts";
import { Choices, Stale } from "../play/chooser.tsx";
import { useFocus } from "../play/focus.ts";
import { Questions } from "../play/questions.tsx";
import type { Table } from "../play/table.ts";

export function Chooser({
  table,
  choice,
  ruleset,
  past,
  supposed,
}: {
  table: Table;
  choice: Choosing;
  ruleset: Ruleset;
  /** What is shown instead, at an earlier position, and above the choices while moves are tried. */
  past: ComponentChildren;
  supposed: ComponentChildren;
}) {
  const words = phrases.value;
  const legal = table.legal.value;
  const box = useRef<HTMLElement>(null);
  const supposing = table.supposing.value;
  const waits = legal === null;
  useFocus(box, [
    choice.steps.value + (supposing ? 1 : 0),
    legal,
    choice.sending.value, // the next question may be there before the answer to the last move
    choice.preview.value !== null,
    table.over.value,
    supposing,
  ]);
  if (!supposing && (table.over.value || !table.following.value)) return <>{past}</>;
  return (
    <section
      class={`chooser ${supposing ? "supposing" : ""}`}
      ref={box}
      tabIndex={-1}
      aria-labelledby="chooser"
    >
      <Stale choice={choice} />
      {waits && (
        <h2 id="chooser" class="sr">
          {supposing ? words.whatIfI : words.turn}
        </h2>
      )}
      {supposing ? supposed : <Questions table={table} ruleset={ruleset} />}
      {legal && (
        <Choices {...{ choice, legal, ruleset }} failed={(error) => <Failed error={error} />} />
      )}
    </section>
  );
}
