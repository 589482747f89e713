/** Receipts of one's own moves: whoever has them can show that a game was changed afterwards. */

import type { Schemas } from "../api/client.ts";
import { keep, kept } from "../browser/storage.ts";

type Receipt = Schemas["Receipt"];

const GAMES = 200;

/** Keep the newest receipt of a game, and those of the games that were played last. */
export function keepReceipt(game: string, receipt: Receipt): void {
  const { [game]: _, ...others } = receipts();
  const newest = Object.entries(others).slice(-(GAMES - 1));
  keep("receipts", { ...Object.fromEntries(newest), [game]: receipt });
}

/** The newest receipt of each game, in the order in which they were last played. */
export function receipts(): Readonly<Record<string, Receipt>> {
  return kept<Record<string, Receipt>>("receipts") ?? {};
}
