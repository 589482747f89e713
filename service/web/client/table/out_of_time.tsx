/** Tells a player whose clock ran out what the rules did, until the player moves again. */

import { language } from "../browser/language.ts";
import { happeningOf } from "../play/happenings.ts";
import type { Table } from "../play/table.ts";
import { tableWords } from "./words.ts";

export function OutOfTime({ table }: { table: Table }) {
  const happenings = table.past.value.map(happeningOf);
  const own = table.own.value;
  const mine = happenings.filter(({ seat }) => seat !== null && own.includes(seat));
  const moved = mine.findLast(({ kind }) => kind === "moved")?.seq ?? 0;
  const out = mine.findLast(({ kind, seq }) => kind === "timed_out" && seq > moved);
  if (!out || table.over.value) return null;
  const answered = mine.find(({ kind, seq }) => kind === "defaulted" && seq > out.seq);
  const told = table.log.value.filter(({ seq, text }) => seq === answered?.seq && text !== "");
  const time = new Date(out.at).toLocaleTimeString(language.value, {
    hour: "2-digit",
    minute: "2-digit",
  });
  return (
    <p class="banner out-of-time" role="status">
      <strong>{tableWords.value.outOfTime(time)}</strong> {told.map(({ text }) => text).join(" · ")}
    </p>
  );
}
