/**
 * A table that is followed: its events, the shown frame, and the viewer's choices. A frame is the
 * game after one event. The stream brings the newest events; earlier ones are read when somebody
 * looks back.
 */

import { batch, computed, signal } from "@preact/signals";
import { pause, type Schemas, type Service, told } from "../api/client.ts";
import { follow } from "../api/stream.ts";
import type { Ruleset, Rulesets } from "../board/rulesets.ts";
import type { Move } from "../board/targets.ts";
import type { Legal } from "./choosing.ts";
import type { Past } from "./happenings.ts";

export type Game = Schemas["Game"];
export type Effect = Schemas["Effect"];
export type Event = Schemas["Event"];

/** The game after one event, as the viewer sees it. Before the start, `state.state` is null. */
export interface Frame {
  readonly seq: number;
  readonly hash: string;
  readonly state: Schemas["GameState"];
  readonly effects: readonly Effect[];
  /** The seat that caused the event, if any. */
  readonly mover: number | null;
  /** The viewer's legal moves after the event; null if the viewer has no decision. */
  readonly legal: Legal | null;
}

/** A point between rounds at which a replay can stop, and its line of the log. */
export interface Round {
  readonly seq: number;
  readonly text: string;
}

/**
 * A moment: `at` is the event, null for the newest one; `eyes` is the viewer, null for the player's
 * own seat.
 */
export interface Moment {
  readonly at: number | null;
  readonly eyes: number | "spectator" | null;
}

/**
 * What a table gets from the page around it. A change of a signal that one of these functions has
 * read updates the table.
 */
export interface Viewer {
  readonly service: Service;
  readonly rulesets: Rulesets;
  /** The seats for which the viewer decides. */
  own(game: Game | null): readonly number[];
  /** For how many milliseconds each step of other seats is shown, if there are not many. */
  pace(): number;
  /** Whether a move is previewed before it is sent. */
  confirms(): boolean;
  /**
   * Called with the game each time that it was read. Returns true if the call changed the game, so
   * that it is read again.
   */
  take?(game: Game): Promise<boolean>;
  /**
   * Signs the request of a move at a table where players sign; `decisions` are those that were open
   * when it was chosen. Returns the request with the signature.
   */
  sign?(
    asked: Schemas["MoveRequest"],
    game: Game,
    decisions: Schemas["GameState"]["decisions"],
  ): Promise<Schemas["MoveRequest"]>;
  /** Called with the receipt of a move. */
  keep?(game: string, receipt: Schemas["Receipt"]): void;
  /** Called before moves of an earlier position are tried, because a preview needs a player. */
  signUp?(): Promise<unknown>;
  /** Called when the service's storage has lost events that were shown. */
  rewound(): void;
}

const INCLUDE = "effects,words,state,legal_moves,groups";
/** Number of events in one page; they come with their states. */
const PAGE = 40;
const LOG_PAGE = 1000;
const QUIET_KINDS = new Set(["moved", "chanced"]);

export class Table {
  readonly id: string;
  readonly viewer: Viewer;
  readonly game = signal<Game | null>(null);
  readonly ruleset = signal<Ruleset | null>(null);
  readonly log = signal<readonly Effect[]>([]);
  /** The events that the stream has brought; the log of a page reads the others, too. */
  readonly past = signal<readonly Past[]>([]);
  readonly frames = signal<ReadonlyMap<number, Frame>>(new Map());
  readonly newest = signal(0);
  /** The event that the viewer wants to see. The board shows it as soon as it has been read. */
  readonly wanted = signal(0);
  /**
   * The frame that is drawn: that of the wanted event, or the previous one until it has been read.
   */
  readonly frame = signal<Frame | null>(null);
  /** Whether the board follows the newest event; false while looking back. */
  readonly following = signal(true);
  /** Whether one event after the other is shown automatically, while the viewer looks back. */
  readonly playing = signal(false);
  /** Whether moves of the shown position are being tried; these are not sent. */
  readonly supposing = signal(false);
  /** The seat whose moves were last tried at the shown position. */
  readonly supposed = signal<number | null>(null);
  /**
   * Whether the moment at which to begin was read from the address; from then on the address may be
   * updated.
   */
  readonly begun = signal(false);
  readonly error = signal<unknown>(null);
  /**
   * The time (Date.now) since which the stream has been interrupted; null while it is open or not
   * needed.
   */
  readonly cutSince = signal<number | null>(null);
  /** The viewer: a seat, or null for a spectator. */
  readonly eyes = signal<number | null>(null);

  /** Whether what happened is shown step by step, and the newest event has not been reached. */
  readonly catchesUp = computed(
    () => this.following.value && this.wanted.value < this.newest.value,
  );
  readonly shown = computed(() => this.frame.value?.seq ?? 0);
  /** The seats that the caller holds. */
  readonly own = computed(() => this.viewer.own(this.game.value));
  readonly over = computed(() => isOver(this.game.value));
  /** The seats whose view the caller may see. */
  readonly openEyes = computed(() =>
    this.over.value ? (this.game.value?.seats.map(({ seat }) => seat) ?? []) : this.own.value,
  );
  readonly rounds = computed(() => roundsIn(this.log.value, this.ruleset.value?.board?.rounds));
  /**
   * The viewer's choices: at the newest position, or at the shown position while moves are tried.
   */
  readonly legal = computed<Legal | null>(() => {
    const frame = this.frame.value;
    if (frame === null || this.supposing.value) return frame?.legal ?? null;
    return frame.seq === this.newest.value && !this.over.value ? frame.legal : null;
  });
  /** The decisions of the player's own seats in the newest position, whatever position is shown. */
  readonly asked = computed(() => {
    const decisions = this.frames.value.get(this.newest.value)?.state.decisions ?? [];
    return this.over.value ? [] : decisions.filter(({ seat }) => this.own.value.includes(seat));
  });

  /** Whether the drawn event follows the one before in its game, with all between in the same step. */
  follows = false;
  readonly #reading = new Map<string, Promise<void>>();
  #stop = new AbortController();
  #known = 0;
  #walking = false;
  #pace: typeof import("./pace.ts") | null = null;
  #drawnAt = 0;
  /** For how many milliseconds others were shown since a question, with what drawing takes. */
  #spent = 0;
  #rest: (() => void) | null = null;

  constructor(id: string, viewer: Viewer) {
    this.id = id;
    this.viewer = viewer;
  }

  /**
   * Reads the game and follows it until `close`. When the game has been read, `moment` is called
   * for the moment at which to begin.
   */
  async open(moment: () => Moment): Promise<void> {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal: stop } = this.#stop;
    this.begun.value = false;
    try {
      const game = await this.refresh();
      this.newest.value = game.version;
      // Drop the frames from before this browser sat down, because they show a spectator's view.
      this.frames.value = new Map();
      const begin = () => {
        const { at, eyes } = moment();
        const seat = this.#allowed(eyes ?? this.#asked(game)[0] ?? null);
        if (seat !== this.eyes.peek()) this.frames.value = new Map();
        this.eyes.value = seat;
        return at;
      };
      const [found] = await Promise.all([
        this.viewer.rulesets.read(game.ruleset),
        this.#readLog(),
        this.#need(this.#within(begin() ?? game.version)),
      ]);
      if (stop.aborted) return;
      this.ruleset.value = found;
      const at = begin(); // the address may have changed since
      this.following.value = at === null || at >= game.version;
      this.begun.value = true;
      await this.#show(this.#within(at ?? game.version));
      if (!this.over.value) await this.#follow(stop);
    } catch (error) {
      if (!stop.aborted) this.failed(error);
    }
  }

  close(): void {
    this.#stop.abort();
  }

  async refresh(): Promise<Game> {
    const { service } = this.viewer;
    const game = await told(
      service.api.GET("/v1/games/{game_id}", { params: { path: { game_id: this.id } } }),
    );
    this.game.value = game;
    this.viewer.take?.(game).then(
      (changed) => changed && void this.refresh(),
      () => {}, // after an error, the game is read again at the next event
    );
    return game;
  }

  /** Chooses another viewer: one of the player's seats, or after the end any seat. */
  async look(seat: number | null): Promise<void> {
    if (seat === this.eyes.peek()) return;
    const { signal: left } = this.#stop;
    batch(() => {
      this.eyes.value = seat;
      this.supposing.value = false;
      this.frames.value = new Map();
    });
    await this.#show(this.wanted.peek());
    void this.#walk();
    // For a finished game, or after `close`, no stream is followed.
    if (left.aborted || this.over.peek()) return;
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal: stop } = this.#stop;
    this.#follow(stop).catch((error: unknown) => {
      if (!stop.aborted) this.failed(error);
    });
  }

  /** Go to the moment of an address. */
  async goTo({ at, eyes }: Moment): Promise<void> {
    if (!this.begun.peek()) return; // `open` reads the moment itself later
    this.go(at ?? this.newest.peek());
    await this.look(this.#allowed(eyes));
  }

  /** Reads the game, because it may have newer events than the stream has brought. */
  async missed(): Promise<void> {
    const { version } = await this.refresh();
    this.played(version);
  }

  /**
   * After a move of the viewer, follows the newest event again; the stream brings the move's
   * events.
   */
  played(version: number): void {
    this.newest.value = Math.max(this.newest.peek(), version);
    this.following.value = true;
    void this.#walk();
  }

  /** Show the board after an event. */
  go(seq: number): void {
    const wanted = this.#within(seq);
    batch(() => {
      this.following.value = wanted === this.newest.peek();
      this.supposing.value = false;
      this.supposed.value = null;
    });
    this.#rest?.();
    void this.#show(wanted);
  }

  /** Whether this key or click skips what is shown on the way to the newest event. */
  skips(event: UIEvent): boolean {
    return this.#pace?.skips(this, event) ?? false;
  }

  /** Shows, step by step, all that followed an event, each step for the whole time. */
  async walkFrom(seq: number): Promise<void> {
    this.playing.value = false;
    this.go(seq);
    this.following.value = true;
    this.#spent = Number.NEGATIVE_INFINITY;
    await this.#need(this.wanted.peek());
    await this.#walk();
  }

  /** Shows the newest event at once, and skips the events before it. */
  catchUp(): void {
    this.playing.value = false;
    this.go(this.newest.peek());
  }

  /**
   * Begins to show one event after the other, from the first one if all were shown; or stops that.
   */
  play(playing: boolean): void {
    if (playing && this.wanted.peek() >= this.newest.peek()) this.go(1);
    this.playing.value = playing;
  }

  /** Go to the next point between rounds, or the previous one. */
  goRound(step: 1 | -1): void {
    const at = this.wanted.peek();
    const rounds = this.rounds.peek();
    const found =
      step > 0
        ? (rounds.find(({ seq }) => seq > at)?.seq ?? this.newest.peek())
        : (rounds.findLast(({ seq }) => seq < at)?.seq ?? 1);
    this.go(found);
  }

  /** Begins to try moves of the shown position, for a seat that had a decision there. */
  async suppose(seat: number): Promise<void> {
    this.playing.value = false;
    await this.look(seat);
    this.supposing.value = true;
  }

  endSupposing(): void {
    batch(() => {
      this.supposed.value = this.eyes.peek();
      this.supposing.value = false;
    });
  }

  /** Draws an event as soon as it has been read, unless the viewer wants another one by then. */
  async #show(seq: number, follows = false): Promise<"drawn" | "elsewhere" | "missing"> {
    this.wanted.value = seq;
    try {
      // What is here is drawn at once, with what the page tells of it.
      if (!this.frames.peek().has(seq)) await this.#need(seq);
    } catch (error) {
      if (this.wanted.peek() === seq) this.error.value = error;
      return "missing";
    }
    if (this.wanted.peek() !== seq) return "elsewhere";
    const frame = this.frames.peek().get(seq);
    if (frame === undefined) return "missing";
    this.#drawnAt = Date.now();
    this.follows = follows;
    this.frame.value = frame;
    return "drawn";
  }

  #within(seq: number): number {
    return Math.min(Math.max(seq, 1), this.newest.peek());
  }

  /** The chosen viewer, or by default the player's own seat. */
  #allowed(eyes: Moment["eyes"]): number | null {
    if (eyes === "spectator") return null;
    if (eyes !== null && this.openEyes.peek().includes(eyes)) return eyes;
    return this.own.peek()[0] ?? null;
  }

  async #readLog(): Promise<void> {
    const found: Effect[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: Schemas["Log"] = await told(
        this.viewer.service.api.GET("/v1/games/{game_id}/log", {
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
    const eyes = seat === null ? "&spectator=true" : `&seat=${seat}`;
    await follow(this.viewer.service, {
      path: `/v1/games/${encodeURIComponent(this.id)}/stream?include=${INCLUDE}${eyes}`,
      after: this.newest.peek(),
      signal: stop,
      cutSince: this.cutSince,
      onEvent: (data) => this.#take(JSON.parse(data) as Event, seat),
      onLast: (kind) => {
        if (kind === "rewound") this.viewer.rewound();
        else this.last(kind).catch((error: unknown) => this.failed(error));
      },
    });
  }

  /** Called when the stream has ended, with the type of its last message. */
  protected async last(_kind: "end" | "revoked"): Promise<void> {
    await this.refresh();
    await this.#readLog(); // read the frames again, because the end reveals hidden parts
    this.frames.value = new Map();
    await this.#show(this.wanted.peek());
    void this.#walk();
  }

  /** Called when the game cannot be read or followed. */
  protected failed(error: unknown): void {
    this.error.value = error;
  }

  /** Takes an event of the stream of `seat`, which may still be that of another seat. */
  #take(event: Event, seat: number | null): void {
    const frame = frameOf(event);
    batch(() => {
      if (frame && seat === this.eyes.peek()) this.#keep([frame]);
      this.newest.value = Math.max(this.newest.value, event.seq);
      if (event.seq > this.#known) {
        this.#known = event.seq;
        this.log.value = [...this.log.value, ...(event.effects ?? [])];
        const { seq, at, kind, by, body } = event;
        this.past.value = [...this.past.value, { seq, at, kind, by, body }];
      }
    });
    this.happened(event);
    void this.#walk();
    this.#turn(frame);
  }

  /** Reads the game again if an event changed more than its state. */
  protected happened({ kind }: Event): void {
    if (!QUIET_KINDS.has(kind)) void this.refresh();
  }

  /** A player with several seats sees the view of the seat that has a decision. */
  #turn(frame: Frame | null): void {
    const asked = frame ? this.#asked(frame.state) : [];
    const [next] = asked;
    if (this.own.peek().length > 1 && next !== undefined && !asked.includes(this.eyes.peek() ?? -1))
      void this.look(next);
  }

  /** The player's own seats with a decision. */
  #asked({ decisions }: Pick<Game, "decisions">): number[] {
    const own = this.own.peek();
    return decisions.map(({ seat }) => seat).filter((seat) => own.includes(seat));
  }

  /** Shows step after step, each for its time, up to the newest event. */
  async #walk(): Promise<void> {
    if (this.#walking) return;
    this.#walking = true;
    try {
      // Loaded when first needed; if it does not come, event after event is shown at once.
      this.#pace ??= await import("./pace.ts").catch(() => null);
      for (let since = Date.now(), now = since; this.#hasNext(); since = now) {
        const rest = this.#restLeft();
        if (rest > 0) await this.#restFor(rest);
        if (!this.#hasNext()) break;
        const from = this.wanted.peek();
        const to = this.#pace?.nextOf(this, this.#spent) ?? from + 1;
        if ((await this.#show(this.canShow(to) ? to : from + 1, true)) === "missing") break;
        now = Date.now();
        this.#spent = this.frame.peek()?.legal ? 0 : this.#spent + now - since;
      }
    } finally {
      this.#walking = false;
      this.#spent = Math.max(this.#spent, 0);
    }
  }

  /** Whether there is a next event to show. */
  #hasNext(): boolean {
    const wanted = this.wanted.peek();
    return this.following.peek() && wanted < this.newest.peek() && this.canShow(wanted + 1);
  }

  /** Whether an event can be shown: always, as events that the stream has not brought are read. */
  protected canShow(_seq: number): boolean {
    return true;
  }

  /** For how many milliseconds the step is still shown, so that people see what happened. */
  #restLeft(): number {
    if (globalThis.document?.hidden) return 0;
    return this.#drawnAt + (this.#pace?.restOf(this, this.#spent) ?? 0) - Date.now();
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

  /** Load the frame of an event, and all frames of its page. */
  async #need(seq: number): Promise<void> {
    if (seq < 1 || this.frames.peek().has(seq)) return;
    const page = Math.floor((seq - 1) / PAGE);
    const seat = this.eyes.peek();
    const asked = `${seat} ${page}`;
    const begun = this.#reading.get(asked);
    const reading = begun ?? this.#read(page, seat);
    this.#reading.set(asked, reading);
    try {
      await reading;
    } finally {
      if (this.#reading.get(asked) === reading) this.#reading.delete(asked);
    }
    // What was asked for before the event happened does not have it.
    const early = begun !== undefined && !this.frames.peek().has(seq);
    if (early || seat !== this.eyes.peek()) await this.#need(seq);
  }

  async #read(page: number, seat: number | null): Promise<void> {
    const found = await told(
      this.viewer.service.api.GET("/v1/games/{game_id}/events", {
        params: {
          path: { game_id: this.id },
          query: {
            after: page * PAGE,
            limit: PAGE,
            include: ["effects", "state", "legal_moves", "groups"],
            ...(seat === null ? { spectator: true } : { seat }),
          },
        },
      }),
    );
    if (seat === this.eyes.peek() && typeof found !== "string")
      this.#keep(found.events.flatMap((event) => frameOf(event) ?? []));
  }

  #keep(found: readonly Frame[]): void {
    const frames = new Map(this.frames.peek());
    for (const frame of found) frames.set(frame.seq, frame);
    this.frames.value = frames;
  }
}

/** What the choice of a move needs of a table. */
export type AskingTable = Pick<
  Table,
  "id" | "viewer" | "game" | "ruleset" | "frame" | "legal" | "supposing" | "played" | "missed"
>;

function frameOf(event: Event): Frame | null {
  const { seq, hash, by, state, effects = [], legal_moves: legal, groups } = event;
  if (!state) return null;
  return {
    seq,
    hash,
    state,
    effects,
    mover: "seat" in by ? by.seat : null,
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

/** The events that begin a round, or end the previous one. */
function roundsIn(log: readonly Effect[], types: readonly string[] = []): Round[] {
  const found = new Map<number, string>();
  for (const { seq, type, text } of log)
    if (types.includes(type) && !found.has(seq)) found.set(seq, text);
  return [...found].map(([seq, text]) => ({ seq, text }));
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

/** A seat's name: its player's or its bot's. */
export function holderName(seat: Schemas["TableSeat"]): string {
  // The name is empty if the player has left or an admin erased it.
  const name = seat.holder === "open" ? "" : seat.name || seat.player || seat.bot || "?";
  // In Hebrew, Arabic and the like, a name would turn the words and numbers beside it without these marks.
  return name.replace(/.*[\u0590-\u08ff].*/, "\u2068$&\u2069");
}
