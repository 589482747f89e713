/** The scene of a table's shown position, for what stands beside the board. */

import type { Ruleset } from "../board/rulesets.ts";
import { type Scene, sceneOf, type View } from "../board/scene.ts";
import { language } from "../browser/language.ts";
import { calledName } from "../play/names.ts";
import type { Table } from "../play/table.ts";

/** Null if there is no board, or nothing on it yet. */
export function sceneAt(table: Table, ruleset: Ruleset): Scene | null {
  const { board, tables, words } = ruleset;
  const state = table.frame.value?.state;
  if (!board || !state?.state) return null;
  const tongue = language.value;
  const game = table.game.value;
  const names = game?.seats.map((seat) => calledName(seat, tongue)) ?? [];
  const setting = { board, tables, words: words[tongue], language: tongue, names };
  return sceneOf(setting, state.state as unknown as View, state.seat);
}
