// The course of a game, as far as it follows without the rules: seats, order of events, their
// causers and times (docs/format.md, "Events" to "Suspended games").

import { Batches, befell } from "./batches.ts";
import { roundAfter, timeOf } from "./beacons.ts";
import { leastAllowed } from "./budgets.ts";
import { Deadlines } from "./deadlines.ts";
import { H, hex, J, marked } from "./digests.ts";
import type { Event } from "./events.ts";
import type { Findings } from "./findings.ts";
import { type Json, write } from "./json.ts";
import type { BotHolder, BotOfMove, GameFields, Kind } from "./kinds.ts";
import { checkResult } from "./result.ts";
import { SeatKeys } from "./seat_keys.ts";
import { TakingBack } from "./taking_back.ts";
import { isGiven } from "./tournament/blocks.ts";

export type Phase = "lobby" | "closed" | "running" | "ended" | "aborted";
type Holder = NonNullable<Extract<Event, { kind: "seated" }>["body"]["seat"]>["holder"];
type Of<K extends Kind> = Extract<Event, { kind: K }>;

/** Kinds of events after which another seat may have a decision. */
const ASK: readonly Kind[] = ["started", "moved", "defaulted", "chanced", "resigned"];

interface Seat {
  readonly holder: Holder;
  /** The seat's commitment, and whether the request that created the game brought it. */
  readonly commitment: string | null;
  readonly first: boolean;
  /**
   * If seats are drawn, the number of the event that brought the commitment, which has null for the
   * seat.
   */
  readonly brought: number | null;
  entropy: string | null;
  /**
   * If the moves of a bot do not repeat what never changes, the digest of the last one that has
   * one, or "" before it; null if each move has it.
   */
  digest: string | null;
  resigned: boolean;
  /** The number of the event of the seat's last move. */
  moved: number;
  /** The numbers of the moves of its holder that count. */
  answers: number[];
  /** The decisions for which it has asked for hints. */
  readonly hinted: Set<number>;
}

/** The kinds of events that may occur, by the status of the game. */
const ADMITS: Record<Phase, readonly Kind[]> = {
  lobby: ["seated", "left", "closed", "started", "key_changed", "suspended", "resumed", "aborted"],
  closed: [
    "entropy_revealed",
    "beacon_drawn",
    "started",
    "key_changed",
    "suspended",
    "resumed",
    "aborted",
  ],
  running: [
    "moved",
    "defaulted",
    "chanced",
    "timed_out",
    "bot_failed",
    "resigned",
    "undone",
    "hinted",
    "key_changed",
    "suspended",
    "resumed",
    "interrupted",
    "aborted",
    "ended",
  ],
  ended: ["chance_revealed"],
  aborted: ["chance_revealed"],
};

export class Course {
  phase: Phase = "lobby";
  /** The numbers of the seats that are held. */
  readonly seats = new Map<number, Seat>();
  /** The chance seed in hex, once it is revealed. */
  seed: string | null = null;
  readonly game: GameFields;
  private readonly id: string;
  private readonly told: Findings;
  private readonly events: readonly Event[];
  private readonly creator: Of<"created">["by"];
  private digest: string;
  private closedAt: Event | null = null;
  /** The round of a beacon that the game waits for; 0 if it waits for none. */
  private round = 0;
  private startedAt: Event | null = null;
  /** The kinds of events that must follow at once, in the same batch. */
  private due: Kind | null = null;
  private readonly batches: Batches;
  private readonly deadlines = new Deadlines();
  private readonly takingBack: TakingBack;
  private readonly keys: SeatKeys;
  /** If seats are drawn, the commitments by the number of the event that brought them. */
  private readonly brought = new Map<number, Of<"seated">>();

  constructor(
    id: string,
    events: readonly Event[],
    created: Of<"created">,
    game: GameFields,
    told: Findings,
  ) {
    this.id = id;
    this.events = events;
    this.game = game;
    this.creator = created.by;
    this.digest = game.rules_digest;
    this.told = told;
    this.batches = new Batches(this.ownScope, (...told) => this.fail(...told));
    this.takingBack = new TakingBack(game.take_back === true, (...told) => this.fail(...told));
    this.keys = new SeatKeys(id, game.signatures !== undefined, told);
    this.checkCreated(created);
  }

  /** Follows the game, to its end if the events are `whole`; yields after each event. */
  *follow(whole: boolean): Generator<void> {
    for (const event of this.events) {
      this.batches.next(event);
      this.checkCode(event);
      this.checkDue(event);
      const moved = event.kind === "moved" ? (this.seats.get(event.by.seat)?.moved ?? 0) : 0;
      if (event.seq > 1 && this.admits(event)) this.take(event);
      this.takingBack.note(event, moved);
      yield;
    }
    if (!whole) return;
    this.checkDue(null);
    const kept = this.over && this.ownScope && this.seed === null;
    if (kept) this.fail("chance_kept", this.events.at(-1) ?? null);
  }

  get over(): boolean {
    return this.phase === "ended" || this.phase === "aborted";
  }

  get ownScope(): boolean {
    return this.game.chance.scope === this.id;
  }

  private get ofTournament(): boolean {
    return "tournament" in this.creator;
  }

  private fail(
    code: string,
    event: Event | null,
    values: Record<string, string | number> = {},
  ): void {
    this.told.add(code, event ?? {}, { kind: event?.kind ?? "", ...values });
  }

  private checkCreated(event: Of<"created">): void {
    const { data, visibility } = this.game;
    if (data.tables !== undefined && hex(H(J(data.tables))) !== data.digest)
      this.fail("data_digest", event);
    if ((visibility === "public") !== this.ownScope) this.fail("visibility", event, { visibility });
    const { by } = event;
    const { scope } = this.game.chance;
    if ("tournament" in by ? !isOfTournament(scope, String(by.tournament)) : !this.ownScope)
      this.fail("scope", event, { scope, by: write(by) });
    if (this.game.take_back === true && !this.ownScope) this.fail("take_back_scope", event);
    if (this.game.hints === true && !this.ownScope) this.fail("hints_scope", event);
    if (this.game.entropy.mode === "beacon" && !this.ownScope) this.fail("beacon_scope", event);
    if (this.game.signatures !== undefined && !this.ownScope) this.fail("sign_scope", event);
  }

  /**
   * An event declares code only at the beginning of a batch, and only if the code differs from that
   * before.
   */
  private checkCode(event: Event): void {
    const code = event.body.code?.rules_digest;
    if (code === undefined) return;
    if (this.batches.current.length > 0 || code === this.digest) this.fail("code", event);
    this.digest = code;
  }

  /** Checks that automatic events follow at once; `event` is the next event, null at the end. */
  private checkDue(event: Event | null): void {
    const { due } = this;
    this.due = null;
    const followed = event?.kind === due && this.batches.current.length > 0;
    if (due !== null && !followed)
      this.fail("must_follow", event ?? this.events.at(-1) ?? null, { expected: due });
  }

  private admits(event: Event): boolean {
    if (!ADMITS[this.phase].includes(event.kind)) {
      this.fail("phase", event, { phase: this.phase });
      return false;
    }
    if (this.deadlines.suspended !== null && event.kind !== "resumed" && event.kind !== "aborted") {
      this.fail("while_suspended", event);
      return false;
    }
    return true;
  }

  private take(event: Event): void {
    switch (event.kind) {
      case "seated":
        return this.seated(event);
      case "left":
        return this.left(event);
      case "closed":
        return this.closed(event);
      case "entropy_revealed":
        return this.revealed(event);
      case "beacon_drawn":
        return this.beaconDrawn(event);
      case "started":
        return this.started(event);
      case "moved":
        return this.moved(event);
      case "defaulted":
        return this.defaulted(event);
      case "timed_out":
        return this.timedOut(event);
      case "bot_failed":
        return this.botFailed(event);
      case "resigned":
        return this.resigned(event);
      case "undone":
        return this.undone(event);
      case "hinted":
        return this.hinted(event);
      case "key_changed":
        return this.keyChanged(event);
      case "suspended":
        return this.stopped(event);
      case "resumed":
        return this.goesOn(event);
      case "interrupted":
        return this.interrupted(event);
      case "aborted":
        return this.aborted(event);
      case "ended":
        return this.ended(event);
      case "chance_revealed":
        return this.opened(event);
      default:
        return;
    }
  }

  private seated(event: Of<"seated">): void {
    const told = event.body.seat;
    if (told === undefined) return;
    const { seat, holder, entropy_commitment: commitment, brought = null, short = false } = told;
    const first = this.batches.current[0]?.kind === "created";
    const early = brought === null ? first : brought <= (this.events[0]?.last ?? 0);
    if (brought !== null) this.carries(event, brought);
    if (short && !("bot" in holder)) this.fail("short", event);
    this.keys.sit(event, seat, told.key, "player" in holder);
    if (seat >= this.game.seats || this.seats.has(seat)) this.fail("seat", event, { seat });
    if (!same(event.by, this.creator) && (first || !same(event.by, holder)))
      this.fail("by", event, { by: write(event.by) });
    this.seats.set(seat, {
      holder,
      commitment,
      first: early,
      brought,
      entropy: null,
      digest: short ? "" : null,
      resigned: false,
      moved: 0,
      answers: [],
      hinted: new Set(),
    });
    if (this.seats.size === this.game.seats) this.due = this.closes ? "closed" : "started";
  }

  /**
   * If seats are drawn, a commitment moves with its holder from seat to seat, and to no other
   * holder.
   */
  private carries(event: Of<"seated">, brought: number): void {
    const told = event.body.seat;
    if (brought === event.seq && told?.entropy_commitment !== null)
      this.brought.set(brought, event);
    const came = this.brought.get(brought)?.body.seat;
    const its =
      came !== undefined &&
      came.entropy_commitment === told?.entropy_commitment &&
      same(came.holder, told.holder);
    const held = [...this.seats.values()].some((seat) => seat.brought === brought);
    if (!its || held) this.fail("brought", event, { brought });
  }

  private left(event: Of<"left">): void {
    const seat = event.body.seat?.seat;
    if (seat === undefined) return;
    const held = this.seats.get(seat);
    if (held === undefined) return this.fail("seat", event, { seat });
    if (!same(event.by, this.creator) && !same(event.by, held.holder))
      this.fail("by", event, { by: write(event.by) });
    this.seats.delete(seat);
  }

  private closed(event: Of<"closed">): void {
    if (this.seats.size !== this.game.seats || !this.closes) this.fail("closed", event);
    this.phase = "closed";
    this.closedAt = event;
    const { beacon } = this.game.entropy;
    if (beacon !== undefined) this.round = roundAfter(beacon, event.time);
  }

  private revealed(event: Of<"entropy_revealed">): void {
    const told = event.body.entropy;
    if (told === undefined) return;
    const seat = this.seats.get(told.seat);
    if (seat === undefined || seat.commitment === null || seat.entropy !== null)
      return this.fail("entropy_owed", event, { seat: told.seat });
    if (!same(event.by, seat.holder)) this.fail("by", event, { by: write(event.by) });
    // The commitment of a seat that is taken when the table is opened has `null` for the game's id,
    // which is not known yet.
    const ids = seat.first ? [this.id, null] : [this.id];
    const at = seat.brought === null ? told.seat : null;
    if (!ids.some((id) => hex(marked("entropy", id, at, told.entropy)) === seat.commitment))
      this.fail("entropy_commitment", event, { seat: told.seat });
    if (event.time > this.entropyDue()) this.fail("entropy_late", event, { seat: told.seat });
    this.told.counts.entropy += 1;
    seat.entropy = told.entropy;
    if (this.owing().length === 0 && this.round === 0) this.due = "started";
  }

  /** A round starts the game; its signature is checked elsewhere. */
  private beaconDrawn(event: Of<"beacon_drawn">): void {
    const told = event.body.beacon;
    const { beacon } = this.game.entropy;
    if (told === undefined) return;
    if (beacon === undefined || told.round !== this.round)
      return this.fail("beacon_round", event, { expected: this.round, found: told.round });
    const waits = this.owing().length > 0 && event.time <= this.entropyDue();
    if (waits || event.time < timeOf(beacon, this.round))
      this.fail("beacon_early", event, { round: this.round });
    this.due = "started";
  }

  private started(event: Of<"started">): void {
    const owing = this.owing().length > 0;
    const drawn = this.batches.previous?.kind === "beacon_drawn";
    if (event.by.service === "clock") {
      const waits = this.phase === "closed" && (owing || this.round > 0);
      const late = waits && event.time > this.entropyDue();
      const asked = this.batches.current.length === 0;
      if (!this.startsAnyway || !late || !asked) this.fail("started_without", event);
    } else if (this.seats.size !== this.game.seats || (!drawn && (owing || this.hasBeacon)))
      this.fail("started", event);
    this.phase = "running";
    this.startedAt = event;
  }

  private get hasBeacon(): boolean {
    return this.game.entropy.mode === "beacon";
  }

  /** Whether the game waits for entropy or a beacon once all seats are held. */
  private get closes(): boolean {
    return this.owing().length > 0 || this.hasBeacon;
  }

  /** Whether the game starts even if a seat withholds its entropy, or the beacon is late. */
  private get startsAnyway(): boolean {
    const { mode, late } = this.game.entropy;
    return mode === "lenient" || late === "start";
  }

  private moved(event: Of<"moved">): void {
    const seat = this.player(event);
    if (seat === null) return;
    this.keys.move(event, "player" in seat.holder);
    const decision = event.body.signature?.decision;
    if (decision !== undefined) this.asked(event, { seat: event.by.seat, decision });
    seat.moved = event.seq;
    if (this.game.clock !== null) seat.answers.push(event.seq);
    if ("bot" in event.parts !== "bot" in seat.holder) this.fail("bot_part", event);
    if ("bot" in seat.holder && "client" in event.parts) this.fail("bot_client", event);
    if ("bot" in seat.holder && "thoughts" in event.parts) this.fail("bot_thoughts", event);
    const bot = event.body.bot;
    this.timed(event, bot);
    if (bot === undefined || !("bot" in seat.holder)) return;
    if ("bot" in bot) {
      this.named(event, bot, seat.holder);
      if (seat.digest !== null) seat.digest = bot.digest;
    } else if (seat.digest === null) this.fail("bot_form", event);
    else {
      if (bot.digest === seat.digest || (bot.digest ?? seat.digest) === "")
        this.fail("bot_digest", event);
      seat.digest = bot.digest ?? seat.digest;
    }
  }

  /** Only tournaments have budgets, and so the time of a bot's decision. */
  private timed(event: Event, bot: object | undefined): void {
    if (bot !== undefined && "cpu_us" in bot && !this.ofTournament) this.fail("timed", event);
  }

  /** The part `bot` of a move must name the holder of its seat. */
  private named(event: Of<"moved">, bot: BotOfMove, holder: BotHolder): void {
    const { bot: name, version, settings } = holder;
    if (
      bot.bot !== name ||
      bot.version !== version ||
      bot.settings !== hex(H(J(settings))) ||
      bot.budget !== (settings.nodes ?? 0)
    )
      this.fail("bot_other", event, { bot: `${bot.bot}@${bot.version}` });
  }

  /** Returns the acting seat; the event's causer must hold it, and it must not have resigned. */
  private player(event: Of<"moved"> | Of<"undone"> | Of<"hinted"> | Of<"resigned">): Seat | null {
    const by = event.by;
    const seat = this.seats.get(by.seat);
    if (seat === undefined || seat.resigned) {
      this.fail("seat", event, { seat: by.seat });
      return null;
    }
    const { holder } = seat;
    const right =
      "bot" in holder
        ? "bot" in by && by.bot === `${holder.bot}@${holder.version}`
        : !("bot" in by) && (by.player === undefined || by.player === holder.player);
    if (!right) this.fail("by", event, { by: write(by) });
    return seat;
  }

  private defaulted(event: Of<"defaulted">): void {
    const { seat, service } = event.by;
    const held = this.seats.get(seat);
    if (held === undefined) return this.fail("seat", event, { seat });
    const right =
      service === "resigned" ? held.resigned : befell(this.batches.previous, service, seat);
    if (!right) this.fail("defaulted", event, { seat, service });
    held.moved = event.seq;
  }

  private timedOut(event: Of<"timed_out">): void {
    const told = event.body.time_out;
    if (told === undefined) return;
    const seat = this.seats.get(told.seat);
    if (seat === undefined || seat.resigned || !("player" in seat.holder))
      this.fail("seat", event, { seat: told.seat });
    const { fault } = told;
    if (fault !== undefined && !this.ofTournament) this.fail("fault", event, { fault });
    this.due = fault === "service" ? "aborted" : "defaulted";
    const asked = this.asked(event, told);
    const { clock } = this.game;
    if (clock === null) this.fail("no_clock", event);
    else if (asked !== null && this.startedAt !== null) {
      const opened = this.deadlines.due(asked, 0);
      const played = opened - this.deadlines.due(this.startedAt, 0);
      const answers = seat?.answers.length ?? 0;
      if (event.time <= opened + leastAllowed(clock, { answers, played }))
        this.fail("timed_out_early", event, { seat: told.seat, decision: told.decision });
    }
  }

  private botFailed(event: Of<"bot_failed">): void {
    const told = event.body.failure;
    if (told === undefined) return;
    this.due = "defaulted";
    const seat = this.seats.get(told.seat);
    const holder = seat?.holder;
    if (holder === undefined || !("bot" in holder) || seat?.resigned)
      return this.fail("seat", event, { seat: told.seat });
    this.asked(event, told);
    const bot = event.body.bot;
    this.timed(event, bot);
    if (bot === undefined) return;
    if (bot.bot !== holder.bot || bot.version !== holder.version)
      this.fail("bot_other", event, { bot: `${bot.bot}@${bot.version}` });
    if ((bot.digest === null) !== (told.cause === "missing")) this.fail("bot_missing", event);
  }

  /** Returns the number of the event that opened the seat's decision, null if it has none. */
  private asked(
    event: Event,
    { seat, decision }: { readonly seat: number; readonly decision: number },
  ): Event | null {
    const asked = decision < event.seq ? this.events[decision - 1] : undefined;
    const answered = decision < (this.seats.get(seat)?.moved ?? 0);
    const open = !answered && !this.takingBack.took(decision);
    if (asked !== undefined && ASK.includes(asked.kind) && open) return asked;
    this.fail("decision", event, { seat, decision });
    return null;
  }

  private resigned(event: Of<"resigned">): void {
    const seat = this.player(event);
    if (seat === null) return;
    const failed =
      this.ofTournament && befell(this.batches.before[0] ?? null, "bot_failed", event.by.seat);
    if ("bot" in seat.holder && !failed) this.fail("by", event, { by: write(event.by) });
    seat.resigned = true;
  }

  private undone(event: Of<"undone">): void {
    const seat = this.player(event);
    const to = event.body.undo?.to;
    if (seat === null || to === undefined) return;
    seat.moved = this.takingBack.undo(event, to) ?? seat.moved;
    seat.answers = seat.answers.filter((seq) => seq <= to);
    this.keys.undo(event.by.seat, this.events.slice(0, event.number - 1));
  }

  private hinted(event: Of<"hinted">): void {
    const asker = this.player(event);
    if (this.game.hints !== true) this.fail("hints_off", event);
    if (asker === null || event.body.hint === undefined) return;
    const { seat } = event.by;
    const { decision } = event.body.hint;
    if ("bot" in asker.holder) this.fail("hint_by_bot", event, { seat });
    this.asked(event, { seat, decision });
    if (asker.hinted.has(decision)) this.fail("hint_twice", event, { seat, decision });
    asker.hinted.add(decision);
  }

  private keyChanged(event: Of<"key_changed">): void {
    const told = event.body.key;
    if (told === undefined) return;
    const held = this.seats.get(told.seat);
    if (held === undefined || held.resigned || !same(event.by, held.holder))
      this.fail("by", event, { by: write(event.by) });
    this.keys.change(event, told, this.events[event.number - 2]?.hash ?? "");
  }

  private stopped(event: Of<"suspended">): void {
    if (this.deadlines.suspended !== null || this.ofTournament) this.fail("suspended", event);
    this.deadlines.suspended = event;
  }

  private goesOn(event: Of<"resumed">): void {
    if (this.deadlines.suspended === null) return this.fail("resumed", event);
    this.deadlines.resume(event, this.deadlines.suspended);
  }

  private interrupted(event: Of<"interrupted">): void {
    const told = event.body.interruption;
    if (told === undefined) return;
    const [from, to] = [Date.parse(told.from), Date.parse(told.to)];
    const late = this.deadlines.until > from || from >= to || to > event.time;
    if (this.game.clock === null || late)
      this.fail("interrupted", event, { from: told.from, to: told.to });
    else this.deadlines.stand(event.seq, from, to);
  }

  private aborted(event: Of<"aborted">): void {
    const told = event.body.aborted;
    if (this.batches.previous?.kind === "timed_out" && told?.reason !== "block_abandoned")
      this.fail("batch_follows", event, { first: "timed_out" });
    if (told !== undefined) {
      if (!this.mayAbort(event, told.reason))
        this.fail("aborted", event, { reason: told.reason, by: write(event.by) });
      const owing = told.reason === "entropy_withheld" ? this.owing() : [];
      if (!same(told.withheld_by, owing))
        this.fail("withheld", event, { found: write(told.withheld_by) });
    }
    this.phase = "aborted";
    this.deadlines.suspended = null; // only `chance_revealed` may still follow
  }

  private mayAbort(event: Of<"aborted">, reason: string): boolean {
    const { by } = event;
    if (this.deadlines.suspended !== null && reason !== "ended_by_operator" && reason !== "damaged")
      return false;
    switch (reason) {
      case "cancelled":
        if ("service" in by) return this.phase === "lobby";
        return (
          !this.ofTournament &&
          same(by, this.creator) &&
          (this.phase !== "running" || this.onlyBots())
        );
      case "tournament_cancelled":
      case "block_abandoned":
        return this.ofTournament && same(by, this.creator);
      case "entropy_withheld":
        return (
          "service" in by &&
          this.phase === "closed" &&
          this.game.entropy.mode === "reveal" &&
          event.time > this.entropyDue()
        );
      case "beacon_withheld":
        return (
          "service" in by &&
          this.phase === "closed" &&
          this.game.entropy.late === "abort" &&
          event.time > this.entropyDue()
        );
      case "ended_by_operator":
        return "admin" in by && !this.ofTournament;
      default:
        return "admin" in by;
    }
  }

  private onlyBots(): boolean {
    return [...this.seats.values()].every((seat) => "bot" in seat.holder);
  }

  private ended(event: Of<"ended">): void {
    const result = event.body.result;
    const resigned = (side: string) => {
      const [, seat] = /^seat:(\d+)$/.exec(side) ?? [];
      return seat !== undefined && this.seats.get(Number(seat))?.resigned === true;
    };
    if (result !== undefined)
      checkResult(result.standings, this.game.seats, resigned, (code, values) =>
        this.fail(code, event, values),
      );
    this.phase = "ended";
  }

  private opened(event: Of<"chance_revealed">): void {
    const told = event.body.chance;
    if (this.seed !== null) return this.fail("phase", event, { phase: this.phase });
    if (told === undefined) return;
    if (told.scope !== this.game.chance.scope)
      this.fail("chance_scope", event, { scope: told.scope });
    this.seed = told.chance_seed;
  }

  /** The seats that have committed to entropy and not revealed it, in order. */
  private owing(): number[] {
    const owing = [...this.seats].filter(
      ([, seat]) => seat.commitment !== null && seat.entropy === null,
    );
    return owing.map(([number]) => number).sort((a, b) => a - b);
  }

  private entropyDue(): number {
    return this.closedAt === null
      ? Number.POSITIVE_INFINITY
      : this.deadlines.due(this.closedAt, 1000 * this.game.entropy.seconds);
  }
}

/**
 * A tournament's block, from the second try on with the number of the try; or one of its games,
 * with the numbers of the rotation and the try.
 */
const OF_TOURNAMENT = /^([^/]*)\/([1-9]\d*)(?:\/(?:[2-9]|[1-9]\d+)|\/(?:0|[1-9]\d*)\/[1-9]\d*)?$/;

/** Whether a chance scope belongs to a tournament's block, or to one of its games. */
function isOfTournament(scope: string, tournament: string): boolean {
  const [, of, block] = OF_TOURNAMENT.exec(scope) ?? [];
  return block !== undefined && (of === tournament || isGiven(of ?? ""));
}

const same = (one: Json | object, other: Json | object): boolean =>
  write(one as Json) === write(other as Json);
