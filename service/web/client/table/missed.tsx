/** Tells what has happened since this browser last showed the table. */

import type { Table } from "../play/table.ts";
import type { Missing } from "./seen.ts";
import { tableWords } from "./words.ts";

export function SinceYouLooked({ table, missing }: { table: Table; missing: Missing }) {
  const texts = tableWords.value;
  const { missed, seen } = missing;
  const lines = missed
    ? table.log.value.filter(
        ({ seq, text }) => seq > missed.after && seq <= missed.until && text !== "",
      )
    : [];
  if (!missed || lines.length === 0) return null;
  const showAll = () => {
    seen();
    void table.walkFrom(missed.after);
  };
  return (
    <section class="missed" aria-labelledby="missed">
      <h2 id="missed">{texts.sinceYouLooked}</h2>
      <ul tabIndex={0} aria-labelledby="missed">
        {lines.map(({ seq, text }, index) => (
          <li key={`${seq} ${index}`}>{text}</li>
        ))}
      </ul>
      <p class="actions">
        <button type="button" onClick={showAll}>
          {texts.showMissed}
        </button>{" "}
        <button type="button" class="plain" onClick={seen}>
          {texts.seenAll}
        </button>
      </p>
    </section>
  );
}
