// The course of a tournament, as far as it can be checked without computing its figures: the order
// of its events, the host, entropy, and the played blocks. Pairings are not checked here.

import { chanceKey } from "../chance.ts";
import { hex, marked } from "../digests.ts";
import type { Line } from "../events.ts";
import type { Findings } from "../findings.ts";
import { write } from "../json.ts";
import { isGiven, partAfter, rotationCount, rotations, type Try } from "./blocks.ts";
import {
  type Abandoned,
  MAX_ENTRIES,
  MAX_GAMES,
  type Plan,
  type Result,
  type StreamEvent,
  type TournamentPart,
} from "./kinds.ts";

type Created = Extract<StreamEvent, { kind: "created" }>;

/**
 * A block that was played: its entries, the times of its pairing and end, and the result of each
 * game.
 */
export interface Block extends Try {
  readonly lineup: readonly number[];
  readonly paired: Line;
  readonly ended: Line;
  readonly games: readonly Result[];
}

/** Number of abandoned tries at a block after which the service pauses the tournament. */
const TRIES = 3;
/** The most seats of blocks with every order of the line-up. */
const MAX_ROTATED = 7;
/** The formats whose hosts may add games. */
const TAKE_MORE: readonly unknown[] = ["round_robin", "gauntlet", "compare"];
/** The kinds of events that come before the start alone. */
const BEFORE_START = ["entropy_revealed", "entered", "entries_closed", "started"];
/** The kinds that only an endless tournament has, or has after the start, too. */
const ENDLESS = ["entered", "available"];

export class Stream {
  plan: Plan;
  readonly scope: string;
  readonly played: Block[] = [];
  /** The version at which each `bot@version digest` was first declared. */
  readonly declared = new Map<string, number>();
  status: "open" | "running" | "paused" | "ended" | "cancelled" = "open";
  /** The key of all luck, once the seed is revealed. */
  key: Uint8Array | null = null;
  private readonly id: string;
  private readonly told: Findings;
  private readonly created: Created;
  private readonly entropy: (string | null)[];
  /** Whether the host has closed the tournament for entries of owners. */
  private closed = false;
  private readonly paired: { readonly lineup: readonly number[]; readonly event: Line }[] = [];
  private readonly ended = new Set<number>();
  /** The declared code of the rules. */
  private readonly rules = new Set<string>();
  /** The entries that were withdrawn or disqualified. */
  private readonly out = new Set<number>();
  /** The players of an endless tournament that may be paired in the events that come at once. */
  private readonly available = new Set<number>();
  /** The number of games added to those of the plan. */
  private more = 0;
  /** The number of abandoned tries at a block. */
  private readonly abandoned = new Map<number, number>();
  /** The number of the block because of which the service has to pause the tournament now. */
  private pausing: number | null = null;

  constructor(id: string, created: Created, told: Findings) {
    this.id = id;
    this.created = created;
    this.told = told;
    this.plan = created.body.created.plan;
    this.scope = created.body.created.chance.scope;
    this.entropy = this.plan.entries.map(() => null);
    if (this.scope !== id && !isGiven(this.scope))
      this.fail("scope", created, { scope: this.scope, by: write(created.by) });
    const names = this.plan.entries.map(({ name }) => name);
    if (new Set(names).size !== names.length) this.fail("entry_names", created);
    if (!this.playersFit()) this.fail("players", created);
    const { places, entries } = this.plan;
    const least = this.endless ? entries.length : entries.length + 1; // a later part may be full
    if (places !== undefined && places < least) this.fail("places", created, { places });
    if (this.endless && !isLadder(this.plan)) this.fail("ladder", created);
    if (!isSound(created.body.created.part, this.plan, id)) this.fail("part", created);
  }

  private get endless(): boolean {
    return this.plan.format.type === "endless";
  }

  /**
   * Whether the entries that are players are entered as they have to be: each once, with a clock,
   * luck of each game's own, and without a rating.
   */
  private playersFit(): boolean {
    const { entries, clock, luck, rated, failures, places } = this.plan;
    const players = entries.flatMap((entry) => ("player" in entry ? [entry.player] : []));
    if (players.length === 0 && places === undefined) return clock === undefined;
    const ruled = clock !== undefined && luck === "game" && !rated && !("seconds" in failures);
    return ruled && new Set(players).size === players.length;
  }

  /** Follows the events; they are not `whole` if unknown events come after them. */
  *follow(events: readonly StreamEvent[], whole: boolean): Generator<void> {
    for (const event of events) {
      if (event !== this.created) this.take(event);
      yield;
    }
    if (!whole) return;
    this.played.sort((one, other) => one.number - other.number);
    if (isGiven(this.scope)) this.told.once("seed_given");
    else if (this.entropy.every((given) => given === null)) this.told.once("no_entropy");
    if (this.key === null) this.told.once("tournament_goes_on");
    const before = this.created.body.created.part?.before ?? null;
    if (before !== null) this.told.once("part_before", { tournament: before.tournament_id });
  }

  private fail(
    code: string,
    event: StreamEvent,
    values: Record<string, string | number> = {},
  ): void {
    this.told.add(code, event, { kind: event.kind, ...values });
  }

  private take(event: StreamEvent): void {
    if (this.pausing !== null && event.kind !== "paused")
      this.fail("phase", event, { phase: "paused" });
    if (event.kind !== "paired") this.available.clear();
    if (!this.admits(event)) return this.fail("phase", event, { phase: this.status });
    if ("player" in event.by && !this.mayAsk(event, String(event.by.player)))
      this.fail("by", event, { by: write(event.by) });
    switch (event.kind) {
      case "entropy_revealed":
        return this.reveal(event);
      case "entered":
        return this.enter(event);
      case "entries_closed":
        if (!this.takesEntries() || this.endless) this.fail("no_place_free", event);
        this.closed = true;
        return;
      case "started":
        if (this.owing() || (this.takesEntries() && !this.endless)) this.fail("started", event);
        this.status = "running";
        return;
      case "code_declared":
        return this.declare(event);
      case "available":
        return this.wait(event);
      case "paired":
        return this.pair(event);
      case "block_ended":
        return this.end(event);
      case "block_abandoned":
        return this.abandon(event);
      case "disqualified":
        this.takeOut(event.body.disqualified.entry);
        return;
      case "withdrawn":
        return this.withdraw(event);
      case "paused":
        return this.pause(event);
      case "resumed":
        this.status = "running";
        return;
      case "extended":
        return this.extend(event);
      case "ended":
        this.status = "ended";
        return this.open(event.body.ended.seed);
      case "cancelled":
        this.status = "cancelled";
        return this.open(event.body.cancelled.seed);
      default:
        return;
    }
  }

  private admits({ kind }: StreamEvent): boolean {
    const goesOn = this.status === "running" || this.status === "paused";
    if (this.endless && goesOn && ENDLESS.includes(kind)) return true;
    switch (this.status) {
      case "open":
        return [...BEFORE_START, "extended", "cancelled", "withdrawn"].includes(kind);
      case "running":
        return !["created", ...BEFORE_START, "available", "resumed"].includes(kind);
      case "paused":
        return !["created", ...BEFORE_START, "available", "paused"].includes(kind);
      default:
        return false;
    }
  }

  /** Whether a player may cause an event: the host, or the owner of the entry that it is about. */
  private mayAsk(event: StreamEvent, player: string): boolean {
    const owner = (entry: Plan["entries"][number] | undefined) =>
      entry !== undefined && "owner" in entry ? entry.owner : null;
    const host = write({ player }) === write(this.created.by);
    if (event.kind === "entered") return owner(event.body.entered.entry) === player;
    if (event.kind === "withdrawn")
      return host || owner(this.plan.entries[event.body.withdrawn.entry]) === player;
    return host;
  }

  /**
   * Whether owners may enter their bots now. In an endless tournament, bots that are out leave
   * their places, and a new version of a `player` takes that of the old one.
   */
  private takesEntries(player?: string): boolean {
    const { places, entries } = this.plan;
    if (places === undefined || this.closed || entries.length >= MAX_ENTRIES) return false;
    const stays = (entry: Plan["entries"][number], number: number) =>
      "bot" in entry || (!this.out.has(number) && entry.player !== player);
    const left = (_: unknown, number: number) => !this.out.has(number);
    return entries.filter(this.endless ? stays : left).length < places;
  }

  private enter(event: Extract<StreamEvent, { kind: "entered" }>): void {
    const { entry } = event.body.entered;
    const { entries } = this.plan;
    const same = entries.flatMap((other, number) =>
      "player" in other && "player" in entry && other.player === entry.player ? [number] : [],
    );
    const known = (number: number) =>
      this.endless ? entries[number]?.version === entry.version : !this.out.has(number);
    const again = entries.some(({ name }) => name === entry.name) || same.some(known);
    const fits = "player" in entry && entry.entropy_commitment === null && !again;
    const player = "player" in entry ? entry.player : undefined;
    if (!this.takesEntries(player)) this.fail("no_place_free", event);
    else if (!fits) this.fail("entered", event, { name: entry.name });
    this.plan = { ...this.plan, entries: [...entries, entry] };
    for (const number of same) this.takeOut(number);
    if (this.status === "open") this.entropy.push(null);
  }

  /** Players are present, each for one block. */
  private wait(event: Extract<StreamEvent, { kind: "available" }>): void {
    const { entries } = event.body.available;
    const waits = (entry: number) =>
      "player" in (this.plan.entries[entry] ?? {}) && !this.out.has(entry);
    const sorted = entries.every((entry, n) => n === 0 || (entries[n - 1] as number) < entry);
    if (this.status !== "running" || entries.length === 0 || !sorted || !entries.every(waits))
      this.fail("available", event);
    for (const entry of entries) this.available.add(entry);
  }

  private owing(): boolean {
    return this.plan.entries.some(
      ({ entropy_commitment }, entry) =>
        entropy_commitment !== null && this.entropy[entry] === null,
    );
  }

  /**
   * Notes the code that an event declares; it may play from then on. The event must name each bot
   * of the plan once, except those of entries that are out, and at least one digest that was not
   * declared before.
   */
  private declare(event: Extract<StreamEvent, { kind: "code_declared" }>): void {
    const { rules_digest, bots } = event.body.code_declared;
    const named = bots.map(({ bot, version }) => write([bot, version]));
    const planned = this.plan.entries.map((entry) =>
      "bot" in entry ? write([entry.bot, entry.version]) : null,
    );
    const needed = planned.filter((_, entry) => !this.out.has(entry));
    const known = new Set(named);
    const each = known.size === named.length && named.every((bot) => planned.includes(bot));
    if (!each || !needed.every((bot) => bot === null || known.has(bot)))
      this.fail("code_names", event);
    const codes = bots.map(({ bot, version, digest }) => `${bot}@${version} ${digest}`);
    if (this.rules.has(rules_digest) && codes.every((code) => this.declared.has(code)))
      this.fail("code_again", event);
    this.rules.add(rules_digest);
    for (const code of codes) this.declared.set(code, this.declared.get(code) ?? event.seq);
  }

  private withdraw(event: Extract<StreamEvent, { kind: "withdrawn" }>): void {
    const { entry, block } = event.body.withdrawn;
    const plays = entry < this.plan.entries.length && !this.out.has(entry);
    if (!plays || block > this.paired.length) this.fail("withdrawn", event, { entry, block });
    this.takeOut(entry);
  }

  private takeOut(entry: number): void {
    this.out.add(entry);
  }

  private extend(event: Extract<StreamEvent, { kind: "extended" }>): void {
    const { format } = this.plan;
    this.more += event.body.extended.games;
    const games = Number(format.games ?? 0) + this.more;
    if (!TAKE_MORE.includes(format.type) || games > MAX_GAMES)
      this.fail("extended", event, { games: event.body.extended.games });
  }

  private reveal(event: Extract<StreamEvent, { kind: "entropy_revealed" }>): void {
    const { entry, entropy } = event.body.entropy_revealed;
    const commitment = this.plan.entries[entry]?.entropy_commitment ?? null;
    if (commitment === null || this.entropy[entry] !== null)
      return this.fail("entropy_owed", event, { seat: entry });
    const ids = [this.id, null];
    if (!ids.some((id) => hex(marked("entropy", id, entry, entropy)) === commitment))
      this.fail("entropy_commitment", event, { seat: entry });
    this.told.counts.entropy += 1;
    this.entropy[entry] = entropy;
  }

  private pair(event: Extract<StreamEvent, { kind: "paired" }>): void {
    const { first_block, lineups, byes } = event.body.paired;
    if (first_block !== this.paired.length + 1)
      this.fail("block", event, { block: first_block, expected: this.paired.length + 1 });
    const known = (entry: number) => entry < this.plan.entries.length;
    const present = (entry: number) =>
      !("player" in (this.plan.entries[entry] ?? {})) || this.available.has(entry);
    if (!byes.every(known) || !lineups.flat().every(known)) this.fail("lineup", event);
    if (this.endless && !lineups.flat().every(present)) this.fail("lineup", event);
    if (lineups.some((lineup) => lineup.length !== this.plan.seats)) this.fail("lineup", event);
    for (const entry of lineups.flat()) this.available.delete(entry);
    this.paired.push(...lineups.map((lineup) => ({ lineup, event })));
  }

  /** Whether a block without a result does not count, because an entry is out. */
  private isVoid(lineup: readonly number[]): boolean {
    return lineup.some((entry) => this.out.has(entry));
  }

  private end(event: Extract<StreamEvent, { kind: "block_ended" }>): void {
    const { block, games } = event.body.block_ended;
    const paired = this.paired[block - 1];
    const isVoid = this.endless && paired !== undefined && this.isVoid(paired.lineup);
    if (paired === undefined || this.ended.has(block) || isVoid)
      return this.fail("block_ended", event, { block });
    this.ended.add(block);
    const { seats } = this.plan;
    const bySeat = games.flatMap(({ ranks, scores, cpu_us }) => [ranks, scores, cpu_us]);
    if (bySeat.some((list) => list.length !== seats)) this.fail("block_seats", event, { seats });
    const { lineup, event: pairing } = paired;
    const tried = 1 + (this.abandoned.get(block) ?? 0);
    this.played.push({ number: block, tried, lineup, paired: pairing, ended: event, games });
  }

  private abandon(event: Extract<StreamEvent, { kind: "block_abandoned" }>): void {
    const told = event.body.block_abandoned;
    const { block, try: tried, rotation, games } = told;
    const before = this.abandoned.get(block) ?? 0;
    const paired = this.paired[block - 1];
    const open =
      paired !== undefined &&
      !this.ended.has(block) &&
      !this.isVoid(paired.lineup) &&
      tried === before + 1;
    const count = paired === undefined ? 0 : rotationCount(paired.lineup, this.plan.rotations);
    const fits = games.length === count && (games[rotation] ?? null) !== null;
    if (!open || !fits || !this.mayAbandon(told, paired.lineup))
      return this.fail("block_abandoned", event, { block, tried });
    this.abandoned.set(block, tried);
    if (tried % TRIES === 0 && this.status === "running") this.pausing = block;
  }

  /**
   * Whether a try may be abandoned for its reason: a game is damaged, or at a decision of a seat a
   * bot was stopped, or a player out of reach.
   */
  private mayAbandon(told: Abandoned, lineup: readonly number[]): boolean {
    const { rotation, seat, decision, reason } = told;
    if (reason === "damaged") return seat === undefined && decision === undefined;
    if (seat === undefined || decision === undefined) return false;
    const { rotations: how, entries, failures, seats } = this.plan;
    if (how === "all" && lineup.length > MAX_ROTATED) return false;
    if ("seconds" in failures || seat >= seats) return false;
    const entry = rotations(lineup, how)[rotation]?.[seat] ?? entries.length;
    return "player" in (entries[entry] ?? {}) === (reason === "outage");
  }

  /**
   * If the service has to pause the tournament because of a block, it must do so at once and name
   * the block. A pause by the host has no reason.
   */
  private pause(event: Extract<StreamEvent, { kind: "paused" }>): void {
    const block = event.body.paused?.block ?? null;
    const service = "service" in event.by;
    if (service !== (block !== null) || (service && block !== this.pausing))
      this.fail("by", event, { by: write(event.by) });
    this.pausing = null;
    this.status = "paused";
  }

  private open(seed: string): void {
    this.key = chanceKey(seed, this.scope, this.entropy);
  }
}

/** Whether a plan can be endless: enough bots of the service, an anchor, and no rating. */
function isLadder({ entries, seats, rated }: Plan): boolean {
  const bots = entries.filter((entry) => "bot" in entry);
  return bots.length >= seats && bots[0] === entries[0] && !rated;
}

/** Whether a part can be that of a plan, and of a tournament with this id. */
function isSound(part: TournamentPart | undefined, plan: Plan, id: string): boolean {
  const endless = plan.format.type === "endless";
  if (part === undefined || !endless) return part === undefined && !endless;
  const { number, before, standing } = part;
  const { games, pairs } = standing;
  if (games.length !== plan.entries.length) return false;
  if (before === null) return number === 1 && pairs.length === 0 && games.every((n) => n === 0);
  const met = pairs.map(([one = 0, other = 0]) => one * games.length + other);
  const known = pairs.every(
    ([one = 0, other = 0, ...rest]) => one < other && other < games.length && rest.length === 2,
  );
  const sorted = met.every((pair, n) => n === 0 || (met[n - 1] as number) < pair);
  return number > 1 && id === partAfter(before.tournament_id, before.head) && known && sorted;
}
