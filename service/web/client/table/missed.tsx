/** Tells what has happened since this browser last showed the table. */

import { phrases } from "../phrases/phrases.ts";
import type { Table } from "../play/table.ts";
import type { Missing } from "./seen.ts";

const LINES = 6;

export function SinceYouLooked({ table, missing }: { table: Table; missing: Missing }) {
  const words = phrases.value;
  const { missed, seen } = missing;
  const lines = missed
    ? table.log.value.filter(
        ({ seq, text }) => seq > missed.after && seq <= missed.until && text !== "",
      )
    : [];
  if (!missed || lines.length === 0) return null;
  const showAll = () => {
    seen();
    table.go(missed.after);
    table.play(true);
  };
  return (
    <section class="missed" aria-labelledby="missed">
      <h2 id="missed">{words.sinceYouLooked}</h2>
      {lines.length > LINES && <p class="quiet">{words.linesBefore(lines.length - LINES)}</p>}
      <ul>
        {lines.slice(-LINES).map(({ seq, text }, index) => (
          <li key={`${seq} ${index}`}>{text}</li>
        ))}
      </ul>
      <p class="actions">
        <button type="button" onClick={showAll}>
          {words.showMissed}
        </button>{" "}
        <button type="button" class="plain" onClick={seen}>
          {words.seenAll}
        </button>
      </p>
    </section>
  );
}
