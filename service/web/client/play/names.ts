/** The names of seats at a table. */

import type { Ruleset } from "../board/rulesets.ts";
import { say } from "../words/labels.ts";
import type { Language } from "../words/languages.ts";
import { type Game, holderName } from "./table.ts";
import { PLAY_WORDS } from "./words.ts";

/** The name of the holder of a seat, with a mark if the holder is a program. */
export function calledName(seat: Game["seats"][number], language: Language): string {
  const name = holderName(seat);
  return seat.kind === "bot" ? `${name} (${PLAY_WORDS[language].aBot})` : name;
}

/**
 * The name of the holder of a seat, with the seat's colour if two names are equal; only the colour
 * if nobody holds the seat.
 */
export function seatName(
  game: Game | null,
  { words }: Ruleset,
  seat: number,
  language: Language,
): string {
  const colour = say(words[language], `seat.${seat}`);
  const names = game?.seats.map((one) => calledName(one, language)) ?? [];
  const name = names[seat];
  if (!name) return colour;
  return names.filter((other) => other === name).length > 1 ? `${name} (${colour})` : name;
}
