/** The words of an element that the page of a service does not need. */

import { type Language, useLanguage } from "../words/languages.ts";
import type { Left } from "./seat.ts";

const left: Record<Language, Record<Left, string>> = {
  en: {
    resigned: "This seat has resigned. You look on.",
    closed:
      "This game is private, and no more of it can be read here: it is over, or this seat has resigned. This is the last position that was seen.",
  },
  es: {
    resigned: "Este asiento ha abandonado. Sigues mirando.",
    closed:
      "Esta partida es privada y aquí no se lee más: ha terminado, o este asiento ha abandonado. Esta es la última posición vista.",
  },
};

export function useLeft(): Record<Left, string> {
  return left[useLanguage()];
}
