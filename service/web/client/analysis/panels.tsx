/** The panels of a finished game, below its board. */

import type { Ruleset } from "../board/rulesets.ts";
import { adopt } from "../board/sheets.ts";
import { language } from "../browser/language.ts";
import { seatName } from "../play/names.ts";
import type { Table } from "../play/table.ts";
import style from "../style/analysis.css" with { type: "text" };
import { say } from "../words/labels.ts";
import { Analysis } from "./analysis.tsx";
import { CourseOfScores } from "./course.tsx";
import { Share } from "./share.tsx";
import { ScoreSheet } from "./sheet.tsx";

adopt(document, style);

export function Panels({ table, ruleset }: { table: Table; ruleset: Ruleset }) {
  const game = table.game.value;
  const nameOf = (side: string) => {
    const [kind, which = ""] = side.split(":");
    return kind === "seat"
      ? seatName(game, ruleset, Number(which), language.value)
      : say(ruleset.words[language.value], `side.${which}`);
  };
  return (
    <>
      <div class="after-game">
        {game && game.standings.length > 0 && <ScoreSheet game={game} nameOf={nameOf} />}
        <CourseOfScores table={table} nameOf={nameOf} />
        <Share table={table} />
      </div>
      <Analysis table={table} ruleset={ruleset} />
    </>
  );
}
