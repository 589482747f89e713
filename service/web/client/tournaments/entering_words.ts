/** The texts for owners in a tournament that is open for entries; they are loaded with `entering.tsx`. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  yourBots: "Your bots",
  enter: "Enter my bot",
  ownBot: "Which one",
  notListening: "is not listening",
  validationFirst:
    "The bot first plays a validation game against random: it has to listen for questions now, and to play to the end without being late once.",
  validating: (bot: string) => `${bot} plays its validation game, and is entered when it is over.`,
  validationGame: "Watch the game",
  isEntered: (entry: string) => `${entry} is entered.`,
  noBotTakesIt: (seats: number) => `None of your bots takes this game with ${seats} seats.`,
  withdrawOwn: (entry: string) => `Withdraw ${entry}`,
  withdrawSure: (entry: string) =>
    `Withdraw ${entry} for good? What it has played to the end counts.`,
};

const es: typeof en = {
  yourBots: "Tus bots",
  enter: "Inscribir mi bot",
  ownBot: "Cuál",
  notListening: "no está a la escucha",
  validationFirst:
    "El bot juega antes una partida de validación contra random: tiene que estar ahora a la escucha de preguntas, y jugar hasta el final sin retrasarse ni una vez.",
  validating: (bot) => `${bot} juega su partida de validación, y queda inscrito cuando termine.`,
  validationGame: "Ver la partida",
  isEntered: (entry) => `${entry} está inscrito.`,
  noBotTakesIt: (seats) => `Ninguno de tus bots juega a esto con ${seats} asientos.`,
  withdrawOwn: (entry) => `Retirar ${entry}`,
  withdrawSure: (entry) =>
    `¿Retirar ${entry} para siempre? Lo que ha jugado hasta el final cuenta.`,
};

const WORDS: Record<Language, typeof en> = { en, es };

export const enteringWords = computed(() => WORDS[language.value]);
