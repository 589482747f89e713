// Batches: an event that a request caused, and the events that followed automatically.

import { begins } from "./chain.ts";
import type { Event } from "./events.ts";
import type { Kind } from "./kinds.ts";

/** The kinds of events that may follow automatically from any request. */
const FOLLOWS: readonly Kind[] = ["closed", "started", "defaulted", "chanced", "ended"];
const ALONE: readonly Kind[] = [
  "undone",
  "hinted",
  "key_changed",
  "suspended",
  "resumed",
  "interrupted",
];

type Fail = (code: string, event: Event, values?: Record<string, string>) => void;

export class Batches {
  /** The events of the current batch, without the event that was read last. */
  current: Event[] = [];
  before: readonly Event[] = [];
  private newest: Event | null = null;
  private readonly ownScope: boolean;
  private readonly fail: Fail;

  constructor(ownScope: boolean, fail: Fail) {
    this.ownScope = ownScope;
    this.fail = fail;
  }

  /** Goes on to an event, and checks that it may stand at this position in its batch. */
  next(event: Event): void {
    if (this.newest !== null) this.current.push(this.newest);
    if (begins(event, this.newest)) {
      this.before = this.current;
      this.current = [];
    }
    this.newest = event;
    const [first] = this.current;
    if (first === undefined) {
      if (this.follows(event)) this.fail("batch_first", event);
      if (ALONE.includes(event.kind) && event.last !== event.seq) this.fail("batch_alone", event);
    } else if (!joins(event, first, this.previous)) {
      this.fail("batch_follows", event, { first: first.kind });
    }
  }

  /** The previous event, if it is in the same batch. */
  get previous(): Event | null {
    return this.current.at(-1) ?? null;
  }

  /** Whether an event follows automatically from another one, so that it never begins a batch. */
  private follows(event: Event): boolean {
    if (event.kind === "defaulted") return event.by.service !== "resigned";
    if (event.kind === "chance_revealed") return this.ownScope;
    if (event.kind === "started") return event.by.service === "rules";
    return FOLLOWS.includes(event.kind);
  }
}

/** Whether an event may stand in a batch that another event began. */
function joins(event: Event, first: Event, before: Event | null): boolean {
  if (event.kind === "seated") return first.kind === "created";
  if (event.kind === "defaulted") return event.by.service !== "resigned";
  // If the service was away, its tournament gives up the block.
  if (event.kind === "aborted") return before?.kind === "timed_out";
  return FOLLOWS.includes(event.kind) || event.kind === "chance_revealed";
}

/** Whether an event says that a seat's time was over, or that its bot failed. */
export function befell(
  event: Event | null,
  kind: "timed_out" | "bot_failed",
  seat: number,
): boolean {
  if (event?.kind !== kind) return false;
  const told = event.kind === "timed_out" ? event.body.time_out : event.body.failure;
  return told === undefined || told.seat === seat;
}
