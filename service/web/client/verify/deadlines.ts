// Deadlines, which move while a game is suspended (docs/format.md, "Suspended games").

import type { Line } from "./events.ts";

export class Deadlines {
  /** The event that suspended the game; null while the game is not suspended. */
  suspended: Line | null = null;
  private readonly pauses: { readonly from: number; readonly took: number }[] = [];

  resume(event: Line, suspended: Line): void {
    this.pauses.push({ from: suspended.seq, took: event.time - suspended.time });
    this.suspended = null;
  }

  /** The time, in milliseconds, that is this long (`ms`) after an event. */
  due(from: Line, ms: number): number {
    const stood = this.pauses.filter((pause) => pause.from > from.seq);
    return stood.reduce((time, pause) => time + pause.took, from.time + ms);
  }
}
