/** Rooms and a view in words, loaded when they are first needed: most visitors come to play, on a board. */

export { ViewInWords } from "../board/members.tsx";
export { Lobby } from "./lobby.tsx";
export { Player } from "./player.tsx";
export { RulesList, RulesOf } from "./rules.tsx";
export { SettingsRoom } from "./settings.tsx";
