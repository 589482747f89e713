/** The texts about events themselves, in each language: the page needs them before the log. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

type Said = Readonly<Record<string, (who: string) => string>>;

const en: Said = {
  timed_out: (who) => `${who}’s time is up`,
  "timed_out.service": (who) => `${who}’s time is up because the service was away`,
  bot_failed: (who) => `${who}’s bot failed`,
  resigned: (who) => `${who} resigns`,
  hinted: (who) => `${who} asks for a hint`,
  key_changed: (who) => `${who} has another key, which the one before has signed`,
  "key_changed.service": (who) =>
    `${who} has another key; from here on, the service alone says who this is`,
  suspended: () => "The game is suspended: time stands still",
  resumed: () => "The game goes on: time runs again",
  interrupted: () => "The service was away: clocks stood still",
  aborted: () => "The game is cancelled",
};

const es: Said = {
  timed_out: (who) => `A ${who} se le acaba el tiempo`,
  "timed_out.service": (who) => `A ${who} se le acaba el tiempo porque el servicio no respondía`,
  bot_failed: (who) => `Falla el bot de ${who}`,
  resigned: (who) => `${who} abandona`,
  hinted: (who) => `${who} pide una pista`,
  key_changed: (who) => `${who} tiene otra clave, que la anterior firmó`,
  "key_changed.service": (who) =>
    `${who} tiene otra clave; desde aquí solo el servicio dice quién es`,
  suspended: () => "La partida queda suspendida: el tiempo se detiene",
  resumed: () => "La partida continúa: el tiempo vuelve a correr",
  interrupted: () => "El servicio no respondía: los relojes se detuvieron",
  aborted: () => "La partida se cancela",
};

const WORDS: Record<Language, Said> = { en, es };

export const saidWords = computed(() => WORDS[language.value]);
