/** What is said of events that have no effects, or that are more than their effects. */

import { language } from "../browser/language.ts";
import { phrases } from "../phrases/phrases.ts";
import type { Happening } from "../play/happenings.ts";
import { calledName } from "../play/names.ts";
import type { Game } from "../play/table.ts";
import { saidWords } from "./said_words.ts";

/** The name of a seat's holder; the seat's number if nobody holds it. */
export function called(game: Game | null, seat: number): string {
  const holder = game?.seats[seat];
  return (holder && calledName(holder, language.value)) || phrases.value.seat(seat);
}

/** The sentence about an event itself; null if its effects say all. */
export function saidOf({ kind, seat, why, to }: Happening, game: Game | null): string | null {
  const words = phrases.value;
  const who = seat === null ? "" : called(game, seat);
  if (to !== null) return words.tookBack(who, to);
  const what = why === "service" ? `${kind}.${why}` : kind;
  return saidWords.value[what]?.(who) ?? null;
}
