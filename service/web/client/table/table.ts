/**
 * A table as it is followed: what happened, what is shown, and what the viewer may do. The newest
 * events come by the stream; earlier ones are read when somebody looks back.
 */

import { batch, computed, signal } from "@preact/signals";
import { api, pause, type Schemas, told } from "../api/client.ts";
import { follow } from "../api/stream.ts";
import { type Ruleset, ruleset } from "../app/rulesets.ts";
import { settings } from "../app/settings.ts";
import type { Move } from "../board/targets.ts";
import { identity } from "../identity/identity.ts";
import type { Legal } from "./choosing.ts";

export type Game = Schemas["Game"];
export type Effect = Schemas["Effect"];
type Event = Schemas["Event"];

/** The game after one event, as the viewer sees it. */
export interface Frame {
  readonly seq: number;
  readonly state: Schemas["GameState"];
  readonly effects: readonly Effect[];
  /** Null where nobody asked, or where it is somebody else's turn. */
  readonly legal: Legal | null;
}

const INCLUDE = "effects,words,state,legal_moves,groups";
/** How many events one page brings with their states. */
const PAGE = 40;
const LOG_PAGE = 1000;
const QUIET_KINDS = new Set(["moved", "drawn"]);

export class Table {
  readonly id: string;
  readonly game = signal<Game | null>(null);
  readonly ruleset = signal<Ruleset | null>(null);
  readonly log = signal<readonly Effect[]>([]);
  readonly frames = signal<ReadonlyMap<number, Frame>>(new Map());
  readonly newest = signal(0);
  /** The event after which the board is shown. */
  readonly shown = signal(0);
  /** Whether the board goes on with the game; false for whoever looks back. */
  readonly following = signal(true);
  readonly error = signal<unknown>(null);
  /** Through whose eyes: a seat, or null for a spectator. */
  readonly eyes = signal<number | null>(null);

  readonly frame = computed(() => this.frames.value.get(this.shown.value) ?? null);
  /** The seats that the caller holds. */
  readonly own = computed(() => seatsOf(this.game.value, identity.value?.id));
  readonly over = computed(() => isOver(this.game.value));
  /** What the viewer may do now: only in the present, never while earlier events are still shown. */
  readonly legal = computed<Legal | null>(() => {
    const { frame, newest } = { frame: this.frame.value, newest: this.newest.value };
    if (frame === null || frame.seq !== newest || this.over.value) return null;
    return frame.legal;
  });

  #stop = new AbortController();
  #known = 0;
  #walking = false;
  #rest: (() => void) | null = null;

  constructor(id: string) {
    this.id = id;
  }

  /** Read the game and follow it until `close`; `at` is the event to begin with, null for the present. */
  async open(at: number | null): Promise<void> {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal: stop } = this.#stop;
    try {
      const game = await this.refresh();
      const [own = null] = this.own.value;
      this.eyes.value = this.#asked(game)[0] ?? own;
      const [found] = await Promise.all([
        ruleset(game.ruleset),
        this.#readLog(),
        this.#need(Math.min(at ?? game.version, game.version)),
      ]);
      if (stop.aborted) return;
      this.ruleset.value = found;
      this.newest.value = game.version;
      if (at !== null && at < game.version) this.go(at);
      else await this.#present();
      if (!this.over.value) await this.#follow(stop);
    } catch (error) {
      if (!stop.aborted) this.error.value = error;
    }
  }

  close(): void {
    this.#stop.abort();
  }

  async refresh(): Promise<Game> {
    const game = await told(
      api.GET("/v1/games/{game_id}", { params: { path: { game_id: this.id } } }),
    );
    this.game.value = game;
    return game;
  }

  /** Look through other eyes: a seat's of one's own, or after the end anybody's. */
  async look(seat: number | null): Promise<void> {
    if (seat === this.eyes.peek()) return;
    const { signal: left } = this.#stop;
    batch(() => {
      this.eyes.value = seat;
      this.frames.value = new Map();
    });
    await this.#need(this.shown.peek());
    if (left.aborted || this.over.peek()) return; // who has gone away follows nothing
    this.#stop.abort();
    this.#stop = new AbortController();
    await this.#follow(this.#stop.signal);
  }

  /** Look what was missed: the stream may bring it later. */
  async missed(): Promise<void> {
    const { version } = await this.refresh();
    this.played(version);
  }

  /** A move of one's own was played: go on with the game, which the stream will bring. */
  played(version: number): void {
    this.newest.value = Math.max(this.newest.peek(), version);
    this.following.value = true;
    void this.#walk();
  }

  /** Show the board after an event. */
  go(seq: number): void {
    const wanted = Math.min(Math.max(seq, 1), this.newest.value);
    this.following.value = wanted === this.newest.value;
    this.shown.value = wanted;
    this.#rest?.();
    void this.#need(wanted);
  }

  /** Show the present at once, without waiting for what lies between. */
  catchUp(): void {
    this.go(this.newest.value);
  }

  async #present(): Promise<void> {
    this.following.value = true;
    this.shown.value = this.newest.value;
    await this.#need(this.newest.value);
  }

  async #readLog(): Promise<void> {
    const found: Effect[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: Schemas["Log"] = await told(
        api.GET("/v1/games/{game_id}/log", {
          params: { path: { game_id: this.id }, query: { after, limit: LOG_PAGE } },
        }),
      );
      found.push(...page.effects);
      this.#known = page.version;
      after = page.next_after;
    }
    this.log.value = found;
  }

  async #follow(stop: AbortSignal): Promise<void> {
    const seat = this.eyes.peek();
    const eyes = `&seat=${seat ?? "spectator"}`;
    await follow({
      path: `/v1/games/${encodeURIComponent(this.id)}/stream?include=${INCLUDE}${eyes}`,
      after: this.newest.peek(),
      signal: stop,
      onEvent: (data) => this.#take(JSON.parse(data) as Event),
      onLast: (kind) => {
        if (kind === "rewound")
          location.reload(); // what is shown never happened
        else void this.#ended();
      },
    });
  }

  async #ended(): Promise<void> {
    await this.refresh();
    await this.#readLog(); // what was hidden is open now
  }

  #take(event: Event): void {
    const frame = frameOf(event);
    batch(() => {
      if (frame) this.#keep([frame]);
      this.newest.value = Math.max(this.newest.value, event.seq);
      if (event.seq > this.#known) {
        this.#known = event.seq;
        this.log.value = [...this.log.value, ...(event.effects ?? [])];
      }
    });
    if (!QUIET_KINDS.has(event.kind)) void this.refresh();
    void this.#walk();
    this.#turn(frame);
  }

  /** Who holds several seats looks through the eyes of the one that is asked. */
  #turn(frame: Frame | null): void {
    const asked = frame ? this.#asked(frame.state) : [];
    const [next] = asked;
    if (this.own.peek().length > 1 && next !== undefined && !asked.includes(this.eyes.peek() ?? -1))
      void this.look(next);
  }

  /** The seats of one's own that are asked. */
  #asked({ decisions }: Pick<Game, "decisions">): number[] {
    const own = this.own.peek();
    return decisions.map(({ seat }) => seat).filter((seat) => own.includes(seat));
  }

  /** Show event after event, each for as long as was chosen, until the present is reached. */
  async #walk(): Promise<void> {
    if (this.#walking) return;
    this.#walking = true;
    try {
      while (this.following.peek() && this.shown.peek() < this.newest.peek()) {
        const next = this.shown.peek() + 1;
        await this.#need(next);
        if (!this.following.peek()) break;
        this.shown.value = next;
        const told = this.frames.peek().get(next)?.effects.length ?? 0;
        const { pace } = settings.peek();
        const more = next < this.newest.peek();
        if (more && told > 0 && pace > 0 && document.visibilityState === "visible")
          await this.#restFor(pace);
      }
    } finally {
      this.#walking = false;
    }
  }

  #restFor(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#rest = () => {
        this.#rest = null;
        resolve();
      };
      void pause(milliseconds).then(() => this.#rest?.());
    });
  }

  /** Have the frame of an event, and those about it. */
  async #need(seq: number): Promise<void> {
    if (seq < 1 || this.frames.peek().has(seq)) return;
    const seat = this.eyes.peek();
    const after = Math.max(0, seq - 1 - PAGE / 4);
    const page = await told(
      api.GET("/v1/games/{game_id}/events", {
        params: {
          path: { game_id: this.id },
          query: {
            after,
            limit: PAGE,
            include: ["effects", "state", "legal_moves", "groups"],
            seat: seat === null ? "spectator" : String(seat),
          },
        },
      }),
    );
    if (seat === this.eyes.peek() && typeof page !== "string")
      this.#keep(page.events.flatMap((event) => frameOf(event) ?? []));
  }

  #keep(found: readonly Frame[]): void {
    const frames = new Map(this.frames.peek());
    for (const frame of found) frames.set(frame.seq, frame);
    this.frames.value = frames;
  }
}

function frameOf(event: Event): Frame | null {
  const { seq, state, effects = [], legal_moves: legal, groups } = event;
  if (!state) return null;
  return {
    seq,
    state,
    effects,
    legal:
      legal && legal.moves.length > 0 && groups
        ? {
            version: legal.version,
            moves: legal.moves as unknown as Move[],
            labels: legal.labels,
            groups,
          }
        : null,
  };
}

export function isOver(game: Pick<Game, "status"> | null): boolean {
  return game?.status === "ended" || game?.status === "aborted";
}

export function seatsOf(game: Pick<Game, "seats"> | null, player: string | undefined): number[] {
  if (player === undefined) return [];
  return (
    game?.seats
      .filter((seat) => seat.player === player && !seat.resigned)
      .map(({ seat }) => seat) ?? []
  );
}

/** What a seat is called: the name of its player, or of its bot. */
export function holderName(seat: Schemas["TableSeat"]): string {
  if (seat.holder === "player") return seat.name || seat.player || "?"; // a name that was erased is empty
  return seat.holder === "bot" ? (seat.bot ?? "bot") : "";
}
