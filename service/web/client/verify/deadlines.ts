// Deadlines, which move while clocks stand still (docs/format.md, "Suspended games").

import type { Line } from "./events.ts";

interface Pause {
  /** The number of the event that tells of it. */
  readonly seq: number;
  readonly from: number;
  readonly to: number;
}

export class Deadlines {
  /** The event that suspended the game; null while the game is not suspended. */
  suspended: Line | null = null;
  private readonly pauses: Pause[] = [];

  /** The end of the last pause, in milliseconds since 1970; 0 if there was none. */
  get until(): number {
    return this.pauses.at(-1)?.to ?? 0;
  }

  resume(event: Line, suspended: Line): void {
    this.stand(suspended.seq, suspended.time, event.time);
    this.suspended = null;
  }

  /** Notes that clocks stood still. */
  stand(seq: number, from: number, to: number): void {
    this.pauses.push({ seq, from, to });
  }

  /** The time, in milliseconds, that is this long (`ms`) after an event. */
  due(since: Line, ms: number): number {
    const after = this.pauses.filter(({ seq }) => seq > since.seq);
    const stood = (at: number, { from, to }: Pause) => at + Math.max(0, to - Math.max(from, at));
    return after.reduce(stood, since.time) + ms;
  }
}
