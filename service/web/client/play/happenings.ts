/** What happened at a table, event by event. */

import type { Schemas } from "../api/client.ts";

/** An event, without its effects. */
export interface Happening {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  /** The seat that moved, or that the event is about; null for draws and for the whole table. */
  readonly seat: number | null;
  /** The type of its move, if it is a move and may be seen. */
  readonly type: string | null;
  /**
   * Why the rules moved for the seat: `timed_out`, `resigned` or `bot_failed`. Of a time-out,
   * `service` if it is the fault of the service; of another key, if the service alone vouches.
   */
  readonly why: string | null;
  /** The event after which all is as it was again, if moves were taken back. */
  readonly to: number | null;
}

/** Members of bodies; events of another service of the standard may have none. */
interface Body {
  readonly move?: { readonly type: string };
  readonly undo?: { readonly to: number };
  readonly time_out?: { readonly seat: number; readonly fault?: string };
  readonly failure?: { readonly seat: number };
  readonly key?: { readonly seat: number; readonly sig: string | null };
}

/** What a table keeps of an event. */
export type Past = Pick<Schemas["Event"], "seq" | "at" | "kind" | "by" | "body">;

export function happeningOf({ seq, at, kind, by, body }: Past): Happening {
  const { seat, service } = by as { readonly seat?: number; readonly service?: string };
  const { move, undo, time_out: out, failure, key } = (body ?? {}) as Body;
  const alone = out?.fault === "service" || key?.sig === null;
  return {
    seq,
    at,
    kind,
    seat: seat ?? out?.seat ?? failure?.seat ?? key?.seat ?? null,
    type: move?.type ?? null,
    why: (seat !== undefined && service) || (alone ? "service" : null),
    to: undo?.to ?? null,
  };
}
