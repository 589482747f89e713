/** The rooms of tournaments, which are loaded together. */

export { TournamentRoom } from "./tournament.tsx";
export { Tournaments } from "./tournaments.tsx";
