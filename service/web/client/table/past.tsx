/** At an earlier position: the decisions there, and moves that could have been made. */

import { useEffect, useRef } from "preact/hooks";
import type { Ruleset } from "../board/rulesets.ts";
import { language } from "../browser/language.ts";
import { phrases } from "../phrases/phrases.ts";
import { seatName } from "../play/names.ts";
import type { Table } from "../play/table.ts";
import { tableWords } from "./words.ts";

/** The decisions, with a button to try other moves for each seat whose view the viewer may see. */
export function Past({ table, ruleset }: { table: Table; ruleset: Ruleset }) {
  const words = phrases.value;
  const texts = tableWords.value;
  const decisions = table.frame.value?.state.decisions ?? [];
  const open = table.openEyes.value;
  const back = useRef<HTMLElement>(null);
  const from = table.supposed.value;
  // When the viewer ends trying, the replay continues at the event at which trying began.
  useEffect(() => {
    if (from !== null)
      back.current?.querySelector<HTMLElement>(`[data-suppose="${from}"]`)?.focus();
  }, [from]);
  if (table.following.value) return null;
  return (
    <section class="past" aria-labelledby="past" ref={back}>
      <h2 id="past">{texts.pastTitle}</h2>
      <p class="quiet">{texts.past}</p>
      {decisions.map(({ id, seat, label }) => (
        <p key={`${id} ${seat}`}>
          {words.waitFor(seatName(table.game.value, ruleset, seat, language.value), label)}{" "}
          {open.includes(seat) && (
            <button type="button" data-suppose={seat} onClick={() => void table.suppose(seat)}>
              {table.own.value.includes(seat)
                ? words.whatIfI
                : texts.whatIf(seatName(table.game.value, ruleset, seat, language.value))}
            </button>
          )}
        </p>
      ))}
    </section>
  );
}

/** A note above the moves of an earlier position: it says that they are not sent. */
export function Supposed({ table, ruleset }: { table: Table; ruleset: Ruleset }) {
  const words = phrases.value;
  const texts = tableWords.value;
  const seat = table.frame.value?.state.seat ?? null;
  const really = reallyPlayed(table, seat);
  return (
    <div class="banner supposed" role="status">
      <p>
        <strong>
          {seat !== null && table.own.value.includes(seat)
            ? words.whatIfI
            : texts.whatIf(
                seat === null ? "" : seatName(table.game.value, ruleset, seat, language.value),
              )}
        </strong>{" "}
        {texts.supposed}
      </p>
      {really.length > 0 && <p>{texts.really(really.join("; "))}</p>}
      <button type="button" data-unsuppose onClick={() => table.endSupposing()}>
        {texts.endSupposing}
      </button>
    </div>
  );
}

/** The effects of the move that the seat actually made; empty if the event has not been read. */
function reallyPlayed(table: Table, seat: number | null): string[] {
  const frames = table.frames.value;
  for (let seq = table.shown.value + 1; frames.has(seq); seq++) {
    const frame = frames.get(seq);
    if (frame && seat !== null && frame.mover === seat)
      return frame.effects.map(({ text }) => text);
  }
  return [];
}
