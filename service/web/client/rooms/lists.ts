/** The rooms that list games, the first page among them, which are loaded together. */

import { adopt } from "../board/sheets.ts";
import home from "../style/home.css" with { type: "text" };
import "./style.ts";

export { Games } from "./games.tsx";
export { Home } from "./home.tsx";
export { Lobby } from "./lobby.tsx";

adopt(document, home);
