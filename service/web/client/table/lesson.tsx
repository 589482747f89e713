/** What a newcomer is told at a table: the steps of a first game, names and meanings. */

import type { Ruleset } from "../board/rulesets.ts";
import type { Table } from "../play/table.ts";
import { FirstGame } from "./first_game.tsx";
import { Meanings } from "./meanings.tsx";

/** Stands within a board, above the question. */
export function Lesson(props: { table: Table; ruleset: Ruleset }) {
  return (
    <>
      <FirstGame {...props} />
      <Meanings {...props} />
    </>
  );
}
