/** The texts of a table before its start, in each language. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  sitHere: "Sit here",
  standUp: "Stand up",
  cancelTable: "Cancel the table",
  invite: "Invite somebody",
  inviteLink: "Whoever opens this link may take a seat:",
  started: "The game begins when every seat is held.",
};

const es: typeof en = {
  sitHere: "Sentarse aquí",
  standUp: "Levantarse",
  cancelTable: "Cancelar la mesa",
  invite: "Invitar a alguien",
  inviteLink: "Quien abra este enlace puede sentarse:",
  started: "La partida empieza cuando todos los asientos están ocupados.",
};

const WORDS: Record<Language, typeof en> = { en, es };

export const lobbyWords = computed(() => WORDS[language.value]);
