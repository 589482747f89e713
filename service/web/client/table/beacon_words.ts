/** The texts about the beacon of a table, in each language. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

type Late = "abort" | "start";

const en = {
  goes: (chain: string) =>
    `A public beacon goes into the luck: the first round of ${chain} that is out half a minute or more after every seat is held, so that nobody chooses it.`,
  ifLate: {
    abort: "If it is late, the game is cancelled.",
    start: "If it is late, the game begins without it.",
  } as Record<Late, string>,
  awaited: (round: number, chain: string, at: string) =>
    `The luck waits for round ${round} of the beacon ${chain}, which is out at ${at}.`,
  until: {
    abort: (time) => `If it is missing at ${time}, the game is cancelled.`,
    start: (time) => `If it is missing at ${time}, the game begins without it.`,
  } as Record<Late, (time: string) => string>,
  went: (round: number, chain: string, at: string) =>
    `Round ${round} of the beacon ${chain}, out at ${at}, went into the luck.`,
  withoutIt: (round: number, chain: string) =>
    `The service says that round ${round} of the beacon ${chain} was late: it is not in the luck.`,
  foreseen:
    "Whoever runs the service still foresees the luck from the beacon’s round on; to end that, each draw would have to wait for entropy of every player, or for several operators who share its key.",
  more: "What that means",
  late: "If the beacon is late",
  lateIs: {
    abort: "the game is cancelled",
    start: "the game begins without it",
  } as Record<Late, string>,
};

const es: typeof en = {
  goes: (chain) =>
    `Un faro público entra en la suerte: la primera ronda de ${chain} que salga medio minuto o más después de ocuparse todos los asientos, para que nadie la elija.`,
  ifLate: {
    abort: "Si llega tarde, la partida se cancela.",
    start: "Si llega tarde, la partida empieza sin él.",
  },
  awaited: (round, chain, at) =>
    `La suerte espera a la ronda ${round} del faro ${chain}, que sale a las ${at}.`,
  until: {
    abort: (time) => `Si falta a las ${time}, la partida se cancela.`,
    start: (time) => `Si falta a las ${time}, la partida empieza sin él.`,
  },
  went: (round, chain, at) =>
    `La ronda ${round} del faro ${chain}, que salió a las ${at}, entró en la suerte.`,
  withoutIt: (round, chain) =>
    `El servicio dice que la ronda ${round} del faro ${chain} llegó tarde: no está en la suerte.`,
  foreseen:
    "Quien opera el servicio sigue previendo la suerte desde la ronda del faro; para impedirlo, cada tirada tendría que esperar la entropía de todos los jugadores, o a varios operadores que compartan su clave.",
  more: "Qué significa esto",
  late: "Si el faro llega tarde",
  lateIs: {
    abort: "la partida se cancela",
    start: "la partida empieza sin él",
  },
};

const WORDS: Record<Language, typeof en> = { en, es };

export const beaconWords = computed(() => WORDS[language.value]);
