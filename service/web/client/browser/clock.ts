/** Finds out whether the clock of this machine is wrong, by hours perhaps: players look at it to see how long they have. */

import { clock } from "../api/clock.ts";

/** A clock that differs by less is right: an answer may have taken so long. */
const WRONG_MS = 30_000;

/** Compares this machine's clock with the time of an answer, unless the answer may have been stored. */
export function compareClocks({ headers, status }: Response): void {
  const told = Date.parse(headers.get("Date") ?? "");
  const isNew = headers.get("Cache-Control")?.includes("no-cache") && status !== STORED;
  if (!told || !isNew) return;
  const ahead = Date.now() - told;
  clock.ahead = Math.abs(ahead) < WRONG_MS ? 0 : ahead;
}

/** The status of what a service worker has stored (offline/public.ts). */
const STORED = 203;
