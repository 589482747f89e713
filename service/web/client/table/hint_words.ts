/** The texts of hints, in each language; they are loaded together with the rules beside a board. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  ask: (who: string) => `What would ${who} do?`,
  waits: (who: string) => `${who} thinks about it …`,
  failed: (why: string) => `There is no hint: ${why}`,
  past: "The game has gone on: the hint was for an earlier question.",
  would: (who: string) => `${who} would do this:`,
  leads: (points: string) => `expected: ${points} points ahead of the mean of the others`,
  behind: (points: string) => `expected: ${points} points behind the mean of the others`,
  costs: (points: string) => `costs ${points} points`,
  same: (points: string) => `no difference shows: ${points} points`,
  better: (points: string) => `came out better by ${points} points`,
  note: (who: string) =>
    `A guess, from what you know. ${who} plays on a few turns in guessed games, and these moves are compared in other guesses than those in which ${who} chose.`,
  seen: "All at the table see that you ask, but not the answer.",
  close: "Close the hint",
};

export type HintWords = typeof en;

const es: HintWords = {
  ask: (who) => `¿Qué haría ${who}?`,
  waits: (who) => `${who} lo piensa …`,
  failed: (why) => `No hay pista: ${why}`,
  past: "La partida ha seguido: la pista era para una pregunta anterior.",
  would: (who) => `${who} haría esto:`,
  leads: (points) => `se esperan ${points} puntos de ventaja sobre la media de los demás`,
  behind: (points) => `se esperan ${points} puntos menos que la media de los demás`,
  costs: (points) => `cuesta ${points} puntos`,
  same: (points) => `no se aprecia diferencia: ${points} puntos`,
  better: (points) => `salió mejor por ${points} puntos`,
  note: (who) =>
    `Una conjetura, según lo que tú sabes. ${who} sigue jugando unos turnos en partidas supuestas, y estas jugadas se comparan en otras que aquellas en las que ${who} eligió.`,
  seen: "Todos en la mesa ven que preguntas, pero no la respuesta.",
  close: "Cerrar la pista",
};

const WORDS: Record<Language, HintWords> = { en, es };

export const hintWords = computed<HintWords>(() => WORDS[language.value]);

/** A mean with its standard error, in points and without a sign. */
export function estimate({ mean, error }: { readonly mean: number; readonly error: number }) {
  const [points, doubt] = [mean, error].map((milli) =>
    (Math.abs(milli) / 1000).toLocaleString(language.value, DIGITS),
  );
  return `${points} ± ${doubt}`;
}

const DIGITS = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
