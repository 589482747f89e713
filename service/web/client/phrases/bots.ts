/** The strength and speed of a bot in words, if the service lists it. */

import type { Schemas } from "../api/client.ts";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";
import { phrases } from "./phrases.ts";

const en = {
  botLevels: ["very easy", "easy", "medium", "hard", "very hard"] as readonly string[],
  botLevel: (words: string | undefined, level: number) => `bot, ${words} (${level} of 5)`,
  botTime: (milliseconds: number) =>
    milliseconds < 50 ? "answers at once" : `thinks about ${(milliseconds / 1000).toFixed(1)} s`,
};

const es: typeof en = {
  botLevels: ["muy fácil", "fácil", "medio", "difícil", "muy difícil"],
  botLevel: (words, level) => `bot, ${words} (${level} de 5)`,
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
  const level = bot?.level ? words.botLevel(words.botLevels[bot.level - 1], bot.level) : undefined;
  const time = bot?.decision_ms ?? null;
  return [level ?? phrases.value.aBot, ...(time === null ? [] : [words.botTime(time)])].join(" · ");
}
