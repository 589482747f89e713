/** The texts of the room of the public log, in each language. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  title: "Public log",
  lead: "Once a minute the service signs here which games there are and how far each has come. The list only grows, so the service cannot tell two people two histories of a game, or drop one, without leaving traces in it.",
  none: "This service keeps no public log.",
  entries: "Entries",
  signed: "Signed",
  unsigned: "It does not say when.",
  name: "Name of the log",
  witnesses: "Seen by others",
  nobody:
    "Nobody but the operator has signed it. Whether others get the same log, you find out if you compare the checkpoint with theirs.",
  seenBy: (name: string) => `${name}, `,
  first: "This browser has not seen the log before. From now on it notices if the log is replaced.",
  grown: (size: number, more: number) =>
    more
      ? `It begins with all ${size} entries that this browser has seen before, and has ${more} more.`
      : `It has the ${size} entries that this browser has seen before.`,
  replaced:
    "This is NOT the log that this browser has seen before: the service has replaced it, or shows you another one. Keep both checkpoints; they are evidence.",
  smaller:
    "This log is older than the one that this browser has seen before. Perhaps a proxy keeps old files: look again in some minutes. If it stays so, keep both checkpoints.",
  before: "The checkpoint that this browser has seen before:",
  checkpoint: "The checkpoint, to be compared with that of others:",
  yours: "Your games in it",
  yourGame: "Game",
  logged: "In the log",
  event: (seq: number, number: number) => `up to event ${seq}, entry ${number}`,
  older: (count: number) => `not among the newest ${count} entries`,
  hidden: "under a pseudonym, because the table is not public",
  noGames: "You have no games yet.",
  newest: "Newest entries",
  entry: "Entry",
  what: "What",
  which: "Of which game or tournament",
  private: "one that is not public",
  kinds: {
    created: "was created",
    head: "has moved on",
    ended: "is over",
    aborted: "was called off",
    rewound: "has lost moves, as the service says itself",
    begun: "the log begins",
    behind: "the log says that it is behind",
    restarted: "the store was restarted, and may have lost moves that were not here yet",
  } as Record<string, string>,
  later: "of a newer release",
  upTo: (seq: number) => `to event ${seq}`,
  check: "Check everything",
  how: "How, and what it shows",
  checkHow:
    "Anybody can audit the whole log, and all games in it, with a program on a computer of their own:",
};

const es: typeof en = {
  title: "Registro público",
  lead: "Una vez por minuto el servicio firma aquí qué partidas hay y hasta dónde ha llegado cada una. La lista solo crece: el servicio no puede contar a dos personas dos historias de una partida, ni hacerla desaparecer, sin dejar huellas en ella.",
  none: "Este servicio no lleva un registro público.",
  entries: "Entradas",
  signed: "Firmado",
  unsigned: "No dice cuándo.",
  name: "Nombre del registro",
  witnesses: "Visto por otros",
  nobody:
    "Nadie más que el operador lo ha firmado. Si otros reciben el mismo registro lo sabrás comparando el punto de control con el suyo.",
  seenBy: (name) => `${name}, `,
  first: "Este navegador no había visto el registro. Desde ahora nota si alguien lo reemplaza.",
  grown: (size, more) =>
    more
      ? `Empieza con las ${size} entradas que este navegador ya había visto, y tiene ${more} más.`
      : `Tiene las ${size} entradas que este navegador ya había visto.`,
  replaced:
    "Este NO es el registro que este navegador había visto: el servicio lo ha reemplazado o te muestra otro. Guarda los dos puntos de control: son pruebas.",
  smaller:
    "Este registro es más antiguo que el que este navegador había visto. Quizá un proxy guarda archivos viejos: mira otra vez en unos minutos. Si sigue así, guarda los dos puntos de control.",
  before: "El punto de control que este navegador había visto:",
  checkpoint: "El punto de control, para compararlo con el de otros:",
  yours: "Tus partidas en él",
  yourGame: "Partida",
  logged: "En el registro",
  event: (seq, number) => `hasta el evento ${seq}, entrada ${number}`,
  older: (count) => `no está entre las ${count} entradas más nuevas`,
  hidden: "con un seudónimo, porque la mesa no es pública",
  noGames: "Todavía no tienes partidas.",
  newest: "Entradas más nuevas",
  entry: "Entrada",
  what: "Qué",
  which: "De qué partida o torneo",
  private: "una que no es pública",
  kinds: {
    created: "se creó",
    head: "ha avanzado",
    ended: "ha terminado",
    aborted: "se canceló",
    rewound: "ha perdido jugadas, según el propio servicio",
    begun: "el registro empieza",
    behind: "el registro dice que va con retraso",
    restarted: "el almacén se reinició, y pudo perder jugadas que aún no estaban aquí",
  },
  later: "de una versión más nueva",
  upTo: (seq) => `hasta el evento ${seq}`,
  check: "Comprobarlo todo",
  how: "Cómo, y qué muestra",
  checkHow:
    "Cualquiera puede auditar todo el registro, y todas sus partidas, con un programa en su propio ordenador:",
};

const WORDS: Record<Language, typeof en> = { en, es };

export const logWords = computed(() => WORDS[language.value]);
