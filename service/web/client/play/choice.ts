/**
 * The choice of a move at a table, from the first step to the service's answer. A step is called a
 * pick.
 */

import { batch, computed, effect, signal } from "@preact/signals";
import { newId, type Schemas, told } from "../api/client.ts";
import { codeOf } from "../api/problem.ts";
import { speaker } from "../board/rulesets.ts";
import { nameOf, type Ref, refsOf } from "../board/targets.ts";
import { spoken } from "../words/languages.ts";
import {
  besides,
  type Option,
  type Pick,
  type Pointing,
  type Step,
  step,
  targets,
} from "./choosing.ts";
import type { AskingTable } from "./table.ts";

export type Preview = Schemas["Preview"];

const NONE: Step = { left: [], label: "", options: [], move: null };

export class Choosing {
  readonly #table: AskingTable;
  readonly picks = signal<readonly Pick[]>([]);
  readonly preview = signal<Preview | null>(null);
  readonly sending = signal(false);
  /** The error to show: the service's refusal, or that the choice came too late. */
  readonly error = signal<unknown>(null);
  readonly stale = signal(false);
  /** Counts picks, so that focus can move after each. */
  readonly steps = signal(0);

  readonly #pointing = computed<Pointing>(() => {
    const board = this.#table.ruleset.value?.board;
    const frame = this.#table.frame.value;
    const known = new Map<string, readonly Ref[]>();
    if (!board || !frame) return () => [];
    return (move, field) => {
      const key = `${field} ${JSON.stringify(move)}`;
      const found =
        known.get(key) ?? refsOf(board, frame.state.state, frame.state.seat, move, field);
      known.set(key, found);
      return found;
    };
  });

  readonly step = computed<Step>(() => {
    const legal = this.#table.legal.value;
    return legal ? step(legal, this.picks.value, this.#pointing.value) : NONE;
  });

  readonly targets = computed<ReadonlyMap<Ref, { pick: Pick; label: string }>>(() => {
    const legal = this.sending.value ? null : this.#table.legal.value;
    if (!legal) return new Map();
    return targets(legal, this.step.value, this.#pointing.value, (ref) => this.#nameOf(ref));
  });

  /** The options of this step that are not chosen on the board; none while a move is sent. */
  readonly besides = computed<readonly Option[]>(() => {
    const legal = this.sending.value ? null : this.#table.legal.value;
    return legal ? besides(legal, this.step.value, this.targets.value, this.#pointing.value) : [];
  });

  /** The elements that the chosen move refers to. */
  readonly chosen = computed<ReadonlySet<Ref>>(() => {
    const legal = this.#table.legal.value;
    const { move } = this.step.value;
    const elements = this.picks.value.flatMap((pick) =>
      pick.kind === "element" ? [pick.ref] : [],
    );
    const whole = move === null ? undefined : legal?.moves[move];
    return new Set([...elements, ...(whole ? this.#pointing.value(whole, null) : [])]);
  });

  readonly #dispose: () => void;

  constructor(table: AskingTable) {
    this.#table = table;
    this.#dispose = effect(() => {
      // The question or the seat has changed, so the picks are dropped.
      void table.legal.value;
      this.#clear();
    });
  }

  #nameOf(ref: Ref): string {
    const ruleset = this.#table.ruleset.peek();
    const { service } = this.#table.viewer;
    const says = ruleset && speaker(ruleset, spoken([service.language]));
    return ruleset?.board && says ? nameOf(ruleset.board, says, ref) : ref;
  }

  /** Whether moves of an earlier position are being tried; these are not sent. */
  get supposing(): boolean {
    return this.#table.supposing.value;
  }

  /** Whether a move is previewed before it is sent. */
  get confirms(): boolean {
    return this.#table.viewer.confirms();
  }

  close(): void {
    this.#dispose();
  }

  take(pick: Pick): void {
    batch(() => {
      this.error.value = null;
      this.stale.value = false;
      this.picks.value = [...this.picks.value, pick];
      this.steps.value += 1;
    });
    void this.#ready();
  }

  /** Sends a whole move without a preview; rejects with the service's refusal. */
  async play(index: number, label: string): Promise<void> {
    batch(() => {
      this.#clear();
      this.stale.value = false;
      this.picks.value = [{ kind: "move", index, label }];
    });
    const refused = await this.send();
    if (refused !== null) throw refused;
  }

  choose(option: Option): void {
    this.take(option.pick);
  }

  point(ref: Ref): void {
    const found = this.targets.peek().get(ref);
    if (found) this.take(found.pick);
  }

  takeBack(): boolean {
    if (this.picks.peek().length === 0 || this.sending.peek()) return false;
    batch(() => {
      this.picks.value = this.picks.peek().slice(0, -1);
      this.preview.value = null;
      this.error.value = null;
      this.steps.value += 1;
    });
    return true;
  }

  startOver(): void {
    if (!this.sending.peek()) this.#clear();
  }

  #clear(): void {
    batch(() => {
      this.picks.value = [];
      this.preview.value = null;
      this.error.value = null;
    });
  }

  /**
   * Previews a complete move. It is sent at once if the player has turned previews off, or if the
   * player can take it back.
   */
  async #ready(): Promise<void> {
    const { move } = this.step.peek();
    if (move === null) return;
    const supposing = this.#table.supposing.peek();
    const { viewer } = this.#table;
    if (!viewer.confirms() && !supposing) {
      await this.send();
      return;
    }
    const picks = this.picks.peek();
    const body = this.#form(move);
    try {
      // A viewer who looks at a finished game may have no key.
      if (supposing) await viewer.signUp?.();
      const query = supposing ? { at: body.expected_version } : {};
      const found = await told(
        viewer.service.api.POST("/v1/games/{game_id}/preview", {
          params: { path: this.#path, query },
          body,
        }),
      );
      if (picks !== this.picks.peek()) return;
      this.preview.value = found;
      // Another service of the standard may not say whether a move can be taken back.
      if (found.can_take_back === true && !supposing) await this.send();
    } catch (error) {
      // Says that the choice came too late, even if the board went on before the service answered.
      if (picks === this.picks.peek() || cameLate(error)) await this.#refused(error);
    }
  }

  /**
   * Sends the chosen move, and repeats it with the same key if the answer is lost. Moves that are
   * only tried are never sent. Returns why the move was refused; null if it was not.
   */
  async send(): Promise<unknown> {
    const { move } = this.step.peek();
    if (move === null || this.sending.peek() || this.#table.supposing.peek()) return null;
    this.sending.value = true;
    const { viewer } = this.#table;
    try {
      const header = { "Idempotency-Key": newId() };
      const answer = await told(
        viewer.service.api.POST("/v1/games/{game_id}/moves", {
          params: { path: this.#path, header },
          body: await this.#signed(this.#form(move)),
        }),
      );
      viewer.keep?.(this.#table.id, answer.receipt);
      this.#table.played(answer.version);
      return null;
    } catch (error) {
      await this.#refused(error);
      return error;
    } finally {
      this.sending.value = false;
    }
  }

  get #path() {
    return { game_id: this.#table.id };
  }

  #form(index: number): Schemas["MoveRequest"] {
    const legal = this.#table.legal.peek();
    const move = legal?.moves[index];
    const frame = this.#table.frame.peek();
    const seat = frame?.state.seat;
    if (!legal || !move || !frame || seat === null || seat === undefined)
      throw new Error("there is no such move");
    // So a service that shows this player another history has to record it in each move.
    const seen = { expected_version: legal.version, expected_head: frame.hash };
    return { seat, move, ...seen } as Schemas["MoveRequest"];
  }

  /** The request with the seat's signature, if players sign at this table. */
  async #signed(asked: Schemas["MoveRequest"]): Promise<Schemas["MoveRequest"]> {
    const { game, frame, viewer } = this.#table;
    const [table, seen] = [game.peek(), frame.peek()];
    if (!table?.signatures || !seen || !viewer.sign) return asked;
    return await viewer.sign(asked, table, seen.state.decisions);
  }

  async #refused(error: unknown): Promise<void> {
    const late = cameLate(error);
    this.#clear();
    if (codeOf(error) === "unknown_head") this.#table.viewer.rewound();
    if (late) this.stale.value = true;
    else this.error.value = error;
    if (late) await this.#table.missed();
  }
}

function cameLate(error: unknown): boolean {
  return ["stale_version", "not_your_turn", "too_late"].includes(codeOf(error) ?? "");
}
