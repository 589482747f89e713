/** Against whom a game begins with "Play now": how many, and which bot. */

import { useState } from "preact/hooks";
import { type Schemas, told } from "../api/client.ts";
import { api } from "../browser/service.ts";
import { useAsked, Wait } from "../parts/parts.tsx";
import { botWords } from "../phrases/bots.ts";
import { phrases } from "../phrases/phrases.ts";
import { Face } from "../table/face.tsx";
import { lastChoice, type QuickChoice, remember } from "./quick.tsx";
import { botStrength, botWay } from "./strength_words.ts";

export function Opponents({ game, onChange }: { game: string; onChange: () => void }) {
  const words = phrases.value;
  const params = { path: { ruleset_id: game } };
  const [asked, again] = useAsked(
    () => told(api.GET("/v1/rulesets/{ruleset_id}", { params })),
    [game],
  );
  const [choice, setChoice] = useState(() => lastChoice(game));
  const choose = (change: Partial<QuickChoice>) => {
    const now = { ...choice, ...change };
    remember(game, now);
    setChoice(now);
    onChange();
  };
  return (
    <Wait for={asked} again={again}>
      {({ bots, min_seats, max_seats }) => {
        const least = Math.max(2, min_seats);
        const counts = Array.from({ length: max_seats - least + 1 }, (_, more) => least + more);
        return (
          <div class="opponents">
            <label>
              {words.players}
              <select
                value={Math.min(Math.max(choice.seats, least), max_seats)}
                onChange={(event) => choose({ seats: Number(event.currentTarget.value) })}
              >
                {counts.map((count) => (
                  <option key={count} value={count}>
                    {count}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {words.against}
              <select
                value={choice.bot}
                onChange={(event) => choose(named(bots, event.currentTarget.value))}
              >
                {bots.map((bot) => (
                  <option key={bot.name} value={bot.name}>
                    {`${bot.title} · ${botWords(bot)}`}
                  </option>
                ))}
              </select>
            </label>
            <Strength bots={bots} of={choice.bot} />
          </div>
        );
      }}
    </Wait>
  );
}

function named(bots: readonly Schemas["Bot"][], bot: string): Partial<QuickChoice> {
  return { bot, title: bots.find(({ name }) => name === bot)?.title ?? bot };
}

/** The face of a bot, with how often it was ahead of the next weaker one, if that was measured. */
function Strength({ bots, of: name }: { bots: readonly Schemas["Bot"][]; of: string }) {
  const bot = bots.find((one) => one.name === name);
  if (bot === undefined) return null;
  return (
    <p class="strength">
      <Face of={name} size={3} />
      <span>
        <strong>{bot.title}</strong> · {botWords(bot)}
        <small class="quiet">{botWay(bot.level)}</small>
        {bot.strength && <small class="quiet">{botStrength(bot.strength, bots)}</small>}
      </span>
    </p>
  );
}
