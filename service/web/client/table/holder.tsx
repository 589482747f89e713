/** The holder of a seat, and whether the holder is a program. */

import type { Schemas } from "../api/client.ts";
import { phrases } from "../phrases/phrases.ts";
import { Glyph } from "../play/glyph.tsx";
import { holderName } from "../play/table.ts";

type Seat = Schemas["TableSeat"];

/** The name of the holder of a seat, with a mark if it is a program; nothing for an open seat. */
export function Holder({ seat }: { seat: Seat }) {
  return (
    <>
      {holderName(seat)}
      <BotMark of={seat.holder === "bot" ? "bot" : seat.kind} />
    </>
  );
}

/** The holders of the seats, in order. */
export function Holders({ seats }: { seats: readonly Seat[] }) {
  return seats.map((seat, nth) => (
    <span key={seat.seat}>
      {nth > 0 && ", "}
      {seat.holder === "open" ? phrases.value.freeSeat : <Holder seat={seat} />}
    </span>
  ));
}

/** The mark of a program, beside its name; nothing for people. */
export function BotMark({ of: kind }: { of: string | null | undefined }) {
  const words = phrases.value;
  if (kind !== "bot") return null;
  return (
    <span class="bot-mark" title={words.isProgram}>
      {" "}
      <Glyph path="M10 2v3M4 5h12v10H4zM8 9v2M12 9v2M2 8v4M18 8v4" hollow /> {words.aBot}
    </span>
  );
}
