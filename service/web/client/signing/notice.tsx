/** What is told at a table where players sign, and the binding of another key to a seat. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Game, Table } from "../play/table.ts";
import { useLanguage } from "../words/languages.ts";
import type { SigningKey } from "./key.ts";
import { keyOf } from "./moves.ts";
import { CannotSign } from "./refusals.ts";
import { SIGNING_WORDS } from "./words.ts";

/** Says that players sign, and on demand what that is worth on the page of the service itself. */
export function PlayersSign() {
  const words = SIGNING_WORDS[useLanguage()];
  return (
    <details class="signs">
      <summary>{words.signs}</summary>
      <p>{words.signsIs}</p>
      <p>
        {words.worth} <a href="/docs/format#signatures-of-seats">{words.more}</a>
      </p>
    </details>
  );
}

/**
 * Says for which of the viewer's seats the key is elsewhere, and binds another one to it; nothing if
 * all keys are here.
 */
export function KeyElsewhere({
  table,
  game,
  own,
  bind,
  failed,
  children,
}: {
  readonly table: Table;
  readonly game: Game;
  /** Other ways to play on, which come first. */
  readonly children?: ComponentChildren;
  /** A key that the page itself has brought. */
  readonly own?: SigningKey | null;
  /** Binds another key to a seat; null if the viewer may bind none. */
  readonly bind: ((seat: number) => Promise<unknown>) | null;
  /** How an error is shown. */
  readonly failed: (error: unknown) => ComponentChildren;
}) {
  const language = useLanguage();
  const seats = table.own.value;
  const bound = seats.map((seat) => game.seats[seat]?.signing_key).join();
  const [missing, setMissing] = useState<readonly number[]>([]);
  useEffect(() => {
    let current = true;
    void Promise.all(seats.map((seat) => keyOf(game, seat, own))).then((keys) => {
      if (current) setMissing(seats.filter((_, index) => keys[index] === null));
    });
    return () => {
      current = false;
    };
  }, [bound, own]);
  if (missing.length === 0 || table.over.value) return null;
  const words = SIGNING_WORDS[language];
  return (
    <div class="banner" role="status" data-key="elsewhere">
      <p>{new CannotSign("elsewhere", language).message}</p>
      {children}
      {bind === null ? (
        <p>{words.narrow}</p>
      ) : (
        <details>
          <summary>{words.here}</summary>
          <p>{words.binding(table.newest.value + 1)}</p>
          <Bind
            bind={async () => {
              for (const seat of missing) await bind(seat);
              await table.refresh();
            }}
            failed={failed}
          />
        </details>
      )}
    </div>
  );
}

function Bind({
  bind,
  failed,
}: {
  readonly bind: () => Promise<void>;
  readonly failed: (error: unknown) => ComponentChildren;
}) {
  const words = SIGNING_WORDS[useLanguage()];
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const act = () => {
    setBusy(true);
    setError(null);
    bind()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return (
    <>
      <button type="button" disabled={busy} aria-busy={busy} onClick={act}>
        {words.bind}
      </button>
      {error !== null && failed(error)}
    </>
  );
}
