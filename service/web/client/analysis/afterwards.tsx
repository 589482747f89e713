/** The panels of a finished game; loaded when somebody first opens one. */

import type { Ruleset } from "../board/rulesets.ts";
import { loading } from "../browser/release.ts";
import { useAsked, Wait } from "../parts/parts.tsx";
import type { Table } from "../play/table.ts";

export function Afterwards({ table, ruleset }: { table: Table; ruleset: Ruleset }) {
  const played = table.over.value && table.frame.value?.state.state;
  return played ? <Loaded table={table} ruleset={ruleset} /> : null;
}

function Loaded({ table, ruleset }: { table: Table; ruleset: Ruleset }) {
  const [asked, again] = useAsked(() => loading(() => import("./panels.tsx")), []);
  return (
    <Wait for={asked} again={again}>
      {({ Panels }) => <Panels table={table} ruleset={ruleset} />}
    </Wait>
  );
}
