/** Plays a whole game of every ruleset against bots, by legal moves, with any `Client`. */

export interface Client<Move> {
  rulesets(): Promise<{ id: string; min_seats: number }[]>;
  /** Open a game in which the caller has seat 0 and so many bots the others; return its id. */
  open(ruleset: string, bots: number): Promise<string>;
  status(game: string): Promise<string>;
  /**
   * Read the state and the events after `after`; return the number of their effects, and the newest
   * event.
   */
  look(game: string, after: number): Promise<{ effects: number; after: number }>;
  legal(game: string): Promise<{ version: number; moves: Move[] }>;
  /** Play a move; return false if another move came first. */
  play(game: string, move: Move, version: number): Promise<boolean>;
}

export const key = () => crypto.randomUUID();

export async function playAll<Move>(client: Client<Move>): Promise<void> {
  for (const { id, min_seats } of await client.rulesets()) {
    const game = await client.open(id, Math.max(min_seats, 2) - 1);
    const told = { ruleset: id, status: "", moves: 0, effects: 0 };
    for (let after = 0; told.status !== "ended"; ) {
      const seen = await client.look(game, after);
      after = seen.after;
      told.effects += seen.effects;
      const { version, moves } = await client.legal(game);
      const move = moves[Math.floor(Math.random() * moves.length)];
      if (move !== undefined) told.moves += (await client.play(game, move, version)) ? 1 : 0;
      else told.status = await client.status(game);
      if (move === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    console.log(JSON.stringify(told));
  }
}
