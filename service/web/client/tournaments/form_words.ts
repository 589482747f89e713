/** The texts of the form that opens a tournament; they are loaded with it. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import { whole } from "../phrases/numbers.ts";
import type { Language } from "../words/languages.ts";
import { cupWords } from "./words.ts";

const en = {
  formatIs: {
    round_robin: "Every line-up of the entries meets in turn.",
    gauntlet: "The first entry meets every line-up of the others.",
    swiss: "In each round, those meet who stand alike, and seldom twice.",
    knockout: "Who wins a table goes on; the best of the others fill up the next round.",
    ladder: "Neighbours meet and change rungs; it begins in the order of the entries.",
    endless:
      "Who is present and has waited, and whose rating is uncertain, plays next; it never ends.",
    compare: "The first entry takes each seat in turn among copies of the second.",
  } as Record<string, string>,
  name: "Name",
  nameHint: "What others see; may be left empty",
  entries: "Who takes part",
  bot: "Bot",
  entryName: "Name in the table",
  add: "Add an entry",
  remove: (number: number) => `Remove entry ${number}`,
  entryOf: (number: number) => `Entry ${number}`,
  openEntries: "Open for entries",
  ownersMayEnter: "Owners may enter their bots",
  places: "Entries at most, with yours",
  placesHint:
    "It starts when all places are taken, or when you start it. Each bot plays a validation game first. Such a tournament is not rated.",
  format: "Format",
  more: "More",
  rotations: "Seats of a block",
  rotation: { cyclic: "in rotation", all: "in every order" } as Record<string, string>,
  counts: "What counts",
  pointsOf: {
    opponents: "each opponent that one is ahead of",
    wins: "winning alone",
  } as Record<string, string>,
  luck: "Luck",
  luckOf: {
    "": "the same in a block, if no bot can remember it",
    block: "the same in a block",
    game: "of each game's own",
  } as Record<string, string>,
  limit: "Seconds of processor time a move may take",
  failing: "A bot that fails",
  failingIs: {
    resign: "resigns that game",
    default_move: "has the rules' default move played",
  } as Record<string, string>,
  preview: (games: number, blocks: number, each: number) =>
    `That is ${whole(games)} ${games === 1 ? "game" : "games"}: ${whole(blocks)} ${blocks === 1 ? "block" : "blocks"} of ${each}.`,
  previewAtMost: (games: number) =>
    `That is ${whole(games)} games at most: it ends as soon as it is decided.`,
  previewFull: "That holds with all places taken.",
  previewTime: (time: string) => `Their bots think for about ${time} of processor time.`,
  previewStore: (megabytes: number) => `The games take about ${whole(megabytes)} MB of the store.`,
  previewBand: (band: number) =>
    `Bands of points per game reach about ${band} to each side, at most.`,
  previewing: "How many games that is comes at once.",
  begin: "Hold it",
};

const es: typeof en = {
  formatIs: {
    round_robin: "Se juegan por turno todas las alineaciones de participantes.",
    gauntlet: "El primer participante se enfrenta a todas las alineaciones de los demás.",
    swiss: "En cada ronda se enfrentan los que van igualados, y rara vez dos veces.",
    knockout: "Quien gana una mesa sigue; los mejores de los demás completan la ronda siguiente.",
    ladder:
      "Los vecinos se enfrentan y cambian de peldaño; empieza en el orden de los participantes.",
    endless:
      "Juega quien está presente, ha esperado y tiene una clasificación incierta; no acaba nunca.",
    compare: "El primer participante ocupa cada asiento por turno entre copias del segundo.",
  },
  name: "Nombre",
  nameHint: "Lo que ven los demás; puede quedar vacío",
  entries: "Quién participa",
  bot: "Bot",
  entryName: "Nombre en la tabla",
  add: "Añadir un participante",
  remove: (number) => `Quitar el participante ${number}`,
  entryOf: (number) => `Participante ${number}`,
  openEntries: "Abierto a inscripciones",
  ownersMayEnter: "Los propietarios pueden inscribir sus bots",
  places: "Participantes como máximo, con los tuyos",
  placesHint:
    "Empieza cuando se ocupan todas las plazas, o cuando lo empiezas tú. Cada bot juega antes una partida de validación. Un torneo así no cuenta para la clasificación.",
  format: "Formato",
  more: "Más",
  rotations: "Asientos de un bloque",
  rotation: { cyclic: "en rotación", all: "en todos los órdenes" },
  counts: "Qué cuenta",
  pointsOf: {
    opponents: "cada rival al que se deja atrás",
    wins: "solo ganar",
  },
  luck: "Suerte",
  luckOf: {
    "": "la misma en un bloque, si ningún bot puede recordarla",
    block: "la misma en un bloque",
    game: "propia de cada partida",
  },
  limit: "Segundos de procesador que puede tardar una jugada",
  failing: "Un bot que falla",
  failingIs: {
    resign: "abandona esa partida",
    default_move: "juega la jugada por defecto de las reglas",
  },
  preview: (games, blocks, each) =>
    `Son ${whole(games)} ${games === 1 ? "partida" : "partidas"}: ${whole(blocks)} ${blocks === 1 ? "bloque" : "bloques"} de ${each}.`,
  previewAtMost: (games) =>
    `Son ${whole(games)} partidas como mucho: termina en cuanto está decidido.`,
  previewFull: "Eso vale con todas las plazas ocupadas.",
  previewTime: (time) => `Sus bots piensan unos ${time} de procesador.`,
  previewStore: (megabytes) => `Las partidas ocupan unos ${whole(megabytes)} MB del almacén.`,
  previewBand: (band) =>
    `Las bandas de los puntos por partida llegan como mucho a unos ${band.toLocaleString("es")} a cada lado.`,
  previewing: "Enseguida se dirá cuántas partidas son.",
  begin: "Organizarlo",
};

const WORDS: Record<Language, typeof en> = { en, es };

/** The form's texts, and those of the rooms. */
export const formWords = computed(() => ({ ...cupWords.value, ...WORDS[language.value] }));
