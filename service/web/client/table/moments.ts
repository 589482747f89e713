/** The shown moment of a game: in the address of the page, and as time goes on during autoplay. */

import { useEffect } from "preact/hooks";
import { settings } from "../browser/settings.ts";
import type { Moment, Table } from "../play/table.ts";
import { fragmentOf, momentInAddress } from "./address.ts";

/** Minimum milliseconds between two drawings during autoplay; events between them are skipped. */
const QUICKEST = 150;

/** Keeps the address of the page up to date with the shown moment, so that people can share it. */
export function useAddress(table: Table): void {
  const [wanted, following] = [table.wanted.value, table.following.value];
  const begun = table.begun.value;
  const eyes: Moment["eyes"] = table.eyes.value ?? "spectator";
  const own = table.own.value[0] ?? "spectator";
  useEffect(() => {
    if (!begun || wanted === 0) return; // the address has not been read yet
    const moment = { at: following ? null : wanted, eyes: eyes === own ? null : eyes };
    const fragment = fragmentOf(moment);
    // The fragment of the address is not a moment: leave it.
    if (fragment === "" && momentInAddress() === null) return;
    if (fragment !== location.hash) history.replaceState(null, "", location.pathname + fragment);
  }, [begun, wanted, following, eyes, own]);
}

/**
 * During autoplay, go on when an event has been shown for its time, but never before it is drawn.
 */
export function useAutoplay(table: Table): void {
  const [playing, shown] = [table.playing.value, table.shown.value];
  const [wanted, newest] = [table.wanted.value, table.newest.value];
  useEffect(() => {
    if (!playing || shown !== wanted) return;
    if (shown >= newest) {
      table.playing.value = false;
      return;
    }
    const told = table.frame.peek()?.effects.length ?? 0;
    const time = told > 0 ? Math.max(settings.peek().pace, QUICKEST) : 0;
    const timer = setTimeout(() => table.go(shown + 1), time);
    return () => clearTimeout(timer);
  }, [playing, shown, wanted, newest]);
}
