/**
 * The moment of a game in an address: `#v=123` is the event, and `&seat=2` the viewer. Links of
 * release 0.2.0 have the event alone: `#123`.
 */

import type { Moment } from "../play/table.ts";

/** The newest event, seen from the player's own seat. */
export const PRESENT: Moment = { at: null, eyes: null };

/** The moment in the address; null if the fragment is about something else. */
export function momentInAddress(): Moment | null {
  const at = /(?:^#|[#&]v=)(\d+)/.exec(location.hash)?.[1];
  const eyes = /(?:^#|&)seat=(\d+|spectator)/.exec(location.hash)?.[1];
  if (at === undefined && eyes === undefined && location.hash !== "") return null;
  return {
    at: at === undefined ? null : Number(at),
    eyes: eyes === undefined || eyes === "spectator" ? (eyes ?? null) : Number(eyes),
  };
}

/** The fragment for a moment; "" for `PRESENT`. */
export function fragmentOf({ at, eyes }: Moment): string {
  const parts = [...(at === null ? [] : [`v=${at}`]), ...(eyes === null ? [] : [`seat=${eyes}`])];
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}
