/** The games of this browser that are first games, with the progress of each. */

import { keep, kept } from "../browser/storage.ts";
import type { Progress } from "./steps.ts";

const NAME = "first_games";
const GAMES = 20;

type Led = Readonly<Record<string, Progress>>;

/** The progress in a first game; undefined in any other game, and after the player has left it. */
export function progressOf(game: string): Progress | undefined {
  return kept<Led>(NAME)?.[game];
}

/** Keeps the progress in a first game; null: the player has left it, or it is over. */
export function keepProgress(game: string, progress: Progress | null): void {
  const { [game]: _, ...others } = kept<Led>(NAME) ?? {};
  const newest = Object.fromEntries(Object.entries(others).slice(1 - GAMES));
  keep(NAME, progress ? { ...newest, [game]: progress } : newest);
}
