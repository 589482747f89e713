/** The rooms that list games and have their rules, the first page among them; loaded together. */

import { forPointers } from "../board/pointing.ts";
import { adopt } from "../board/sheets.ts";
import home from "../style/home.css" with { type: "text" };
import "./style.ts";

export { Games } from "./games.tsx";
export { Home } from "./home.tsx";
export { Lobby } from "./lobby.tsx";
export { RulesList, RulesOf } from "./rules.tsx";

adopt(document, home);
forPointers(document);
