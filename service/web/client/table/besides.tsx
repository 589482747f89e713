/** What stands below the question: taking back the last move, and a hint. */

import type { Ruleset } from "../board/rulesets.ts";
import { adopt } from "../board/sheets.ts";
import type { Choosing } from "../play/choice.ts";
import type { Table } from "../play/table.ts";
import style from "../style/hint.css" with { type: "text" };
import { Hint } from "./hint.tsx";
import { TakeBack } from "./taking_back.tsx";

adopt(document, style);

export function Besides(props: { table: Table; choice: Choosing; ruleset: Ruleset }) {
  return (
    <div class="besides">
      <TakeBack table={props.table} />
      <Hint {...props} />
    </div>
  );
}
