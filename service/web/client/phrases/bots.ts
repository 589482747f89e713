/** The strength and speed of a bot, if the service lists it. */

import type { Schemas } from "../api/client.ts";
import { phrases } from "./phrases.ts";

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
  const words = phrases.value;
  const level = bot?.level ? words.botLevels[bot.level - 1] : undefined;
  const time = bot?.decision_ms ?? null;
  return [level ?? words.aBot, ...(time === null ? [] : [words.botTime(time)])].join(" · ");
}
