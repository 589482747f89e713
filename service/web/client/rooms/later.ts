/** Rooms that are loaded when somebody first opens them: most visitors come to play. */

export { Lobby } from "./lobby.tsx";
export { Player } from "./player.tsx";
export { RulesList, RulesOf } from "./rules.tsx";
export { SettingsRoom } from "./settings.tsx";
export { TournamentRoom } from "./tournament.tsx";
