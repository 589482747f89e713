/**
 * The page's own texts, and the texts of boards and tables, in each language. Texts of games are
 * labels of their rulesets.
 */

import { computed } from "@preact/signals";
import { BOARD_WORDS } from "../board/words.ts";
import { language } from "../browser/language.ts";
import { PLAY_WORDS } from "../play/words.ts";
import type { Language } from "../words/languages.ts";

const en = {
  ...BOARD_WORDS.en,
  ...PLAY_WORDS.en,
  lobby: "Lobby",
  tournaments: "Tournaments",
  rules: "Rules",
  check: "Check a record",
  settings: "Settings",
  you: "You",
  api: "For developers",
  skip: "Skip to the content",
  failed: "That did not work",
  notFound: "There is nothing here.",
  notFoundHow: "The address may have been mistyped or cut off. Go on from here:",
  playNow: "Play now",
  against: "Against",
  takes: (least: number, most: number) =>
    least === most ? `about ${least} minutes` : `${least} to ${most} minutes`,
  nextGame: (count: number) =>
    count === 1 ? "Next game: your turn" : `Next game: your turn in ${count}`,
  running: (count: number) =>
    count === 1 ? "1 game is being played" : `${count} games are being played`,
  noChat: "There is no chat here, and nobody can write to you.",
  games: "The games",
  yourGames: "Your games",
  playersGames: "Games",
  noGames: "None at the moment.",
  seats: (least: number, most: number) =>
    least === most ? `${least} players` : `${least} to ${most} players`,
  openTable: "Open a table",
  openTables: "Open tables",
  runningGames: "Games being played",
  endedGames: "Games that have ended",
  allGames: "All games",
  game: "Game",
  title: "Title",
  options: "Options",
  players: "Players",
  bot: (name: string) => `Bot: ${name}`,
  yourName: "Your name",
  nameHint: "What others see. No password: this browser keeps the key that is you.",
  copy: "Copy",
  copied: "Copied",
  more: "Show more",
  autoplay: "Play",
  pause: "Pause",
  larger: "Larger board",
  pan: "wider than the screen: move it",
  skipAhead: "Skip ahead",
  takeBack: "Take back the last move",
  tookBack: (who: string, to: number) => `${who} takes back: all is again as after event ${to}`,
  resign: "Resign",
  record: "Save the record",
  checkThis: { game: "Check this game", tournament: "Check this tournament" } as Record<
    "game" | "tournament",
    string
  >,
  pace: "How long each turn of others is shown",
  paces: { 0: "not at all", 300: "short", 700: "a moment", 1500: "long" } as Record<number, string>,
  signOut: "Sign out of this browser",
  turnTitle: "Your turn",
  // For screen readers
  freeSeat: "free",
  toChoose: (what: string, count: number) =>
    `You: ${what}, ${count === 1 ? "1 choice" : `${count} choices`}`,
  isOver: "The game is over.",
  minuteLeft: "You have one minute left.",

  // At a table
  isProgram: "A program plays here",
  // Keys, and releases
  keyLost: "The key of this browser was revoked: it opens nothing any more.",
  outdated: "There is a newer release of this page, and this one cannot go on.",
  renew: "Load the page again",

  // Replay, and alternatives
  replay: "Replay",
  whatIfI: "What if I had…",
  // Numbers
  ofTournament: "A game of a tournament",
};

const es: typeof en = {
  ...BOARD_WORDS.es,
  ...PLAY_WORDS.es,
  lobby: "Mesas",
  tournaments: "Torneos",
  rules: "Reglas",
  check: "Comprobar un registro",
  settings: "Ajustes",
  you: "Tú",
  api: "Para desarrollar",
  skip: "Saltar al contenido",
  failed: "No ha salido bien",
  notFound: "Aquí no hay nada.",
  notFoundHow: "Puede que la dirección esté mal escrita o cortada. Sigue desde aquí:",
  playNow: "Jugar ya",
  against: "Contra",
  takes: (least, most) =>
    least === most ? `unos ${least} minutos` : `de ${least} a ${most} minutos`,
  nextGame: (count) =>
    count === 1 ? "Otra partida: te toca" : `Otra partida: te toca en ${count}`,
  running: (count) => (count === 1 ? "Se juega 1 partida" : `Se juegan ${count} partidas`),
  noChat: "Aquí no hay chat: nadie puede escribirte.",
  games: "Los juegos",
  yourGames: "Tus partidas",
  playersGames: "Partidas",
  noGames: "Ninguna por ahora.",
  seats: (least, most) =>
    least === most ? `${least} jugadores` : `de ${least} a ${most} jugadores`,
  openTable: "Abrir una mesa",
  openTables: "Mesas abiertas",
  runningGames: "Partidas en curso",
  endedGames: "Partidas terminadas",
  allGames: "Todos los juegos",
  game: "Juego",
  title: "Título",
  options: "Opciones",
  players: "Jugadores",
  bot: (name) => `Bot: ${name}`,
  yourName: "Tu nombre",
  nameHint: "Lo que ven los demás. Sin contraseña: este navegador guarda la clave que eres tú.",
  copy: "Copiar",
  copied: "Copiado",
  more: "Mostrar más",
  autoplay: "Reproducir",
  pause: "Pausa",
  larger: "Tablero más grande",
  pan: "más ancho que la pantalla: muévelo",
  skipAhead: "Saltar la espera",
  takeBack: "Retirar la última jugada",
  tookBack: (who: string, to: number) =>
    `${who} retira jugadas: todo vuelve a como estaba tras el evento ${to}`,
  resign: "Abandonar",
  record: "Guardar el registro",
  checkThis: { game: "Comprobar esta partida", tournament: "Comprobar este torneo" },
  pace: "Cuánto se muestra cada turno de los demás",
  paces: { 0: "nada", 300: "poco", 700: "un momento", 1500: "mucho" },
  signOut: "Salir de este navegador",
  turnTitle: "Te toca",
  // Para lectores de pantalla
  freeSeat: "libre",
  toChoose: (what, count) => `Tú: ${what}, ${count === 1 ? "1 opción" : `${count} opciones`}`,
  isOver: "La partida ha terminado.",
  minuteLeft: "Te queda un minuto.",

  // En una mesa
  isProgram: "Aquí juega un programa",
  // Recibos y claves
  keyLost: "La clave de este navegador fue revocada: ya no abre nada.",
  outdated: "Hay una versión más nueva de esta página, y esta no puede continuar.",
  renew: "Cargar la página de nuevo",

  // Repetición, y alternativas
  replay: "Repetición",
  whatIfI: "¿Y si yo hubiera…?",
  // Números
  ofTournament: "Una partida de un torneo",
};

const PHRASES: Record<Language, typeof en> = { en, es };

/** The phrases in the language of the page. */
export const phrases = computed(() => PHRASES[language.value]);
