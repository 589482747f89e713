/** How a bot plays, and how strong it is in figures that were measured. */

import type { Schemas } from "../api/client.ts";
import { language } from "../browser/language.ts";
import { whole } from "../phrases/numbers.ts";
import type { Language } from "../words/languages.ts";

const en = {
  ways: [
    "plays at random",
    "takes what looks best at once",
    "looks a few moves ahead",
    "searches",
    "searches deeply",
  ] as readonly string[],
  strength: (times: number, other: string, seats: number, games: string) =>
    `finished ahead of ${other} ${times} times in 100 (${games} games of ${seats} players)`,
};
const es: typeof en = {
  ways: [
    "juega al azar",
    "toma lo que mejor parece",
    "mira unas jugadas adelante",
    "busca",
    "busca a fondo",
  ],
  strength: (times, other, seats, games) =>
    `quedó por delante de ${other} ${times} de cada 100 veces (${games} partidas de ${seats} jugadores)`,
};

const WORDS: Record<Language, typeof en> = { en, es };

/** How often a bot was ahead of a weaker one, as the ruleset tells it. */
export function botStrength(
  { points, against, seats, games }: NonNullable<Schemas["Bot"]["strength"]>,
  bots: readonly Schemas["Bot"][],
): string {
  const other = bots.find(({ name }) => name === against)?.title ?? against;
  return WORDS[language.value].strength(Math.round(100 * points), other, seats, whole(games));
}

/** How a bot of a level from 1 to 5 plays; nothing for another bot. */
export function botWay(level: number | null): string | undefined {
  return level === null ? undefined : WORDS[language.value].ways[level - 1];
}
