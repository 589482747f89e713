/** The texts of the settings, in each language. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  theme: "Colours",
  themes: {
    system: "As the system",
    light: "Light",
    dark: "Dark",
    contrast: "High contrast",
  } as Record<string, string>,
  language: "Language",
  asBrowser: "As the browser",
  confirmMoves: "Show what a move does before it is sent, unless it can be taken back",
  motion: "Pieces move",
  sound: "A sound when it is your turn",
  notify: "A notification when it is your turn",
  notifyRefused: "The browser does not allow notifications from here.",
  keys: "Keys",
  trySound: "Hear it",
};

const es: typeof en = {
  theme: "Colores",
  themes: { system: "Como el sistema", light: "Claro", dark: "Oscuro", contrast: "Alto contraste" },
  language: "Idioma",
  asBrowser: "Como el navegador",
  confirmMoves: "Mostrar qué hace una jugada antes de enviarla, salvo si se puede retirar",
  motion: "Las piezas se mueven",
  sound: "Un sonido cuando te toca",
  notify: "Un aviso cuando te toca",
  notifyRefused: "El navegador no permite avisos desde aquí.",
  keys: "Teclas",
  trySound: "Oírlo",
};

const WORDS: Record<Language, typeof en> = { en, es };

export const settingsWords = computed(() => WORDS[language.value]);
