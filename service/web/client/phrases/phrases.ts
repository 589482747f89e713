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
  tagline: "Board games of trade: play with friends or against bots, watch, and check every move.",
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
  play: "Play",
  playNow: "Play now",
  against: "Against",
  quickly: (seats: number, bot: string) => `${seats} players, against ${bot}`,
  takes: (least: number, most: number) =>
    least === most ? `about ${least} minutes` : `${least} to ${most} minutes`,
  weights: ["very light", "light", "medium weight", "heavy", "very heavy"] as readonly string[],
  nextGame: (count: number) =>
    count === 1 ? "Next game: your turn" : `Next game: your turn in ${count}`,
  now: "Now",
  running: (count: number) =>
    count === 1 ? "1 game is being played" : `${count} games are being played`,
  exhibition: "Watch the exhibition",
  exhibitionIs: "A game between bots that is always on.",
  noChat: "There is no chat here, and nobody can write to you.",
  games: "The games",
  yourGames: "Your games",
  playersGames: "Games",
  noGames: "None at the moment.",
  seats: (least: number, most: number) =>
    least === most ? `${least} players` : `${least} to ${most} players`,
  by: (designer: string, year: number) => `by ${designer}, ${year}`,
  openTable: "Open a table",
  openTables: "Open tables",
  runningGames: "Games being played",
  endedGames: "Games that have ended",
  allGames: "All games",
  game: "Game",
  title: "Title",
  titleHint: "What others see; may be left empty",
  options: "Options",
  players: "Players",
  clock: "Time for each decision",
  noClock: "No limit",
  hours: (count: number) => (count === 1 ? "1 hour" : `${count} hours`),
  minutes: (count: number) => (count === 1 ? "1 minute" : `${count} minutes`),
  visibility: "Who sees the table",
  public: "Everybody",
  unlisted: "Whoever has the link",
  private: "Whoever is invited",
  me: "You",
  openSeat: "Open for somebody",
  bot: (name: string) => `Bot: ${name}`,
  yourName: "Your name",
  nameHint: "What others see. No password: this browser keeps the key that is you.",
  create: "Open the table",
  join: "Take a seat",
  sitHere: "Sit here",
  standUp: "Stand up",
  cancelTable: "Cancel the table",
  invite: "Invite somebody",
  inviteLink: "Whoever opens this link may take a seat:",
  copy: "Copy",
  copied: "Copied",
  joinByLink: "Have you been sent an invitation? Open its link, or paste it here:",
  go: "Go",
  more: "Show more",
  started: "The game begins when every seat is held.",
  entropyIs: {
    brought: "brings entropy",
    awaited: "entropy is awaited",
    revealed: "has given entropy",
  } as Record<"brought" | "awaited" | "revealed", string>,
  startsWithout: (time: string) =>
    `The game begins as soon as all have given the entropy for the luck that they promised; at ${time} it begins without what is missing.`,
  cancelledWithout: (time: string) =>
    `The game begins as soon as all have given the entropy for the luck that they promised; if some is missing at ${time}, it is cancelled.`,
  gaveEntropy: (names: string) => `Entropy for the luck was given by ${names}.`,
  withheldEntropy: (names: string) => `Promised, and not given in time: that of ${names}.`,
  nobodyGaveEntropy:
    "Nobody gave entropy for the luck: whoever runs the service could have chosen it.",
  first: "First",
  previous: "Back",
  next: "On",
  last: "Last",
  autoplay: "Play",
  pause: "Pause",
  larger: "Larger board",
  pan: "wider than the screen: move it",
  eyes: "Seen by",
  skipAhead: "Skip ahead",
  takeBack: "Take back the last move",
  tookBack: (who: string, to: number) => `${who} takes back: all is again as after event ${to}`,
  takesBack: "Moves can be taken back, while nothing has followed",
  happened: {
    timed_out: (who) => `${who}’s time is up`,
    bot_failed: (who) => `${who}’s bot failed`,
    resigned: (who) => `${who} resigns`,
    suspended: () => "The game is suspended: time stands still",
    resumed: () => "The game goes on: time runs again",
    aborted: () => "The game is cancelled",
  } as Record<string, (who: string) => string>,
  resign: "Resign",
  resignSure: "Resign for good? The rules then answer for your seat.",
  rematch: "Play again",
  resigned: "resigned",
  record: "Save the record",
  checkThis: { game: "Check this game", tournament: "Check this tournament" } as Record<
    "game" | "tournament",
    string
  >,
  pace: "How long each turn of others is shown",
  paces: { 0: "not at all", 300: "short", 700: "a moment", 1500: "long" } as Record<number, string>,
  signOut: "Sign out of this browser",
  ratings: "Ratings",
  turnOf: "whose turn it is",
  turnTitle: "Your turn",
  players2: "Players",
  // For screen readers
  spectator: "a spectator",
  freeSeat: "free",
  toChoose: (what: string, count: number) =>
    `You: ${what}. ${count === 1 ? "1 choice." : `${count} choices.`}`,
  isOver: "The game is over.",
  minuteLeft: "You have one minute left.",
  noSuchTable: (text: string) =>
    `“${text}” is no invitation: paste the whole link, which has /games/ in it.`,

  // At a table
  nextShow: "To the next game of the exhibition",
  isProgram: "A program plays here",
  botLevels: [
    "bot, 1 of 5: plays at random",
    "bot, 2 of 5: takes what looks best at once",
    "bot, 3 of 5: looks a few moves ahead",
    "bot, 4 of 5: searches",
    "bot, 5 of 5: searches deeply",
  ] as readonly string[],
  botTime: (milliseconds: number) =>
    milliseconds < 50 ? "answers at once" : `thinks about ${(milliseconds / 1000).toFixed(1)} s`,
  // Keys, and releases
  keyLost: "The key of this browser was revoked: it opens nothing any more.",
  outdated: "There is a newer release of this page, and this one cannot go on.",
  renew: "Load the page again",

  // Replay, and alternatives
  replay: "Replay",
  whatIfI: "What if I had…",
  // Numbers
  ofTournament: "A game of a tournament",
} as const;

type Phrases = {
  readonly [K in keyof typeof en]: (typeof en)[K] extends string ? string : (typeof en)[K];
};

const es: Phrases = {
  ...BOARD_WORDS.es,
  ...PLAY_WORDS.es,
  tagline:
    "Juegos de mesa de comercio: juega con amigos o contra bots, mira partidas y comprueba cada jugada.",
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
  play: "Jugar",
  playNow: "Jugar ya",
  against: "Contra",
  quickly: (seats, bot) => `${seats} jugadores, contra ${bot}`,
  takes: (least, most) =>
    least === most ? `unos ${least} minutos` : `de ${least} a ${most} minutos`,
  weights: ["muy ligero", "ligero", "de peso medio", "denso", "muy denso"],
  nextGame: (count) =>
    count === 1 ? "Otra partida: te toca" : `Otra partida: te toca en ${count}`,
  now: "Ahora",
  running: (count) => (count === 1 ? "Se juega 1 partida" : `Se juegan ${count} partidas`),
  exhibition: "Ver la exhibición",
  exhibitionIs: "Una partida entre bots, siempre en marcha.",
  noChat: "Aquí no hay chat: nadie puede escribirte.",
  games: "Los juegos",
  yourGames: "Tus partidas",
  playersGames: "Partidas",
  noGames: "Ninguna por ahora.",
  seats: (least, most) =>
    least === most ? `${least} jugadores` : `de ${least} a ${most} jugadores`,
  by: (designer, year) => `de ${designer}, ${year}`,
  openTable: "Abrir una mesa",
  openTables: "Mesas abiertas",
  runningGames: "Partidas en curso",
  endedGames: "Partidas terminadas",
  allGames: "Todos los juegos",
  game: "Juego",
  title: "Título",
  titleHint: "Lo que ven los demás; puede quedar vacío",
  options: "Opciones",
  players: "Jugadores",
  clock: "Tiempo para cada decisión",
  noClock: "Sin límite",
  hours: (count) => (count === 1 ? "1 hora" : `${count} horas`),
  minutes: (count) => (count === 1 ? "1 minuto" : `${count} minutos`),
  visibility: "Quién ve la mesa",
  public: "Todo el mundo",
  unlisted: "Quien tenga el enlace",
  private: "Quien esté invitado",
  me: "Tú",
  openSeat: "Libre para alguien",
  bot: (name) => `Bot: ${name}`,
  yourName: "Tu nombre",
  nameHint: "Lo que ven los demás. Sin contraseña: este navegador guarda la clave que eres tú.",
  create: "Abrir la mesa",
  join: "Sentarse",
  sitHere: "Sentarse aquí",
  standUp: "Levantarse",
  cancelTable: "Cancelar la mesa",
  invite: "Invitar a alguien",
  inviteLink: "Quien abra este enlace puede sentarse:",
  copy: "Copiar",
  copied: "Copiado",
  joinByLink: "¿Te han enviado una invitación? Abre su enlace o pégalo aquí:",
  go: "Ir",
  more: "Mostrar más",
  started: "La partida empieza cuando todos los asientos están ocupados.",
  entropyIs: {
    brought: "aporta entropía",
    awaited: "se espera su entropía",
    revealed: "ha aportado entropía",
  },
  startsWithout: (time) =>
    `La partida empieza en cuanto todos aporten la entropía que prometieron al azar; a las ${time} empieza sin la que falte.`,
  cancelledWithout: (time) =>
    `La partida empieza en cuanto todos aporten la entropía que prometieron al azar; si a las ${time} falta alguna, se cancela.`,
  gaveEntropy: (names) => `Aportaron entropía al azar: ${names}.`,
  withheldEntropy: (names) => `La prometieron y no la aportaron a tiempo: ${names}.`,
  nobodyGaveEntropy: "Nadie aportó entropía al azar: quien opera el servicio pudo elegirlo.",
  first: "Primero",
  previous: "Atrás",
  next: "Adelante",
  last: "Último",
  autoplay: "Reproducir",
  pause: "Pausa",
  larger: "Tablero más grande",
  pan: "más ancho que la pantalla: muévelo",
  eyes: "Con los ojos de",
  skipAhead: "Saltar la espera",
  takeBack: "Retirar la última jugada",
  tookBack: (who: string, to: number) =>
    `${who} retira jugadas: todo vuelve a como estaba tras el evento ${to}`,
  takesBack: "Se pueden retirar jugadas mientras nada las haya seguido",
  happened: {
    timed_out: (who) => `A ${who} se le acaba el tiempo`,
    bot_failed: (who) => `Falla el bot de ${who}`,
    resigned: (who) => `${who} abandona`,
    suspended: () => "La partida queda suspendida: el tiempo se detiene",
    resumed: () => "La partida continúa: el tiempo vuelve a correr",
    aborted: () => "La partida se cancela",
  },
  resign: "Abandonar",
  resignSure: "¿Abandonar para siempre? Las reglas responderán por tu asiento.",
  rematch: "Jugar otra vez",
  resigned: "abandonó",
  record: "Guardar el registro",
  checkThis: { game: "Comprobar esta partida", tournament: "Comprobar este torneo" },
  pace: "Cuánto se muestra cada turno de los demás",
  paces: { 0: "nada", 300: "poco", 700: "un momento", 1500: "mucho" },
  signOut: "Salir de este navegador",
  ratings: "Clasificación",
  turnOf: "de quién es el turno",
  turnTitle: "Te toca",
  players2: "Jugadores",
  // Para lectores de pantalla
  spectator: "un espectador",
  freeSeat: "libre",
  toChoose: (what, count) => `Tú: ${what}. ${count === 1 ? "1 opción." : `${count} opciones.`}`,
  isOver: "La partida ha terminado.",
  minuteLeft: "Te queda un minuto.",
  noSuchTable: (text) =>
    `«${text}» no es una invitación: pega el enlace entero, que lleva /games/.`,

  // En una mesa
  nextShow: "A la siguiente partida de la exhibición",
  isProgram: "Aquí juega un programa",
  botLevels: [
    "bot, 1 de 5: juega al azar",
    "bot, 2 de 5: toma lo que mejor parece",
    "bot, 3 de 5: mira unas jugadas adelante",
    "bot, 4 de 5: busca",
    "bot, 5 de 5: busca a fondo",
  ],
  botTime: (milliseconds) =>
    milliseconds < 50
      ? "responde al instante"
      : `piensa unos ${(milliseconds / 1000).toLocaleString("es", { maximumFractionDigits: 1 })} s`,
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

const PHRASES: Record<Language, Phrases> = { en, es };

/** The phrases in the language of the page. */
export const phrases = computed<Phrases>(() => PHRASES[language.value]);
