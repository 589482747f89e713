/** The rooms about players and for the player of this browser, which are loaded together. */

import { adopt } from "../board/sheets.ts";
import account from "../style/account.css" with { type: "text" };
import "./style.ts";

export { Player } from "./player.tsx";
export { SettingsRoom } from "./settings.tsx";
export { You } from "./you.tsx";

adopt(document, account);
