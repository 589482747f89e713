/** Which events were missed since this browser last showed the table, or while the page was hidden. */

import { useEffect, useState } from "preact/hooks";
import { keep, kept } from "../browser/storage.ts";
import type { Table } from "../play/table.ts";

const NAME = "seen";
const GAMES = 200;

type Seen = Readonly<Record<string, number>>;

/** The newest event of a game that was seen in this browser; 0 if none was. */
function seenOf(game: string): number {
  return kept<Seen>(NAME)?.[game] ?? 0;
}

function keepSeen(game: string, seq: number): void {
  const { [game]: _, ...others } = kept<Seen>(NAME) ?? {};
  const newest = Object.entries(others).slice(-(GAMES - 1));
  keep(NAME, { ...Object.fromEntries(newest), [game]: seq });
}

/** The missed events; `seen` clears them. */
export interface Missing {
  readonly missed: Missed | null;
  readonly seen: () => void;
}

interface Missed {
  readonly after: number;
  readonly until: number;
}

/** Keeps track of which events of a table were seen, and which were missed. */
export function useMissing(table: Table): Missing {
  const [missed, setMissed] = useState<Missed | null>(null);
  const [newest, begun] = [table.newest.value, table.begun.value];
  useEffect(() => {
    if (!begun) return;
    const look = () => {
      if (document.visibilityState !== "visible") return;
      const [after, until] = [seenOf(table.id), table.newest.peek()];
      if (after > 0 && after < until) setMissed({ after, until });
      keepSeen(table.id, until);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [begun]);
  useEffect(() => {
    if (!begun || document.visibilityState !== "visible") return;
    keepSeen(table.id, newest);
    const mover = table.frames.peek().get(newest)?.mover ?? null;
    if (missed && newest > missed.until && mover !== null && table.own.peek().includes(mover))
      setMissed(null); // a player who has moved has read about the missed events
  }, [begun, newest]);
  return { missed, seen: () => setMissed(null) };
}
