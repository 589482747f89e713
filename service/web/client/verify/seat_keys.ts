// The keys of seats, and what players sign with them (docs/format.md, "Signatures of seats").

import { FORMAT, J, unhex } from "./digests.ts";
import type { Event } from "./events.ts";
import type { Findings } from "./findings.ts";
import type { Json } from "./json.ts";
import { isSigned } from "./signatures.ts";

type Of<K extends Event["kind"]> = Extract<Event, { kind: K }>;

interface NewKey {
  readonly seat: number;
  readonly key: string;
  readonly sig: string | null;
}

export class SeatKeys {
  private readonly keys = new Map<number, string>();
  /** By seat, the events before it took back moves for the last time. */
  private readonly left = new Map<number, readonly Event[]>();
  private readonly id: string;
  private readonly required: boolean;
  private readonly told: Findings;

  /** `required`: whether the seats of players sign their moves. */
  constructor(id: string, required: boolean, told: Findings) {
    this.id = id;
    this.required = required;
    this.told = told;
  }

  /** Notes the key of a seat, which it has if a player of this game signs with it. */
  sit(event: Event, seat: number, key: string | undefined, isPlayer: boolean): void {
    const signs = this.required && isPlayer;
    if (signs !== (key !== undefined))
      this.told.add(signs ? "sign_no_key" : "sign_key", event, { seat });
    this.keys.set(seat, key ?? "");
  }

  /** Checks the signature of a move, as far as the record shows it. */
  move(event: Of<"moved">, isPlayer: boolean): void {
    const { seat } = event.by;
    const { move, client, signature } = event.body;
    if (!(this.required && isPlayer)) {
      if ("signature" in event.parts) this.told.add("sign_nothing", event, { seat });
      return;
    }
    if (!("signature" in event.parts)) this.told.add("sign_missing", event, { seat });
    else if (event.audiences.signature !== event.audiences.move)
      this.told.add("sign_audience", event);
    if (!("client" in event.parts)) this.told.add("sign_no_head", event, { seat });
    if (move === undefined || client === undefined || signature === undefined) return;
    const { decision, sig } = signature;
    const head = client.expected_head;
    const value = { decision, game_id: this.id, head, move: move as Json, seat };
    if (!this.isBy(seat, ["move", value], sig)) this.told.add("sign_move", event, { seat });
    // What was signed for a decision signs nothing when it is open once more.
    const left = this.left.get(seat) ?? [];
    if (decision <= left.length && left.some(({ hash }) => hash === head))
      this.told.add("sign_old_head", event, { seat });
  }

  /** Notes that a seat takes back moves, after the events `before`. */
  undo(seat: number, before: readonly Event[]): void {
    this.left.set(seat, before);
  }

  /** Binds another key to a seat; `head` is the hash of the event before. */
  change(event: Of<"key_changed">, { seat, key, sig }: NewKey, head: string): void {
    if (!this.required) this.told.add("sign_off", event);
    else if (sig === null) {
      this.told.add("sign_service", event, { event: event.seq, seat });
      this.told.counts.signed += 1;
    } else if (!this.isBy(seat, ["key", { game_id: this.id, head, key, seat }], sig))
      this.told.add("sign_new_key", event, { seat });
    this.keys.set(seat, key);
  }

  /** Whether the key of a seat signed a message. */
  private isBy(seat: number, message: Json[], sig: string): boolean {
    this.told.once("sign_worth");
    this.told.counts.signed += 1;
    try {
      const key = unhex(this.keys.get(seat) ?? "");
      return isSigned(J([FORMAT, ...message]), unhex(sig), key);
    } catch {
      return false; // the key is not a point of the curve
    }
  }
}
