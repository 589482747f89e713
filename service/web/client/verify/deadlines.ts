// Deadlines, which move on while a game is suspended (docs/format.md, "Suspended games").

import type { Line } from "./events.ts";

export class Deadlines {
  /** What suspended the game, while it stands still. */
  suspended: Line | null = null;
  private readonly pauses: { readonly from: number; readonly took: number }[] = [];

  resume(event: Line, suspended: Line): void {
    this.pauses.push({ from: suspended.seq, took: event.time - suspended.time });
    this.suspended = null;
  }

  /** When seconds from an event on are over, in milliseconds. */
  due(from: Line, seconds: number): number {
    const stood = this.pauses.filter((pause) => pause.from > from.seq);
    return stood.reduce((time, pause) => time + pause.took, from.time + seconds * 1000);
  }
}
