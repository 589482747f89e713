/** The texts about a seat that goes on in another browser or program, in each language. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  here: "Play here, signed by the key that the seat has",
  signThere:
    "Copy this browser’s key. At this table in the browser that has the seat’s key, open “Go on in another browser or program” in the list of players, and paste it there. Then you play here, and the record shows that you are who sat there before.",
  ownKey: "This browser’s key",
  elsewhere: "Go on in another browser or program",
  signHere:
    "Open this table there: it shows its key, 64 digits and letters. Paste that here, and this browser’s key signs it. From then on you can move there alone, and the record shows that you are who sat here before.",
  otherKey: "The key of the other browser or program",
  hand: "Hand the seat over",
  noKey: (text: string) =>
    `“${text}” is no such key: it has 64 characters, digits and the letters a to f.`,
};

const es: typeof en = {
  here: "Jugar aquí, con la firma de la clave del asiento",
  signThere:
    "Copia la clave de este navegador. En esta mesa, en el navegador que tiene la clave del asiento, abre «Seguir en otro navegador o programa» en la lista de jugadores y pégala allí. Entonces juegas aquí, y el registro muestra que eres quien estaba sentado antes.",
  ownKey: "La clave de este navegador",
  elsewhere: "Seguir en otro navegador o programa",
  signHere:
    "Abre esta mesa allí: muestra su clave, 64 cifras y letras. Pégala aquí, y la clave de este navegador la firma. Desde entonces solo puedes jugar allí, y el registro muestra que eres quien estaba sentado aquí antes.",
  otherKey: "La clave del otro navegador o programa",
  hand: "Ceder el asiento",
  noKey: (text) =>
    `«${text}» no es una clave así: tiene 64 caracteres, cifras y letras de la a a la f.`,
};

const WORDS: Record<Language, typeof en> = { en, es };
export const handingOverWords = computed(() => WORDS[language.value]);
