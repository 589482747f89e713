/** The texts of a check on the page; those of verdicts and findings are in `verify/`. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  fetching: (kilobytes: string) => `Fetching the record… ${kilobytes} kB`,
  checking: (events: string) => `Checking… ${events} events`,
  began: "The record is being checked.",
  ended: "The record was checked.",
  stop: "Stop",
  again: "Check again",
  notJudged: {
    game: "Whether the moves were legal was not judged here. This command judges it, where the game's rules are installed:",
    tournament:
      "Whether the moves were legal, and the figures follow from the games, was not judged here. This command judges it, where the game's rules are installed:",
  },
  withKey: "It needs your key, in LONJA_KEY: the game is private.",
  meaning: {
    sound: "All that can be checked without the rules is right.",
    open: "What could be checked without the rules is right, but the record leaves checks open.",
  } as Readonly<Record<string, string>>,
  goesOn: {
    game: "Open: the game goes on",
    tournament: "Open: the tournament goes on",
  },
  soFar: "What is shown so far fits together. Only the end opens everything.",
  receipts: (count: number) =>
    count === 1
      ? "A receipt that this browser keeps fits the record."
      : `${count} receipts that this browser keeps fit the record.`,
  noReceipts:
    "This browser keeps no receipt of it: whoever wrote all of the record anew would not be noticed.",
  link: "Whoever opens this address checks it, too:",
};

const es: typeof en = {
  fetching: (kilobytes) => `Descargando el registro… ${kilobytes} kB`,
  checking: (events) => `Comprobando… ${events} eventos`,
  began: "Se está comprobando el registro.",
  ended: "El registro se ha comprobado.",
  stop: "Parar",
  again: "Comprobar de nuevo",
  notJudged: {
    game: "Aquí no se ha juzgado si las jugadas eran legales. Lo juzga esta orden, donde estén instaladas las reglas del juego:",
    tournament:
      "Aquí no se ha juzgado si las jugadas eran legales, ni si las cifras salen de las partidas. Lo juzga esta orden, donde estén instaladas las reglas del juego:",
  },
  withKey: "Necesita tu clave, en LONJA_KEY: la partida es privada.",
  meaning: {
    sound: "Todo lo que se puede comprobar sin las reglas está bien.",
    open: "Lo que se pudo comprobar sin las reglas está bien, pero el registro deja comprobaciones pendientes.",
  },
  goesOn: {
    game: "Pendiente: la partida sigue",
    tournament: "Pendiente: el torneo sigue",
  },
  soFar: "Lo que se ve hasta ahora concuerda. Solo el final lo abre todo.",
  receipts: (count) =>
    count === 1
      ? "Un recibo que guarda este navegador concuerda con el registro."
      : `${count} recibos que guarda este navegador concuerdan con el registro.`,
  noReceipts:
    "Este navegador no guarda ningún recibo: no se notaría si alguien hubiera escrito de nuevo todo el registro.",
  link: "Quien abra esta dirección también lo comprueba:",
};

const ALL: Readonly<Record<Language, typeof en>> = { en, es };

export const checkWords = computed(() => ALL[language.value]);
