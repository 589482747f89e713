/** The strength and speed of a bot, if the service lists it. */

import type { Schemas } from "../api/client.ts";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";
import { phrases } from "./phrases.ts";

const en = {
  botLevels: [
    "bot, 1 of 5: plays at random",
    "bot, 2 of 5: takes what looks best at once",
    "bot, 3 of 5: looks a few moves ahead",
    "bot, 4 of 5: searches",
    "bot, 5 of 5: searches deeply",
  ] as readonly string[],
  botTime: (milliseconds: number) =>
    milliseconds < 50 ? "answers at once" : `thinks about ${(milliseconds / 1000).toFixed(1)} s`,
};

const es: typeof en = {
  botLevels: [
    "bot, 1 de 5: juega al azar",
    "bot, 2 de 5: toma lo que mejor parece",
    "bot, 3 de 5: mira unas jugadas adelante",
    "bot, 4 de 5: busca",
    "bot, 5 de 5: busca a fondo",
  ],
  botTime: (milliseconds) =>
    milliseconds < 50
      ? "responde al instante"
      : `piensa unos ${(milliseconds / 1000).toLocaleString("es", { maximumFractionDigits: 1 })} s`,
};

const WORDS: Record<Language, typeof en> = { en, es };

/**
 * A bot in the list of a ruleset; its level is from 1 to 5, and its time is that of a usual
 * decision.
 */
type Offered = Schemas["Bot"] & {
  readonly level?: number | null;
  readonly decision_ms?: number | null;
};

/** The facts about a bot, if it is still in the list. */
export function botWords(bot: Offered | undefined): string {
  const words = WORDS[language.value];
  const level = bot?.level ? words.botLevels[bot.level - 1] : undefined;
  const time = bot?.decision_ms ?? null;
  return [level ?? phrases.value.aBot, ...(time === null ? [] : [words.botTime(time)])].join(" · ");
}
