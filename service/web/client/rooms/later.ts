/**
 * Rooms, and the view in words, which are loaded when first needed, because most visitors only play
 * on a board.
 */

export { ViewInWords } from "../board/members.tsx";
export { Lobby } from "./lobby.tsx";
export { Player } from "./player.tsx";
export { RulesList, RulesOf } from "./rules.tsx";
export { SettingsRoom } from "./settings.tsx";
