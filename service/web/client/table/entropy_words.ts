/** The texts about the entropy that players give, in each language. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
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
};

const es: typeof en = {
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
};

const WORDS: Record<Language, typeof en> = { en, es };

export const entropyWords = computed(() => WORDS[language.value]);
