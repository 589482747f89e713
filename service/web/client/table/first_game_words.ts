/** The texts around the steps of a first game, in each language. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  learn: "Learn by playing",
  learnGame: (game: string) => `Learn by playing: ${game}`,
  firstGame: "First game",
  step: (number: number, all: number) => `step ${number} of ${all}`,
  go: "Go on",
  skip: "Skip",
  leave: "Go on without steps",
  panels: { question: "your question", numbers: "everybody's numbers", log: "the log" },
  speaksOf: (names: readonly string[]) => `It speaks of: ${names.join("; ")}.`,
  watch: "The others play now: watch what they do.",
  free: "Choose as you like here. The next step comes when the game gets there.",
  end: "That was the last step. Now play on to the end: you know how.",
};

const es: typeof en = {
  learn: "Aprender jugando",
  learnGame: (game) => `Aprender jugando: ${game}`,
  firstGame: "Primera partida",
  step: (number, all) => `paso ${number} de ${all}`,
  go: "Continuar",
  skip: "Saltar",
  leave: "Seguir sin pasos",
  panels: { question: "tu pregunta", numbers: "los números de todos", log: "el registro" },
  speaksOf: (names) => `Se trata de: ${names.join("; ")}.`,
  watch: "Ahora juegan los demás: mira lo que hacen.",
  free: "Aquí elige lo que quieras. El próximo paso llegará cuando toque.",
  end: "Este era el último paso. Sigue jugando hasta el final: ya sabes cómo.",
};

const WORDS: Record<Language, typeof en> = { en, es };

export const firstGameWords = computed(() => WORDS[language.value]);
