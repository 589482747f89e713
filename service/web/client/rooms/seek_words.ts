/** The texts about seeks, in each language; they are loaded with them. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

type Bound = number | null | undefined;

const en = {
  seek: "Find players",
  players: (count: number) => `${count} players`,
  isRated: "It counts for ratings (people only)",
  rated: "rated",
  with: "With",
  opponents: { anybody: "people and programs", people: "people only", bots: "programs only" },
  rating: "Their rating in this game",
  atLeast: "at least",
  atMost: "at most",
  newcomers: "Everybody begins with 1500.",
  range: (least: Bound, most: Bound) => ranged(least, most, "rating from", "to"),
  waiting: "Waiting for others:",
  ended: "Nobody came in time:",
  refused: "This could not begin:",
  until: "until",
  cancel: "Stop waiting",
  close: "Close",
  others: "Who is waiting for players",
  join: "Join",
};

const es: typeof en = {
  seek: "Buscar jugadores",
  players: (count) => `${count} jugadores`,
  isRated: "Cuenta para la clasificación (solo personas)",
  rated: "puntuada",
  with: "Con",
  opponents: { anybody: "personas y programas", people: "solo personas", bots: "solo programas" },
  rating: "Su clasificación en este juego",
  atLeast: "al menos",
  atMost: "como mucho",
  newcomers: "Todo el mundo empieza con 1500.",
  range: (least, most) => ranged(least, most, "clasificación desde", "hasta"),
  waiting: "Esperando a otros:",
  ended: "Nadie llegó a tiempo:",
  refused: "Esto no pudo empezar:",
  until: "hasta",
  cancel: "Dejar de esperar",
  close: "Cerrar",
  others: "Quién espera jugadores",
  join: "Unirse",
};

function ranged(least: Bound, most: Bound, from: string, to: string): string {
  if (least == null && most == null) return "";
  return `${from} ${least ?? 0}${most == null ? "" : ` ${to} ${most}`}`;
}

const WORDS: Record<Language, typeof en> = { en, es };

export const seekWords = computed(() => WORDS[language.value]);
