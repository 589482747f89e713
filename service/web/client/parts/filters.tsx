/** What lists and forms are narrowed by: a status, a ruleset. */

import type { Schemas } from "../api/client.ts";
import { phrases } from "../phrases/phrases.ts";

export type Rulesets = readonly Schemas["RulesetSummary"][];

/** Buttons of which one is pressed; `names` has what they say, by value. */
export function StatusFilter<Status extends string>({
  label,
  names,
  value,
  set,
}: {
  label: string;
  names: Readonly<Record<Status, string>>;
  value: Status;
  set: (status: Status) => void;
}) {
  return (
    <div role="group" aria-label={label}>
      {(Object.keys(names) as Status[]).map((name) => (
        <button key={name} type="button" aria-pressed={value === name} onClick={() => set(name)}>
          {names[name]}
        </button>
      ))}
    </div>
  );
}

/** One ruleset, or "" for all. */
export function RulesetFilter({
  games,
  value,
  set,
}: {
  games: Rulesets;
  value: string;
  set: (id: string) => void;
}) {
  const words = phrases.value;
  return (
    <select
      aria-label={words.game}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
    >
      <option value="">{words.allGames}</option>
      <RulesetOptions games={games} />
    </select>
  );
}

export function RulesetOptions({ games }: { games: Rulesets }) {
  return (
    <>
      {games.map((game) => (
        <option key={game.id} value={game.id}>
          {game.title}
        </option>
      ))}
    </>
  );
}
