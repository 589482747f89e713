/** The texts of the room of a player, in each language; they are loaded with it. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import { whole } from "../phrases/numbers.ts";
import type { Language } from "../words/languages.ts";

const en = {
  unrated: "Has played no rated game yet.",
  ratings: "Ratings",
  ratingOf: (rating: number, deviation: number) => `${rating} ± ${2 * deviation}`,
  provisional: "provisional",
  provisionalIs: "Few games: the strength may still be far from this.",
  ratedGames: (count: number) => (count === 1 ? "1 rated game" : `${whole(count)} rated games`),
  history: (game: string) => `Rating in ${game}, game by game`,
  rating: "Rating",
  allStates: "All",
  result: (place: number, of: number) => `${place}. of ${of}`,
  since: "Here since",
  noGamesOf: "No games that everybody may see.",
  noGamesOfYours: "You have none of these.",
  hiddenNote: "Unlisted and private games are listed for those who sit there alone.",
};

const es: typeof en = {
  unrated: "Aún no ha jugado ninguna partida puntuada.",
  ratings: "Clasificación",
  ratingOf: (rating, deviation) => `${rating} ± ${2 * deviation}`,
  provisional: "provisional",
  provisionalIs: "Pocas partidas: la fuerza puede estar aún lejos de esto.",
  ratedGames: (count) =>
    count === 1 ? "1 partida puntuada" : `${whole(count)} partidas puntuadas`,
  history: (game) => `Clasificación en ${game}, partida a partida`,
  rating: "Clasificación",
  allStates: "Todas",
  result: (place, of) => `${place}.º de ${of}`,
  since: "Aquí desde",
  noGamesOf: "No hay partidas que pueda ver todo el mundo.",
  noGamesOfYours: "No tienes ninguna de estas.",
  hiddenNote:
    "Las partidas no listadas y las privadas solo aparecen para quien está sentado en ellas.",
};

const WORDS: Record<Language, typeof en> = { en, es };

export const playerWords = computed(() => WORDS[language.value]);
