/**
 * A table as the viewer with a key for one seat sees it. The key ends with the game, or when the
 * seat resigns; then no request is sent with it. So only the stream brings the last events of a
 * private game, which nobody can read without a key.
 */

import { computed, signal } from "@preact/signals";
import { Refusal } from "../api/problem.ts";
import { type Event, type Game, isOver, Table } from "../play/table.ts";

/**
 * Why the viewer no longer sees what the seat sees, although the game may still go on: "resigned"
 * means that the viewer follows the game as a spectator, "closed" that nothing more can be read.
 */
export type Left = "resigned" | "closed";

const ENDS: readonly string[] = ["ended", "aborted"];
/** The statuses of answers to a caller who may not see a game, or not the view of a seat. */
const REFUSED = new Set([403, 404]);

export class SeatTable extends Table {
  readonly left = signal<Left | null>(null);
  readonly #offered = (this as Table).legal;
  override readonly legal = computed(() => (this.left.value === null ? this.#offered.value : null));

  /** Whether nobody may read the game without a key. */
  get #isPrivate(): boolean {
    return this.game.peek()?.table.visibility === "private";
  }

  /** Only the stream brings events while the key is valid, and always if the game is private. */
  protected override canShow(seq: number): boolean {
    const reads = !this.#isPrivate && (this.over.peek() || this.left.peek() !== null);
    return reads || this.frames.peek().has(seq);
  }

  protected override happened(event: Event): void {
    const { kind, seq, last } = event;
    if (ENDS.includes(kind)) {
      this.viewer.service.drop();
      if (this.#isPrivate) this.game.value = endedBy(event, this.game.peek());
      else super.happened(event);
    } else if (this.#isResignation(event)) {
      // Next, the stream sends `revoked`, or the event that ends the game.
      this.viewer.service.drop();
      if (seq === last && this.#isPrivate) this.left.value = "closed";
    } else if (seq === last && !(this.#isPrivate && this.over.peek())) super.happened(event);
  }

  #isResignation({ kind, by }: Event): boolean {
    return kind === "resigned" && "seat" in by && by.seat === this.eyes.peek();
  }

  protected override async last(kind: "end" | "revoked"): Promise<void> {
    if (kind === "revoked") await this.#lookOn();
    else if (!this.#isPrivate) await super.last(kind);
  }

  /** Become a spectator if the key has ended while the connection was cut. */
  protected override failed(error: unknown): void {
    const isRefused = error instanceof Refusal && REFUSED.has(error.status);
    if (!this.begun.peek() || this.left.peek() !== null || !isRefused) return super.failed(error);
    if (this.#isPrivate) this.left.value = "closed";
    this.#lookOn().catch((other: unknown) => super.failed(other));
  }

  /** Go on as a spectator without the key; throws `Refusal` if the game was deleted. */
  async #lookOn(): Promise<void> {
    this.cutSince.value = null;
    if (this.left.peek() === "closed") return;
    if (isOver(await this.refresh())) return super.last("end");
    this.left.value = "resigned";
    await this.look(null);
  }
}

/** The ended game, made from the event that ends it, because the game can no longer be read. */
function endedBy({ kind, body }: Event, game: Game | null): Game | null {
  if (game === null) return null;
  const { result = null } = body as { result?: Ending | null };
  const standings = result?.standings.map(({ side, rank, score }) => ({
    side,
    rank,
    text: String(score),
    parts: [],
    notes: [],
  }));
  const status = kind === "ended" ? "ended" : "aborted";
  return {
    ...game,
    status,
    result: result as Game["result"],
    standings: standings ?? [],
    decisions: [],
  };
}

interface Ending {
  readonly reason: string;
  readonly standings: readonly { side: string; rank: number; score: number }[];
}

/** Why the viewer of a table no longer sees what a seat sees; null for other tables. */
export function leftOf(table: Table): Left | null {
  return table instanceof SeatTable ? table.left.value : null;
}
