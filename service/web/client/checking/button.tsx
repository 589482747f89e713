/** A button that checks a record on its page; an address that ends with `#check` does the same. */

import { useEffect, useState } from "preact/hooks";
import { loading } from "../browser/release.ts";
import { useAsked, Wait } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import type { Checked } from "./panel.tsx";

const HERE = "#check";

/** The button is shown for finished games; the address `#check` works for running games, too. */
export function CheckThis(checked: Checked) {
  const [asked, setAsked] = useState(location.hash === HERE);
  useEffect(() => {
    const moved = () => {
      if (location.hash === HERE) setAsked(true);
    };
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  const words = phrases.value;
  if (asked)
    return (
      <section class="checking" aria-labelledby="checking">
        <h2 id="checking">{words.checkThis[checked.kind]}</h2>
        <Loaded {...checked} />
      </section>
    );
  if (!checked.over) return null;
  return (
    <p class="actions">
      <button type="button" onClick={() => setAsked(true)}>
        {words.checkThis[checked.kind]}
      </button>
    </p>
  );
}

function Loaded(checked: Checked) {
  const [asked, again] = useAsked(() => loading(() => import("./panel.tsx")), []);
  return (
    <Wait for={asked} again={again}>
      {({ Panel }) => <Panel {...checked} />}
    </Wait>
  );
}
