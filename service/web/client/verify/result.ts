// Checks a result: sides and ranks. Scores cannot be checked without the rules.

interface Standing {
  readonly side: string;
  readonly rank: number;
}

/** Checks the standings of a game with this number of seats. */
export function checkResult(
  standings: readonly Standing[],
  seats: number,
  resigned: (side: string) => boolean,
  fail: (code: string, values?: Record<string, string | number>) => void,
): void {
  const sides = standings.map((standing) => standing.side);
  const seated = sides.slice(0, seats).every((side, seat) => side === `seat:${seat}`);
  if (sides.length < seats || !seated || new Set(sides).size !== sides.length) fail("result_sides");
  const ranks = standings.map((standing) => standing.rank).sort((a, b) => a - b);
  // Equal sides have the same rank, and the next rank counts them: 1, 2, 2, 4.
  ranks.forEach((rank, index) => {
    if (rank !== index + 1 && rank !== ranks[index - 1]) fail("result_ranks", { rank });
  });
  const stayed = standings.filter(({ side }) => !resigned(side)).map(({ rank }) => rank);
  const last = stayed.reduce((most, rank) => Math.max(most, rank), 0);
  for (const { side, rank } of standings)
    if (resigned(side) && rank <= last) fail("result_resigned", { side });
}
