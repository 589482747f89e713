// The limits of this verifier: some checks need the rules' code, which `lonja verify` has.

export interface Unchecked {
  readonly code: string;
  readonly en: string;
  readonly es: string;
}

export const UNCHECKED: readonly Unchecked[] = [
  {
    code: "legal",
    en: "Whether each move was legal, and what followed from it.",
    es: "Si cada jugada era legal, y qué se siguió de ella.",
  },
  {
    code: "meaning",
    en: "Whether draws were due, with the sizes that they had, and what picks mean.",
    es: "Si los sorteos tocaban, con los tamaños que tuvieron, y qué significan las extracciones.",
  },
  {
    code: "states",
    en: "The proofs of states from the start of the game on.",
    es: "Las pruebas de los estados desde el comienzo de la partida.",
  },
  {
    code: "secrets",
    en: "Whether secret moves and picks were rightly secret, and opened when they had to be.",
    es: "Si las jugadas y extracciones secretas lo eran con razón, y se abrieron cuando debían.",
  },
  {
    code: "times",
    en: "Whether moves came in time: which decision a move answers follows from the rules.",
    es: "Si las jugadas llegaron a tiempo: qué decisión contesta una jugada sale de las reglas.",
  },
  {
    code: "result",
    en: "Whether the game was over, its scores, and who won.",
    es: "Si la partida había terminado, sus puntos, y quién ganó.",
  },
  {
    code: "bots",
    en: "Whether bots chose as their code does.",
    es: "Si los bots eligieron como elige su código.",
  },
];

/** What this verifier does not check of a tournament's figures. */
export const OF_TOURNAMENTS: readonly Unchecked[] = [
  {
    code: "pairings",
    en: "Whether the line-ups, and their seats, are those that the seed and the format lead to.",
    es: "Si los emparejamientos, y sus asientos, son los que dan la semilla y el formato.",
  },
  {
    code: "consequences",
    en: "Whether entries were disqualified, and the tournament ended, when and only when they had to.",
    es: "Si se descalificó a participantes, y acabó el torneo, cuando y solo cuando debía.",
  },
  {
    code: "figures",
    en: "The report: points, ratings, bands, the verdict of a comparison.",
    es: "El informe: puntos, puntuaciones, bandas, el veredicto de una comparación.",
  },
];
