/**
 * A tournament that is followed: its stream says when something has changed, and the report has the
 * results.
 */

import { signal } from "@preact/signals";
import { pause, told } from "../api/client.ts";
import { follow } from "../api/stream.ts";
import { api, service } from "../browser/service.ts";
import type { GameRow, Report, Round } from "./shapes.ts";
import { isOver } from "./shapes.ts";

/** All changes within this time cause one request. */
const REST_MS = 1000;
/** While workers make the report, it is read again and again, at growing intervals. */
const LONGEST_MS = 15_000;
/** How many of the newest events are searched for the ends of blocks. */
const TAIL = 20;
/** Number of ended blocks that are remembered. */
const NEWEST = 8;

interface Event {
  readonly seq: number;
  readonly kind: string;
  readonly body: { readonly block_ended?: { readonly block: number } };
}

export class Cup {
  readonly id: string;
  readonly report = signal<Report | null>(null);
  readonly error = signal<unknown>(null);
  /**
   * The time (Date.now) since which the stream has been interrupted; null while it is open or not
   * needed.
   */
  readonly cutSince = signal<number | null>(null);
  /** The blocks that ended last, newest first. */
  readonly ended = signal<readonly number[]>([]);
  /** The number of games in each block; 0 before the first round. */
  readonly perBlock = signal(0);

  #stop = new AbortController();
  #looking = false;
  #stirred = false;

  constructor(id: string) {
    this.id = id;
  }

  /** Read the tournament and follow it until it is over, or until `close`. */
  async open(): Promise<void> {
    const { signal: stop } = this.#stop;
    try {
      const { version } = await this.#read();
      await this.#readTail(version);
      void this.#look();
      const report = this.report.peek();
      if (stop.aborted || !report || isOver(report)) return;
      await follow(service, {
        path: `/v1/tournaments/${this.id}/stream`,
        after: version,
        signal: stop,
        cutSince: this.cutSince,
        onEvent: (data) => this.#take(JSON.parse(data) as Event),
        onLast: (kind) => {
          if (kind === "rewound")
            location.reload(); // the shown events are no longer in the log
          else this.stir();
        },
      });
    } catch (error) {
      if (!stop.aborted) this.error.value = error;
    }
  }

  close(): void {
    this.#stop.abort();
  }

  /** Reads the changes after a short delay, so that several changes cause one request. */
  stir(): void {
    this.#stirred = true;
    void this.#look();
  }

  /** Reads the games of a block, or of several consecutive ones. */
  async games(first: number, last: number): Promise<readonly GameRow[]> {
    const size = this.perBlock.peek();
    const page = await told(
      api.GET("/v1/tournaments/{tournament_id}/games", {
        params: {
          path: { tournament_id: this.id },
          query: { after: (first - 1) * size, limit: Math.min(1000, (last - first + 1) * size) },
        },
      }),
    );
    return typeof page === "string" ? [] : (page.games as unknown as GameRow[]);
  }

  /** Reads up to `limit` rounds that come after the round `after`. */
  async rounds(after: number, limit: number): Promise<readonly Round[]> {
    const found: Round[] = [];
    for (let from: number | null = after; from !== null && found.length < limit; ) {
      const page: { rounds: unknown; games_per_block: number | null; next_after: number | null } =
        await told(
          api.GET("/v1/tournaments/{tournament_id}/rounds", {
            params: {
              path: { tournament_id: this.id },
              query: { after: from, limit: limit - found.length },
            },
          }),
        );
      this.perBlock.value = page.games_per_block ?? 0;
      found.push(...(page.rounds as Round[]));
      from = page.next_after;
    }
    return found;
  }

  async #read(): Promise<Report> {
    const report = (await told(
      api.GET("/v1/tournaments/{tournament_id}/report", {
        params: { path: { tournament_id: this.id } },
      }),
    )) as unknown as Report;
    this.report.value = report;
    return report;
  }

  /** The ends of the last blocks are near the end of the stream. */
  async #readTail(version: number): Promise<void> {
    await this.rounds(0, 1);
    const { events } = await told(
      api.GET("/v1/tournaments/{tournament_id}/events", {
        params: {
          path: { tournament_id: this.id },
          query: { after: Math.max(0, version - TAIL), limit: TAIL },
        },
      }),
    );
    for (const event of events as unknown as Event[]) this.#note(event);
  }

  #take(event: Event): void {
    this.#note(event);
    this.stir();
  }

  #note({ body: { block_ended: ended } }: Event): void {
    if (ended) this.ended.value = [ended.block, ...this.ended.value].slice(0, NEWEST);
  }

  /**
   * Reads the report again until its figures are of the newest event, and have bands if the
   * tournament is over.
   */
  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const { signal: stop } = this.#stop;
    try {
      for (let rest = REST_MS; !stop.aborted; rest = Math.min(2 * rest, LONGEST_MS)) {
        const report = this.report.peek();
        if (!this.#stirred && (report === null || isWhole(report))) return;
        if (this.#stirred) rest = REST_MS;
        this.#stirred = false;
        await pause(rest);
        if (stop.aborted) return;
        await this.#read();
        if (this.perBlock.peek() === 0) await this.rounds(0, 1);
      }
    } catch (error) {
      if (!stop.aborted) this.error.value = error;
    } finally {
      this.#looking = false;
    }
  }
}

function isWhole(report: Report): boolean {
  if (isOver(report)) return report.samples > 0 && report.as_of.version === report.version;
  return report.games.played === 0 || report.as_of.version === report.version;
}
