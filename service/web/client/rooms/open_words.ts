/** The texts of the lobby, and of the form that opens a table, in each language. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  joinByLink: "Have you been sent an invitation? Open its link, or paste it here:",
  go: "Go",
  noSuchTable: (text: string) =>
    `“${text}” is no invitation: paste the whole link, which has /games/ in it.`,
  titleHint: "What others see; may be left empty",
  clock: "Time to think",
  noClock: "No limit",
  eachDecision: (time: string) => `${time} for each decision`,
  wholeGame: (time: string, increment: string | 0) =>
    increment
      ? `${time} per player for the whole game, ${increment} more with each answer`
      : `${time} per player for the whole game`,
  hours: (count: number) => (count === 1 ? "1 hour" : `${count} hours`),
  seconds: (count: number) => (count === 1 ? "1 second" : `${count} seconds`),
  minutes: (count: number) => (count === 1 ? "1 minute" : `${count} minutes`),
  visibility: "Who sees the table",
  public: "Everybody",
  unlisted: "Whoever has the link",
  private: "Whoever is invited",
  me: "You",
  openSeat: "Open for somebody",
  create: "Open the table",
  takesBack: "Moves can be taken back, while nothing has followed",
  hints: "Players may ask a bot for hints; all see that they ask",
  signatures: "Players sign their moves, so that nobody else can make them",
  beacon: "A public beacon goes into the luck, so that nobody chooses it",
};

const es: typeof en = {
  joinByLink: "¿Te han enviado una invitación? Abre su enlace o pégalo aquí:",
  go: "Ir",
  noSuchTable: (text) =>
    `«${text}» no es una invitación: pega el enlace entero, que lleva /games/.`,
  titleHint: "Lo que ven los demás; puede quedar vacío",
  clock: "Tiempo para pensar",
  noClock: "Sin límite",
  eachDecision: (time) => `${time} por decisión`,
  wholeGame: (time, increment) =>
    increment
      ? `${time} por jugador para toda la partida, ${increment} más con cada respuesta`
      : `${time} por jugador para toda la partida`,
  hours: (count) => (count === 1 ? "1 hora" : `${count} horas`),
  seconds: (count) => (count === 1 ? "1 segundo" : `${count} segundos`),
  minutes: (count) => (count === 1 ? "1 minuto" : `${count} minutos`),
  visibility: "Quién ve la mesa",
  public: "Todo el mundo",
  unlisted: "Quien tenga el enlace",
  private: "Quien esté invitado",
  me: "Tú",
  openSeat: "Libre para alguien",
  create: "Abrir la mesa",
  takesBack: "Se pueden retirar jugadas mientras nada las haya seguido",
  hints: "Se pueden pedir pistas a un bot; todos ven que se piden",
  signatures: "Los jugadores firman sus jugadas, para que nadie más pueda hacerlas",
  beacon: "Un faro público entra en la suerte, para que nadie la elija",
};

const WORDS: Record<Language, typeof en> = { en, es };

export const openWords = computed(() => WORDS[language.value]);
