/** The texts of the score sheet, the lead and sharing, in each language. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  title: "Score sheet",
  part: "Part of the score",
  total: "Total",
  wins: (first: string, second: string, by: number) =>
    `${first} finished ahead of ${second} by ${by === 1 ? "1 point" : `${by} points`}.`,
  tied: (first: string, second: string) => `${first} and ${second} have the same score.`,
  decided: (parts: string) => `What made the difference: ${parts}.`,
  lead: "The lead in the course of the game",
  leadIs:
    "Points ahead of the best of the others, as if the game had ended at that event: with all that is scored at the end, and with what was hidden then. A click leads to the event.",
  event: "Event",
  turning: "Turning points",
  turningIs: (name: string) => `The events that changed the lead of ${name} most:`,
  change: (points: number) => `${signed(points)} ${Math.abs(points) === 1 ? "point" : "points"}`,
  ahead: (lead: number) => (lead === 1 ? "ahead by 1" : `ahead by ${lead}`),
  behind: (by: number) => `behind by ${by}`,
  level: "level",
  since: (name: string) => `From there on, ${name} was never behind again.`,
  always: (name: string) => `${name} was never behind.`,
  share: "Show it to others",
  link: "A link to this game",
  linkAt: (seq: number) => `A link to event ${seq}, which is shown now`,
  embed: "This game on a page of yours",
  embedIs: "The tag needs the package @lonja/kit:",
  how: "how to embed a game",
};

export type ScoreWords = typeof en;

const es: ScoreWords = {
  title: "Hoja de puntuación",
  part: "Parte de la puntuación",
  total: "Total",
  wins: (first, second, by) =>
    `${first} ha terminado por delante de ${second} por ${by === 1 ? "1 punto" : `${by} puntos`}.`,
  tied: (first, second) => `${first} y ${second} tienen la misma puntuación.`,
  decided: (parts) => `Lo que marcó la diferencia: ${parts}.`,
  lead: "La ventaja a lo largo de la partida",
  leadIs:
    "Puntos de ventaja sobre el mejor de los demás, como si la partida hubiera acabado en ese evento: con todo lo que se puntúa al final y con lo que entonces estaba oculto. Un clic lleva al evento.",
  event: "Evento",
  turning: "Momentos decisivos",
  turningIs: (name) => `Los eventos que más cambiaron la ventaja de ${name}:`,
  change: (points) => `${signed(points)} ${Math.abs(points) === 1 ? "punto" : "puntos"}`,
  ahead: (lead) => `por delante, con ${lead} de ventaja`,
  behind: (by) => `por detrás, a ${by}`,
  level: "en empate",
  since: (name) => `A partir de ahí, ${name} ya no estuvo por detrás.`,
  always: (name) => `${name} nunca estuvo por detrás.`,
  share: "Enseñarla a otros",
  link: "Un enlace a esta partida",
  linkAt: (seq) => `Un enlace al evento ${seq}, que se muestra ahora`,
  embed: "Esta partida en una página tuya",
  embedIs: "La etiqueta necesita el paquete @lonja/kit:",
  how: "cómo insertar una partida",
};

const WORDS: Record<Language, ScoreWords> = { en, es };

export const scoreWords = computed<ScoreWords>(() => WORDS[language.value]);

/** A difference in points, with its sign. */
export function signed(points: number): string {
  return points.toLocaleString(language.value, { signDisplay: "exceptZero" });
}
