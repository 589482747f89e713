/** The names of seats at a table. */

import type { Ruleset } from "../board/rulesets.ts";
import { language } from "../browser/language.ts";
import { say } from "../words/labels.ts";
import { phrases } from "../phrases/phrases.ts";
import { type Game, holderName } from "./table.ts";

/** The name of a seat's holder, with a mark if the player is a program. */
export function calledName(seat: Game["seats"][number]): string {
  const name = holderName(seat);
  return seat.kind === "bot" ? `${name} (${phrases.value.aBot})` : name;
}

/** The same, with the colour if two names are equal; without a holder the colour. */
export function seatName(game: Game | null, { words }: Ruleset, seat: number): string {
  const colour = say(words[language.value], `seat.${seat}`);
  const names = game?.seats.map(calledName) ?? [];
  const name = names[seat];
  if (!name) return colour;
  return names.filter((other) => other === name).length > 1 ? `${name} (${colour})` : name;
}
