// The texts of the page; those of findings are in ../sentences.ts.

import type { Counts } from "../findings.ts";
import type { Severity } from "../sentences.ts";
import type { Report } from "../verify.ts";

export type Language = "en" | "es";

interface Words {
  readonly title: string;
  readonly lobby: string;
  readonly games: string;
  readonly tournaments: string;
  readonly docs: string;
  readonly lead: string;
  readonly privacy: string;
  readonly drop: string;
  readonly record: string;
  readonly more: string;
  readonly receipts: string;
  readonly key: string;
  readonly keyWrong: string;
  readonly receiptWrong: string;
  readonly browserReceipts: (count: number) => string;
  readonly checking: string;
  readonly events: string;
  readonly stop: string;
  readonly verdicts: Readonly<Record<Report["verdict"], readonly [string, string]>>;
  readonly game: string;
  readonly tournament: string;
  readonly findings: string;
  readonly severities: Readonly<Record<Severity, string>>;
  readonly event: string;
  readonly line: string;
  readonly dropped: (count: number) => string;
  readonly counted: string;
  readonly counts: Readonly<Record<keyof Counts, string>>;
  readonly unwitnessed: string;
  readonly unchecked: string;
  readonly uncheckedLead: string;
  readonly never: string;
  readonly neverWhat: string;
  readonly tamper: string;
  readonly tamperLead: string;
  readonly tamperValue: string;
  readonly tamperChain: string;
  readonly tamperNothing: string;
  readonly forged: (version: number, path: string, before: string, after: string) => string;
  readonly keepForged: string;
  readonly original: string;
  readonly save: string;
  readonly saveLead: string;
  readonly languages: string;
}

export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    title: "Check a record",
    lobby: "Lobby",
    games: "Games",
    tournaments: "Tournaments",
    docs: "For developers",
    lead: "Choose the record of a game or of a tournament, as `lonja export` and `lonja tournament export` write it. This page then checks that nothing in it was changed: hashes, commitments, draws, entropy, signatures.",
    privacy:
      "Nothing leaves this browser: the page makes no request at all, and works without a network.",
    drop: "Drop a record here, or choose one",
    record: "Record (.ndjson or .ndjson.gz)",
    more: "Receipts and the service's key",
    receipts: "Receipts that you kept (.json)",
    key: "The service's public key, 64 hex digits, from a source that you trust",
    keyWrong: "A public key has 64 digits of lower-case hexadecimal.",
    browserReceipts: (count) =>
      count === 1
        ? "This browser keeps 1 receipt: if it is of this record, it is held against it."
        : `This browser keeps ${count} receipts: those of this record are held against it.`,
    receiptWrong: "This file holds no receipt, nor a list of them:",
    checking: "Checking…",
    events: "events",
    stop: "Stop",
    verdicts: {
      sound: [
        "Nothing is wrong, but for what the rules say",
        "Whether the moves were legal was not judged here: `lonja verify FILE` does. All that can be checked without the rules is right.",
      ],
      open: [
        "Nothing is wrong so far",
        "Whether the moves were legal was not judged here: `lonja verify FILE` does. What could be checked without the rules is right, but the record leaves checks open.",
      ],
      unreadable: [
        "This is no record",
        "Or it was cut, or it is larger than can be read here: the finding below says which.",
      ],
      newer: [
        "Newer than this page",
        "What this page knows of the record is right, but not all of it is known here. The page of a service of today, or the newest release, may know it.",
      ],
      failed: [
        "Something is wrong",
        "At least one check failed. The first finding is the best place to begin.",
      ],
    },
    game: "Game",
    tournament: "Tournament",
    findings: "Findings",
    severities: {
      failure: "Wrong",
      unreadable: "Cannot be read",
      newer: "Newer",
      open: "Open",
      note: "Worth knowing",
    },
    event: "Event",
    line: "Line",
    dropped: (count) => `… and ${count} findings more.`,
    counted: "What was checked",
    counts: {
      events: "events in the chain",
      batches: "batches",
      commitments: "commitments",
      nonces: "nonces from the salt",
      openings: "openings",
      state_proofs: "states before the start",
      draws: "draws",
      picks: "picks from the seed",
      entropy: "seats' entropy",
      signatures: "signatures",
      signed: "moves and keys signed by seats",
      games: "games",
      hidden: "parts still hidden",
    },
    unwitnessed:
      "Nobody but the operator of the service saw this: the record has no co-signature of a witness, so somebody else may have been shown another history.",
    unchecked: "What is not judged here",
    uncheckedLead: "These need the rules of the game. `lonja verify` judges them too:",
    never: "What nothing can show",
    neverWhat:
      "That nobody looked at hidden parts or foresaw the luck; who plays under a name, for the operator may hold a seat himself; and which games he gave up before anybody saw them.",
    tamper: "Try it on a forgery",
    tamperLead:
      "This makes a forged copy of your record in this browser, and checks that. Your file stays as it is.",
    tamperValue: "Change one value",
    tamperChain: "Change one value, and make all hashes anew",
    tamperNothing: "This record shows nothing that could be changed.",
    forged: (version, path, before, after) =>
      `Forged: in event ${version}, ${path} was ${before} and is now ${after}.`,
    keepForged: "Save the forged copy",
    original: "Back to the original",
    save: "Save this page",
    saveLead: "It is one file, and checks records wherever it lies, without a network.",
    languages: "Language",
  },
  es: {
    title: "Comprobar un registro",
    lobby: "Mesas",
    games: "Partidas",
    tournaments: "Torneos",
    docs: "Para desarrollar",
    lead: "Elige el registro de una partida o de un torneo, como lo escriben `lonja export` y `lonja tournament export`. Esta página comprueba que nada en él ha cambiado: resúmenes, compromisos, sorteos, entropía, firmas.",
    privacy: "Nada sale de este navegador: la página no hace ninguna petición, y funciona sin red.",
    drop: "Suelta aquí un registro, o elige uno",
    record: "Registro (.ndjson o .ndjson.gz)",
    more: "Recibos y la clave del servicio",
    receipts: "Recibos que guardaste (.json)",
    key: "La clave pública del servicio, 64 dígitos hexadecimales, de una fuente de confianza",
    keyWrong: "Una clave pública tiene 64 dígitos hexadecimales en minúscula.",
    browserReceipts: (count) =>
      count === 1
        ? "Este navegador guarda 1 recibo: si es de este registro, se compara con él."
        : `Este navegador guarda ${count} recibos: los de este registro se comparan con él.`,
    receiptWrong: "Este archivo no contiene un recibo, ni una lista de ellos:",
    checking: "Comprobando…",
    events: "eventos",
    stop: "Parar",
    verdicts: {
      sound: [
        "Nada está mal, salvo lo que digan las reglas",
        "Si las jugadas eran legales no se juzga aquí: lo hace `lonja verify FILE`. Todo lo que se puede comprobar sin las reglas está bien.",
      ],
      open: [
        "Nada está mal por ahora",
        "Si las jugadas eran legales no se juzga aquí: lo hace `lonja verify FILE`. Lo que se pudo comprobar sin las reglas está bien, pero el registro deja comprobaciones pendientes.",
      ],
      unreadable: [
        "Esto no es un registro",
        "O está cortado, o es más grande de lo que aquí se puede leer: el hallazgo de abajo lo dice.",
      ],
      newer: [
        "Más nuevo que esta página",
        "Lo que esta página conoce del registro está bien, pero no lo conoce todo. Puede que lo conozca la página de un servicio de hoy, o la versión más reciente.",
      ],
      failed: [
        "Algo está mal",
        "Falló al menos una comprobación. El primer hallazgo es el mejor comienzo.",
      ],
    },
    game: "Partida",
    tournament: "Torneo",
    findings: "Hallazgos",
    severities: {
      failure: "Mal",
      unreadable: "No se puede leer",
      newer: "Más nuevo",
      open: "Pendiente",
      note: "Conviene saber",
    },
    event: "Evento",
    line: "Línea",
    dropped: (count) => `… y ${count} hallazgos más.`,
    counted: "Qué se comprobó",
    counts: {
      events: "eventos en la cadena",
      batches: "lotes",
      commitments: "compromisos",
      nonces: "nonces según la sal",
      openings: "aperturas",
      state_proofs: "estados antes del comienzo",
      draws: "sorteos",
      picks: "extracciones según la semilla",
      entropy: "entropía de asientos",
      signatures: "firmas",
      signed: "jugadas y claves firmadas por asientos",
      games: "partidas",
      hidden: "partes aún ocultas",
    },
    unwitnessed:
      "Nadie más que quien lleva el servicio ha visto esto: el registro no tiene la firma de ningún testigo, así que a otra persona se le pudo mostrar otra historia.",
    unchecked: "Qué no se juzga aquí",
    uncheckedLead: "Esto necesita las reglas del juego. `lonja verify` también lo juzga:",
    never: "Qué no puede mostrar nada",
    neverWhat:
      "Que nadie miró partes ocultas ni previó la suerte; quién juega bajo un nombre, pues quien lleva el servicio puede ocupar un asiento; y qué partidas abandonó antes de que las viera nadie.",
    tamper: "Pruébalo con una falsificación",
    tamperLead:
      "Esto hace en este navegador una copia falsa de tu registro, y la comprueba. Tu archivo queda como está.",
    tamperValue: "Cambiar un valor",
    tamperChain: "Cambiar un valor, y rehacer todos los resúmenes",
    tamperNothing: "Este registro no muestra nada que se pueda cambiar.",
    forged: (version, path, before, after) =>
      `Falsificado: en el evento ${version}, ${path} era ${before} y ahora es ${after}.`,
    keepForged: "Guardar la copia falsa",
    original: "Volver al original",
    save: "Guardar esta página",
    saveLead: "Es un solo archivo, y comprueba registros donde esté, sin red.",
    languages: "Idioma",
  },
};
