/** A folded form that creates something, such as a key or a webhook. */

import type { ComponentChildren } from "preact";
import { Failed, useActing } from "../parts/parts.tsx";
import { Folded } from "../play/folded.tsx";
import { accountWords } from "./words.ts";

export function Maker({
  summary,
  make,
  isReady = true,
  children,
}: {
  summary: string;
  make: () => Promise<unknown>;
  isReady?: boolean;
  /** The fields. */
  children: () => ComponentChildren;
}) {
  const { busy, error, act } = useActing(make);
  return (
    <Folded summary={summary}>
      {() => (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void act();
          }}
        >
          {children()}
          <button type="submit" class="main" disabled={busy || !isReady}>
            {accountWords.value.make}
          </button>
          {error !== null && <Failed error={error} />}
        </form>
      )}
    </Folded>
  );
}
