/**
 * Receipts of the player's moves. If somebody changes a game later, the player can prove it with a
 * receipt.
 */

import type { Schemas } from "../api/client.ts";
import { keep, kept } from "../browser/storage.ts";

type Receipt = Schemas["Receipt"];

const GAMES = 200;

/** Store the newest receipt of a game, and drop those of games played long ago. */
export function keepReceipt(game: string, receipt: Receipt): void {
  const { [game]: _, ...others } = receipts();
  const newest = Object.entries(others).slice(-(GAMES - 1));
  keep("receipts", { ...Object.fromEntries(newest), [game]: receipt });
}

/** The newest receipt of each game, in the order in which the games were last played. */
export function receipts(): Readonly<Record<string, Receipt>> {
  return kept<Record<string, Receipt>>("receipts") ?? {};
}
