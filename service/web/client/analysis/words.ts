/** The texts of analyses, in each language; they are loaded together with an analysis. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  title: "Analysis",
  lead: "A bot plays the game through: which moves cost most by what was known then, and what the draws did.",
  ask: "Analyse the game",
  nobodyAsked: "Nobody has asked for it yet, and only players can.",
  needsName: "Choose a name first",
  queued: "The analysis waits for its turn.",
  running: (made: number, all: number) => `The analysis is at event ${made} of ${all}.`,
  failed: (why: string) => `The analysis failed: ${why}`,
  graph: "How far each seat gets ahead",
  graphNote: (bot: string) =>
    `In points before the mean of the others, with all cards open, as ${bot} reckons. A click leads to the event.`,
  shownHere: "the event that is shown",
  costlyHere: "a move that cost much",
  event: "Event",
  eventNumber: (seq: number) => `Event ${seq}`,
  here: "At this event",
  played: (who: string, move: string) => `${who} played: ${move}`,
  same: (bot: string) => `${bot} would have played the same.`,
  other: (bot: string, move: string) => `${bot} would have played: ${move}`,
  leads: (played: string, best: string) => `That leads to ${played}, the bot's move to ${best}.`,
  cost: (cost: string) => `It cost ${cost} points.`,
  noCost: (cost: string) => `No difference shows: ${cost} points.`,
  draw: "This draw moved the seats by:",
  seats: "Luck, and what moves cost",
  note: "Points with their standard errors. Luck is what the draws did, not the choices.",
  seat: "Seat",
  luck: "Luck",
  allCost: "Moves cost",
  costly: "Moves that cost most",
  none: "None cost much.",
  instead: (bot: string, move: string) => `${bot}: ${move}`,
  thoughts: (who: string) => `What ${who} thought`,
  noThoughts: "It had no choice, or keeps no thoughts.",
  move: "Move",
  visits: "Tried",
  looks: "At once, against the best",
  expected: (who: string) => `Lead of ${who}`,
  earlier:
    "An earlier release made this analysis: its leads are as the bot sees them, and not points.",
  chosen: "played",
};

export type AnalysisWords = typeof en;

const es: AnalysisWords = {
  title: "Análisis",
  lead: "Un bot repasa la partida: qué jugadas costaron más según lo que se sabía, y qué hizo el azar.",
  ask: "Analizar la partida",
  nobodyAsked: "Aún no lo ha pedido nadie, y solo pueden hacerlo los jugadores.",
  needsName: "Elige antes un nombre",
  queued: "El análisis espera su turno.",
  running: (made, all) => `El análisis va por el evento ${made} de ${all}.`,
  failed: (why) => `El análisis falló: ${why}`,
  graph: "Cuánta ventaja saca cada asiento",
  graphNote: (bot) =>
    `En puntos sobre la media de los demás, con todo a la vista, según ${bot}. Un clic lleva al evento.`,
  shownHere: "el evento que se muestra",
  costlyHere: "una jugada que costó mucho",
  event: "Evento",
  eventNumber: (seq) => `Evento ${seq}`,
  here: "En este evento",
  played: (who, move) => `${who} jugó: ${move}`,
  same: (bot) => `${bot} habría jugado lo mismo.`,
  other: (bot, move) => `${bot} habría jugado: ${move}`,
  leads: (played, best) => `Eso lleva a ${played}; la jugada del bot, a ${best}.`,
  cost: (cost) => `Costó ${cost} puntos.`,
  noCost: (cost) => `No se aprecia diferencia: ${cost} puntos.`,
  draw: "Este sorteo movió los asientos en:",
  seats: "Suerte, y coste de las jugadas",
  note: "Puntos con su error típico. La suerte es lo que hizo el azar, no las decisiones.",
  seat: "Asiento",
  luck: "Suerte",
  allCost: "Jugadas",
  costly: "Las jugadas que más costaron",
  none: "Ninguna costó mucho.",
  instead: (bot, move) => `${bot}: ${move}`,
  thoughts: (who) => `Lo que pensó ${who}`,
  noThoughts: "No tenía elección, o no guarda lo que piensa.",
  move: "Jugada",
  visits: "Probada",
  looks: "De entrada, frente a la mejor",
  expected: (who) => `Ventaja de ${who}`,
  earlier:
    "Este análisis lo hizo una versión anterior: sus ventajas son como las ve el bot, no puntos.",
  chosen: "jugada",
};

const WORDS: Record<Language, AnalysisWords> = { en, es };

export const analysisWords = computed<AnalysisWords>(() => WORDS[language.value]);

/** Thousandths of a point as points, optionally with a sign. */
export function points(milli: number, signed = false): string {
  return (milli / 1000).toLocaleString(language.value, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: signed ? "exceptZero" : "negative",
  });
}

/** A mean with its standard error. */
export function measured(
  { mean, error }: { readonly mean: number; readonly error: number },
  signed = false,
): string {
  return `${points(mean, signed)} ± ${points(error)}`;
}
