/** The way of a seat from one browser or program of its player to another, signed by its key. */

import { useEffect, useState } from "preact/hooks";
import { service } from "../browser/service.ts";
import { ownSigningKey } from "../identity/signing_key.ts";
import { Copyable, Failed, useActing, useAsked, Wait } from "../parts/parts.tsx";
import type { Game, Table } from "../play/table.ts";
import { handOver } from "../signing/binding.ts";
import type { SigningKey } from "../signing/key.ts";
import { keyOf } from "../signing/moves.ts";
import { handingOverWords } from "./handing_over_words.ts";

/** 64 hexadecimal digits (docs/format.md, "Signatures of seats"). */
const KEY = /^[0-9a-f]{64}$/;

/** Shows this browser's key, for the browser or program that has the seat's key to sign it. */
export function TakeOver() {
  const words = handingOverWords.value;
  const [shown, setShown] = useState(false);
  return (
    <details onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>{words.here}</summary>
      {shown && <OwnKey />}
    </details>
  );
}

function OwnKey() {
  const words = handingOverWords.value;
  const [asked, again] = useAsked(ownSigningKey, []);
  return (
    <Wait for={asked} again={again}>
      {({ public: key }) => (
        <>
          <p>{words.signThere}</p>
          <Copyable text={key} label={words.ownKey} />
        </>
      )}
    </Wait>
  );
}

/** Signs the key of another browser or program with that of the viewer's seats, if it is here. */
export function HandOver({ table, game }: { table: Table; game: Game }) {
  const words = handingOverWords.value;
  const held = useHeld(table, game);
  const [other, setOther] = useState("");
  const [refused, setRefused] = useState<string | null>(null);
  const key = other.trim().toLowerCase();
  const { busy, error, act } = useActing(async () => {
    for (const [seat, own] of held) await handOver(service, game.id, seat, own, key);
    setOther("");
    await table.refresh();
  });
  if (held.size === 0 || table.over.value) return null;
  return (
    <details class="signs">
      <summary>{words.elsewhere}</summary>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          setRefused(KEY.test(key) ? null : other);
          if (KEY.test(key)) void act();
        }}
      >
        <p>{words.signHere}</p>
        <label>
          {words.otherKey}
          <input
            value={other}
            autocomplete="off"
            spellcheck={false}
            aria-invalid={refused !== null}
            aria-describedby={refused === null ? undefined : "no-key"}
            onInput={(event) => setOther(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={busy} aria-busy={busy}>
          {words.hand}
        </button>
        {refused !== null && (
          <p id="no-key" class="failed" role="alert">
            {words.noKey(refused)}
          </p>
        )}
        {error !== null && <Failed error={error} />}
      </form>
    </details>
  );
}

/** The viewer's seats whose keys are in this browser, with these. */
function useHeld(table: Table, game: Game): ReadonlyMap<number, SigningKey> {
  const seats = table.own.value;
  const bound = seats.map((seat) => game.seats[seat]?.signing_key).join();
  const [held, setHeld] = useState<ReadonlyMap<number, SigningKey>>(new Map());
  useEffect(() => {
    let current = true;
    void Promise.all(seats.map(async (seat) => [seat, await keyOf(game, seat)] as const)).then(
      (found) => {
        const here = found.filter(
          (pair): pair is readonly [number, SigningKey] => pair[1] !== null,
        );
        if (current) setHeld(new Map(here));
      },
    );
    return () => {
      current = false;
    };
  }, [bound]);
  return held;
}
