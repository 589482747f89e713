/** The moment of a game in an address: `#v=123`, and with `&seat=2` the viewer. */

import type { Moment } from "../play/table.ts";

/** The present, as the player's own viewer. */
export const PRESENT: Moment = { at: null, eyes: null };

/** The moment in the address; null for a fragment about something else. */
export function momentInAddress(): Moment | null {
  const at = /(?:^#|&)v=(\d+)/.exec(location.hash)?.[1];
  const eyes = /(?:^#|&)seat=(\d+|spectator)/.exec(location.hash)?.[1];
  if (at === undefined && eyes === undefined && location.hash !== "") return null;
  return {
    at: at === undefined ? null : Number(at),
    eyes: eyes === undefined || eyes === "spectator" ? (eyes ?? null) : Number(eyes),
  };
}

/** The fragment for a moment; "" for the present as the player's own viewer. */
export function fragmentOf({ at, eyes }: Moment): string {
  const parts = [...(at === null ? [] : [`v=${at}`]), ...(eyes === null ? [] : [`seat=${eyes}`])];
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}
