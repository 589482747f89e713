/** The texts about a ladder that never ends; they are loaded with `ladder.tsx`. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  ladder: "Who is better",
  part: (number: number) => `This is part ${number} of a ladder that never ends.`,
  before: "The part before",
  next: "The next part",
  alike: "Nobody can tell these apart yet:",
  allApart: "All entries can be told apart.",
  provisional: (below: string, entries: string) =>
    `These have fewer than ${below} games, so their ratings are provisional: ${entries}.`,
  better: "Better than …",
  betterIs:
    "The table tells how probable it is that the entry of the row is better than that of the column, by all games of all parts.",
  fits: "One rating for each fits what happened, in pairs and in whole games.",
  pair: (one: string, other: string, ahead: string, games: string, promised: string) =>
    `${one} was ahead of ${other} ${ahead} times in ${games} games, and its rating promises ${promised}.`,
  winner: (entry: string, wins: string, games: string, promised: string) =>
    `${entry} was first ${wins} times in ${games} games of this part, and its rating promises ${promised}.`,
};

const es: typeof en = {
  ladder: "Quién es mejor",
  part: (number) => `Esta es la parte ${number} de una escalera sin fin.`,
  before: "La parte anterior",
  next: "La parte siguiente",
  alike: "Aún no se puede distinguir entre estos:",
  allApart: "Se puede distinguir entre todos los participantes.",
  provisional: (below, entries) =>
    `Estos tienen menos de ${below} partidas, así que su clasificación es provisional: ${entries}.`,
  better: "Mejor que…",
  betterIs:
    "La tabla dice la probabilidad de que el participante de la fila sea mejor que el de la columna, según todas las partidas de todas las partes.",
  fits: "Una sola clasificación para cada uno encaja con lo ocurrido, por parejas y en partidas enteras.",
  pair: (one, other, ahead, games, promised) =>
    `${one} superó a ${other} ${ahead} veces en ${games} partidas, y su clasificación promete ${promised}.`,
  winner: (entry, wins, games, promised) =>
    `${entry} quedó primero ${wins} veces en ${games} partidas de esta parte, y su clasificación promete ${promised}.`,
};

const WORDS: Record<Language, typeof en> = { en, es };

export const ladderWords = computed(() => WORDS[language.value]);
