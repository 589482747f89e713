/** The texts of the first page, in each language. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  tagline: "Board games of trade: play with friends or against bots, watch, and check every move.",
  quickly: (seats: number, bot: string) => `${seats} players, against ${bot}`,
  weights: ["very light", "light", "medium weight", "heavy", "very heavy"] as readonly string[],
  now: "Now",
  exhibition: "Watch the exhibition",
  exhibitionIs: "A game between bots that is always on.",
  by: (designer: string, year: number) => `by ${designer}, ${year}`,
};

const es: typeof en = {
  tagline:
    "Juegos de mesa de comercio: juega con amigos o contra bots, mira partidas y comprueba cada jugada.",
  quickly: (seats, bot) => `${seats} jugadores, contra ${bot}`,
  weights: ["muy ligero", "ligero", "de peso medio", "denso", "muy denso"],
  now: "Ahora",
  exhibition: "Ver la exhibición",
  exhibitionIs: "Una partida entre bots, siempre en marcha.",
  by: (designer, year) => `de ${designer}, ${year}`,
};

const WORDS: Record<Language, typeof en> = { en, es };

export const homeWords = computed(() => WORDS[language.value]);
