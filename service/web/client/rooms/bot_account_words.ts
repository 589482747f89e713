/** The texts about a bot account on a player's page, in each language; they are loaded with it. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  title: "About this bot",
  owner: "Owner",
  present: "It is here now.",
  absent: "It is not here now.",
  version: "Version",
  since: "since",
  author: "Author",
  page: "Page",
  takes: "Plays",
  players: (numbers: string) => (numbers === "1" ? "1 player" : `${numbers} players`),
  atOnce: "Questions at once",
  declared: "Its owner says so; nobody checks it. What follows comes from its games.",
  record: "Record",
  noRecord: "It has ended no game that everybody may see.",
  game: "Game",
  seats: "Players",
  games: "Games",
  won: "Came first",
  counted:
    "Of its newest 200 games that everybody may see, each for the version that it had when the table was opened.",
  versions: (count: number) => `All ${count} versions`,
};

const es: typeof en = {
  title: "Sobre este bot",
  owner: "Propietario",
  present: "Está aquí ahora.",
  absent: "Ahora no está aquí.",
  version: "Versión",
  since: "desde",
  author: "Autor",
  page: "Página",
  takes: "Juega a",
  players: (numbers) => (numbers === "1" ? "1 jugador" : `${numbers} jugadores`),
  atOnce: "Preguntas a la vez",
  declared: "Así lo dice su propietario; nadie lo comprueba. Lo que sigue sale de sus partidas.",
  record: "Historial",
  noRecord: "No ha terminado ninguna partida que pueda ver todo el mundo.",
  game: "Juego",
  seats: "Jugadores",
  games: "Partidas",
  won: "Quedó primero",
  counted:
    "De sus 200 partidas más recientes que puede ver todo el mundo, cada una para la versión que tenía al abrirse la mesa.",
  versions: (count) => `Las ${count} versiones`,
};

const WORDS: Record<Language, typeof en> = { en, es };

export const botAccountWords = computed(() => WORDS[language.value]);
