/** The rooms of tournaments, which are loaded together. */

import "./style.ts";

export { TournamentRoom } from "./tournament.tsx";
export { Tournaments } from "./tournaments.tsx";
