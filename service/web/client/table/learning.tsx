/** The button with which a newcomer begins a first game that is led by the hand. */

import type { Schemas } from "../api/client.ts";
import { rulesets } from "../browser/service.ts";
import { open, seatsFor } from "../identity/opening.ts";
import { guestName } from "../identity/signing.ts";
import { Doing } from "../parts/parts.tsx";
import { readFirstGame } from "./first_game_document.ts";
import { firstGameWords } from "./first_game_words.ts";
import { keepProgress } from "./led.ts";
import { BEGUN } from "./steps.ts";

/** Opens a table against bots, with the options of the first game; nothing if there is none. */
export function LearnByPlaying({
  game: { id, title, first_game: document },
}: {
  game: Pick<Schemas["RulesetSummary"], "id" | "title" | "first_game">;
}) {
  if (!document) return null; // another release, or another service of the standard, may have none
  const words = firstGameWords.value;
  const begin = async () => {
    const [{ summary }, first] = await Promise.all([rulesets.read(id), readFirstGame(id)]);
    await open(
      {
        ruleset: id,
        options: first.options ?? {},
        seats: seatsFor(summary, first.seats),
        take_back: true,
        table: { visibility: "unlisted", seating: "fixed", rated: false },
      } as Schemas["GameRequest"],
      guestName(),
      (game) => keepProgress(game, BEGUN),
    );
  };
  return (
    <Doing does={begin} class="learn" name={words.learnGame(title)}>
      {words.learn}
    </Doing>
  );
}
