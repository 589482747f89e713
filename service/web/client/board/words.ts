/** The texts of a board that are not labels of its ruleset, in each language. */

import { type Language, useLanguage } from "../words/languages.ts";

const en = {
  board: "Board",
  wholeView: "All that the rules show",
  notShown: "not shown",
  yes: "Yes",
  no: "No",
  seat: (number: number) => `Seat ${number + 1}`,
  numbers: "What everybody has",
  mats: "The players' mats",
  final: "Final",
  atTheEnd: "Points at the end",
  seeMat: "Show this player's mat",
};

const es: typeof en = {
  board: "Tablero",
  wholeView: "Todo lo que muestran las reglas",
  notShown: "no se muestra",
  yes: "Sí",
  no: "No",
  seat: (number) => `Asiento ${number + 1}`,
  numbers: "Lo que tiene cada uno",
  mats: "Los tableros de los jugadores",
  final: "Final",
  atTheEnd: "Puntos al final",
  seeMat: "Mostrar el tablero de este jugador",
};

export type BoardWords = typeof en;
export const BOARD_WORDS: Readonly<Record<Language, BoardWords>> = { en, es };

export function useBoardWords(): BoardWords {
  return BOARD_WORDS[useLanguage()];
}
