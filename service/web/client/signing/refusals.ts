/** Why a browser cannot sign a move, as sentences in each language. */

import type { Language } from "../words/languages.ts";

const en = {
  insecure:
    "Players sign their moves at this table, and browsers sign only on pages with https: this page has no crypto.subtle.",
  no_ed25519:
    "Players sign their moves at this table, and this browser lacks Ed25519: Chromium has it from version 137 on, Firefox from 129, Safari from 17.",
  not_kept:
    "Players sign their moves at this table, and this browser cannot keep the key: it has no IndexedDB here, or no room.",
  elsewhere:
    "Another device or program has the key with which this seat signs, so it cannot move here.",
};

export type Reason = keyof typeof en;

const es: Record<Reason, string> = {
  insecure:
    "En esta mesa los jugadores firman sus jugadas, y los navegadores solo firman en páginas con https: esta no tiene crypto.subtle.",
  no_ed25519:
    "En esta mesa los jugadores firman sus jugadas, y a este navegador le falta Ed25519: Chromium lo tiene desde la versión 137, Firefox desde la 129, Safari desde la 17.",
  not_kept:
    "En esta mesa los jugadores firman sus jugadas, y este navegador no puede guardar la clave: aquí no tiene IndexedDB, o no le queda sitio.",
  elsewhere:
    "Otro dispositivo o programa tiene la clave con la que firma este asiento: aquí no se puede jugar por él.",
};

const SENTENCES: Record<Language, Record<Reason, string>> = { en, es };

/** Thrown where nothing can be signed. */
export class CannotSign extends Error {
  readonly code: Reason;

  /** `language` is that of the message. */
  constructor(code: Reason, language: Language = "en", cause?: unknown) {
    super(SENTENCES[language][code], { cause });
    this.code = code;
  }
}
