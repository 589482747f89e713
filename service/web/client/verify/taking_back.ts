// Taking back: to which events a seat may go back, and what counts (docs/format.md, "Taking back").

import type { Event } from "./events.ts";

const MAX_MOVES = 32;
const MAX_TIMES = 3;

/** A point before a move of `seat`: the newest event that counted (`to`), and the seat's last move. */
interface Point {
  readonly to: number;
  readonly seat: number;
  readonly moved: number;
}

type Fail = (code: string, event: Event, values?: Record<string, number>) => void;

export class TakingBack {
  /** The points to which the seat that moved last can go back, the earliest first. */
  private points: readonly Point[] = [];
  /** The newest event that counts. */
  private newest = 0;
  private readonly times = new Map<number, number>();
  /** The events that were taken back: those after `to`, before the `undone`. */
  private readonly gone: { readonly to: number; readonly by: number }[] = [];
  private readonly allowed: boolean;
  private readonly fail: Fail;

  constructor(allowed: boolean, fail: Fail) {
    this.allowed = allowed;
    this.fail = fail;
  }

  /** Notes an event; `moved` is the number of the last move of its seat, if it is a move. */
  note(event: Event, moved: number): void {
    if (event.kind === "undone" || event.kind === "hinted") return;
    if (event.kind !== "moved" || !this.mayReturn(event)) this.points = [];
    else {
      const { seat } = event.by;
      const own = this.points[0]?.seat === seat ? this.points : [];
      this.points = [...own, { to: this.newest, seat, moved }].slice(-MAX_MOVES);
    }
    this.newest = event.seq;
  }

  /** Whether a move can be taken back, as far as the record shows it. */
  private mayReturn(event: Event & { kind: "moved" }): boolean {
    const seen = ["public", `seat:${event.by.seat}`];
    const open = Object.values(event.audiences).every((audience) => seen.includes(audience));
    return this.allowed && open && event.last === event.seq && !("opens" in event.parts);
  }

  /** Goes back to an event; returns the number of the seat's last move then, null if it may not. */
  undo(event: Event & { kind: "undone" }, to: number): number | null {
    const { seat } = event.by;
    if (!this.allowed) this.fail("take_back_off", event);
    const point = this.points.find((point) => point.to === to && point.seat === seat);
    if (point === undefined) {
      if (this.allowed) this.fail("take_back_to", event, { seat, to });
      return null;
    }
    const times = (this.times.get(to) ?? 0) + 1;
    this.times.set(to, times);
    if (times > MAX_TIMES) this.fail("take_back_often", event, { seat, to });
    this.points = this.points.filter((point) => point.to < to);
    this.newest = to;
    this.gone.push({ to, by: event.seq });
    return point.moved;
  }

  /** Whether an event was taken back, so that it does not count. */
  took(seq: number): boolean {
    return this.gone.some(({ to, by }) => to < seq && seq < by);
  }
}
