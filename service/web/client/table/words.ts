/** The texts of the parts of a table that are loaded later, in each language. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  movesOf: (who: string, count: number) =>
    who === "" ? `${count} moves` : `${who}: ${count} moves`,
  earlierTurns: (count: number) => (count === 1 ? "1 earlier turn" : `${count} earlier turns`),
  taller: "A larger log",
  takenBack: (what: string) => `Taken back: ${what}`,
  byRules: "The rules answer:",
  outOfTime: (time: string) => `Your time ran out at ${time}, and the rules answered for you:`,
  andMore: (count: number) => ` · … and ${count} more`,
  sinceYouLooked: "Since you last looked",
  sinceYourMove: "Since your move",
  showAgain: "Show again what happened since your move",
  showMissed: "Show it turn by turn",
  seenAll: "Seen",
  receiptFits: "Your receipt fits the record.",
  receiptDiffers: "The record is not the one that you have a receipt of.",
  receiptDiffersHow:
    "What this service shows now is another history than the one it signed for you. Save your receipt and the record, and show them to somebody else.",
  saveReceipt: "Save your receipt",
  sheet: "Score sheet",
  rulesOf: (game: string) => `Rules: ${game}`,
  close: "Close",
  askedNow: "Asked now:",
  detail: "What the question is about, on the board",
  pastTitle: "Earlier in the game",
  whatIf: (name: string) => `What if ${name} had…`,
  supposed: "Only supposed: try a move of this position and see what it would have done.",
  endSupposing: "End the supposing",
  really: (what: string) => `What was really played: ${what}.`,
  past: "You are looking at the past: moves are made in the present.",
  previousRound: "Previous round",
  nextRound: "Next round",
  shownFor: (how: string) => `Shown: ${how}`,
  moment: "Moment of the game",
  version: (shown: number, newest: number) => `Event ${shown} of ${newest}`,
  follow: "Back to the present",
};

const es: typeof en = {
  movesOf: (who, count) => (who === "" ? `${count} jugadas` : `${who}: ${count} jugadas`),
  earlierTurns: (count) => (count === 1 ? "1 turno anterior" : `${count} turnos anteriores`),
  taller: "Registro más grande",
  takenBack: (what) => `Retirado: ${what}`,
  byRules: "Responden las reglas:",
  outOfTime: (time) => `Tu tiempo se acabó a las ${time} y las reglas respondieron por ti:`,
  andMore: (count) => ` · … y ${count} más`,
  sinceYouLooked: "Desde la última vez que miraste",
  sinceYourMove: "Desde tu jugada",
  showAgain: "Mostrar otra vez lo que pasó desde tu jugada",
  showMissed: "Mostrarlo turno a turno",
  seenAll: "Visto",
  receiptFits: "Tu recibo concuerda con el registro.",
  receiptDiffers: "El registro no es aquel del que tienes un recibo.",
  receiptDiffersHow:
    "Lo que este servicio muestra ahora es otra historia que la que firmó para ti. Guarda tu recibo y el registro, y enséñaselos a alguien.",
  saveReceipt: "Guardar tu recibo",
  sheet: "Hoja de puntuación",
  rulesOf: (game) => `Reglas: ${game}`,
  close: "Cerrar",
  askedNow: "Se pregunta ahora:",
  detail: "De qué trata la pregunta, en el tablero",
  pastTitle: "Antes en la partida",
  whatIf: (name) => `¿Y si ${name} hubiera…?`,
  supposed: "Solo una suposición: prueba una jugada de esta posición y mira qué habría hecho.",
  endSupposing: "Dejar la suposición",
  really: (what) => `Lo que se jugó de verdad: ${what}.`,
  past: "Estás mirando el pasado: las jugadas se hacen en el presente.",
  previousRound: "Ronda anterior",
  nextRound: "Ronda siguiente",
  shownFor: (how) => `Se muestra: ${how}`,
  moment: "Momento de la partida",
  version: (shown, newest) => `Evento ${shown} de ${newest}`,
  follow: "Volver al presente",
};

const WORDS: Record<Language, typeof en> = { en, es };

export const tableWords = computed(() => WORDS[language.value]);
