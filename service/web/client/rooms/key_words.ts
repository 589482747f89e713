/** What the keys do, in each language: a key, and what it does. */

import type { Language } from "../words/languages.ts";

type Help = readonly (readonly [keys: string, what: string])[];

const en: Help = [
  ["Tab", "to the board, the choices and the list"],
  ["← ↑ → ↓", "from place to place on the board, and from line to line in the log"],
  ["← and →", "in the log, fold and unfold a turn; Enter goes to the line"],
  ["Enter", "choose, and do it"],
  ["Escape", "take back the last choice"],
  ["Space", "or a click on the board: skip to your question"],
  ["u", "take back the last move, where the table allows it"],
  ["?", "the rules, at what is asked"],
  ["/", "search all moves; Enter takes the first that is found"],
  ["1 … 9", "take a move by its number in the list, with Enter"],
  ["[ and ]", "one event back or on; Home and End on the slider"],
  ["{ and }", "one round back or on; Page keys on the slider"],
];

const es: Help = [
  ["Tab", "al tablero, a las opciones y a la lista"],
  ["← ↑ → ↓", "de un lugar a otro del tablero, y de línea en línea del registro"],
  ["← y →", "en el registro, plegar y desplegar un turno; Intro va a la línea"],
  ["Intro", "elegir, y hacerlo"],
  ["Escape", "deshacer la última elección"],
  ["Espacio", "o un clic en el tablero: saltar a tu pregunta"],
  ["u", "retirar la última jugada, donde la mesa lo permite"],
  ["?", "las reglas, en lo que se pregunta"],
  ["/", "buscar entre todas las jugadas; Intro elige la primera hallada"],
  ["1 … 9", "elegir una jugada por su número en la lista, con Intro"],
  ["[ y ]", "un evento atrás o adelante; Inicio y Fin en la barra"],
  ["{ y }", "una ronda atrás o adelante; Re Pág y Av Pág en la barra"],
];

export const KEY_HELP: Readonly<Record<Language, Help>> = { en, es };
