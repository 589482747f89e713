/**
 * `<lonja-game service="https://…" game="…">`: shows a table live; with a key, a person can play.
 */

import { effect, signal } from "@preact/signals";
import { type Schemas, type Service, told } from "../api/client.ts";
import type { Move } from "../board/targets.ts";
import { Choosing } from "../play/choice.ts";
import { type Effect, Table, type Viewer } from "../play/table.ts";
import type { SigningKey } from "../signing/key.ts";
import { rulesetsOf } from "./carried.ts";
import { Embedded } from "./embedded.tsx";
import { serviceAt } from "./foreign.ts";
import { leftOf, SeatTable } from "./seat.ts";
import { TableView } from "./table.tsx";

const PACE_MS = 700;

export class LonjaGame extends Embedded {
  static readonly observedAttributes = [
    "service",
    "game",
    "key",
    "seat",
    "renderer",
    "confirm",
    "pace",
    "lang",
    "theme",
  ];

  readonly #open = signal<{ table: Table; choice: Choosing } | null>(null);
  #key: string | null = null;
  #end: (() => void)[] = [];
  readonly #signingKey = signal<SigningKey | null>(null);

  /** The key. If it is set as an attribute, every script of the page can read it. */
  get key(): string | null {
    return this.#key ?? this.getAttribute("key");
  }

  set key(key: string | null) {
    if (this.key === key) return;
    this.#key = key;
    if (this.isConnected) this.changed();
  }

  /**
   * The key with which the seat signs, at tables where players do. Null: one that this browser keeps
   * for the page's origin.
   */
  get signingKey(): SigningKey | null {
    return this.#signingKey.value;
  }

  set signingKey(key: SigningKey | null) {
    this.#signingKey.value = key;
  }

  /** The shown position, as the API answers it; null until it has come. */
  get state(): Schemas["GameState"] | null {
    return this.#open.value?.table.frame.value?.state ?? null;
  }

  /** The legal moves, each with its label. */
  get moves(): readonly { readonly move: Move; readonly label: string }[] {
    const legal = this.#open.value?.table.legal.value;
    return legal?.moves.map((move, index) => ({ move, label: legal.labels[index] ?? "" })) ?? [];
  }

  /**
   * Plays one of `moves`, without a preview. The promise rejects if the move is not one of them, or
   * is refused.
   */
  async play(move: Move): Promise<void> {
    const { table, choice } = this.#open.peek() ?? {};
    const index = this.moves.findIndex((one) => JSON.stringify(one.move) === JSON.stringify(move));
    const label = this.moves[index]?.label;
    if (!table || !choice || label === undefined)
      throw new RangeError(`${JSON.stringify(move)} cannot be played now`);
    await choice.play(index, label);
  }

  protected async open(stop: AbortSignal): Promise<void> {
    const [url, id] = [this.getAttribute("service"), this.getAttribute("game")];
    if (!url || !id) return;
    const service = serviceAt({
      url,
      credentials: () => ({ key: this.key ?? undefined }),
      language: () => this.language.peek(),
    });
    const { seat, isBound } = await this.#seen(service, id);
    if (stop.aborted) return;
    const seats = seat === null ? [] : [seat];
    const viewer: Viewer = {
      service,
      rulesets: rulesetsOf(service, this.getAttribute("renderer") === "service"),
      own: (game) => seats.filter((one) => !game?.seats[one]?.resigned),
      pace: () => Number(this.getAttribute("pace") ?? PACE_MS),
      confirms: () => this.getAttribute("confirm") !== "no",
      sign: async (...told) => {
        const { signed } = await import("./signing.tsx");
        return signed(...told, this.language.peek(), this.signingKey);
      },
      keep: (_, receipt) => receipt && this.tell("receipt", receipt),
      rewound: () => this.changed(),
    };
    const table = isBound ? new SeatTable(id, viewer) : new Table(id, viewer);
    const choice = new Choosing(table);
    this.#end = [...this.#tells(table, choice), () => choice.close(), () => table.close()];
    this.#open.value = { table, choice };
    await table.open(() => ({ at: null, eyes: seat ?? "spectator" }));
  }

  protected close(): void {
    for (const end of this.#end) end();
    this.#end = [];
    this.#open.value = null;
  }

  /**
   * The seat for which the key is used, and whether it is a key for this seat only. For any other
   * key, it is the named seat, or the one that the service chooses. A key for one seat whose game
   * is over has no seat any more.
   */
  async #seen(service: Service, id: string): Promise<{ seat: number | null; isBound: boolean }> {
    if (this.key === null) return { seat: null, isBound: false };
    const { key } = (await this.#me(service)) ?? { key: null };
    if (key === null) return { seat: null, isBound: false };
    if (key.scope === "seat") return { seat: key.seat ?? null, isBound: true };
    const named = this.getAttribute("seat");
    if (named !== null) return { seat: Number(named), isBound: false };
    const params = { path: { game_id: id } };
    const { seat } = await told(service.api.GET("/v1/games/{game_id}/state", { params }));
    return { seat, isBound: false };
  }

  /** The player of the key; null if it was a key for one seat and its game is over. */
  async #me(service: Service): Promise<Schemas["Me"] | null> {
    try {
      return await told(service.api.GET("/v1/players/me"));
    } catch (error) {
      if (service.headers().Authorization === undefined) return null;
      throw error;
    }
  }

  /** Dispatches events about the game to the page; the returned functions stop that. */
  #tells(table: Table, choice: Choosing): (() => void)[] {
    let shown = 0;
    let asked: { decision: number; seq: number } | null = null;
    let over = false;
    return [
      effect(() => {
        const error = table.error.value;
        if (error !== null) this.fail(error);
      }),
      effect(() => {
        const error = choice.error.value;
        if (error !== null) this.tellError(error);
      }),
      effect(() => {
        const frame = table.frame.value;
        const game = table.game.value;
        if (frame !== null && frame.seq > shown) {
          const frames = table.frames.peek();
          for (let seq = shown || frame.seq; ++seq <= frame.seq; ) {
            const { mover, effects } = frames.get(seq) ?? frame;
            if (frames.has(seq)) this.tell("move", happened(seq, mover, effects));
          }
          shown = frame.seq;
        }
        // The event `over` is dispatched when the end is shown, after the events that led to it.
        if (over || game === null || !table.over.value || shown < table.newest.value) return;
        over = true;
        this.tell("over", { status: game.status, result: game.result, standings: game.standings });
      }),
      effect(() => {
        const reason = leftOf(table);
        if (reason !== null) this.tell("left", { reason });
      }),
      effect(() => {
        const legal = table.legal.value;
        if (legal === null) return;
        const frame = table.frame.peek();
        const { seat = null, decisions = [] } = frame?.state ?? {};
        const decision = decisions.find((one) => one.seat === seat);
        if (frame === null || decision === undefined) return;
        // Other seats may have decisions at the same time; when they answer, that is no new turn of
        // this seat. After the seat has taken back its move, the same decision is a new turn.
        const before = asked?.decision === decision.id ? asked.seq : null;
        if (before !== null && (frame.mover !== seat || frame.seq === before)) return;
        asked = { decision: decision.id, seq: frame.seq };
        this.tell("turn", { seat, decision, moves: this.moves });
      }),
    ];
  }

  override draw() {
    const open = this.#open.value;
    if (open === null) return null;
    return (
      <TableView
        {...open}
        signingKey={this.signingKey}
        narrow={this.narrow.value}
        dark={this.theme.value === "dark"}
        glideMs={this.still.value ? 0 : 450}
      />
    );
  }
}

function happened(seq: number, seat: number | null, effects: readonly Effect[]) {
  return { seq, seat, effects };
}
