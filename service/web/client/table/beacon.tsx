/** The beacon of a table: which round goes into the luck, when, and what it does not prevent. */

import type { Schemas } from "../api/client.ts";
import { language } from "../browser/language.ts";
import type { Game } from "../play/table.ts";
import { QUICKNET } from "../verify/quicknet.ts";
import { beaconWords } from "./beacon_words.ts";

type Beacon = Schemas["Beacon"];

const chainName = (chain: string): string =>
  chain === QUICKNET.chain ? "quicknet (League of Entropy)" : `${chain.slice(0, 16)}…`;

const timeOf = (at: string | null): string =>
  at === null ? "?" : new Date(at).toLocaleTimeString(language.value);

/** The terms of a beacon, and the round once it is known. */
export function BeaconTerms({ game, beacon }: { game: Game; beacon: Beacon }) {
  const words = beaconWords.value;
  const { chain, late, round, round_at, drawn } = beacon;
  const [name, at] = [chainName(chain), timeOf(round_at)];
  const says = () => {
    if (round === null) return `${words.goes(name)} ${words.ifLate[late]}`;
    if (drawn) return words.went(round, name, at);
    if (game.status !== "closed") return words.withoutIt(round, name);
    return `${words.awaited(round, name, at)} ${words.until[late](timeOf(game.entropy_until))}`;
  };
  return (
    <p class="quiet" data-beacon={drawn ? "drawn" : round === null ? "named" : "awaited"}>
      <span role="status">{says()}</span> <Foreseen />
    </p>
  );
}

/** The choice of what happens at a new table if the beacon is late. */
export function LateChoice({
  value,
  onChange,
}: {
  value: Beacon["late"];
  onChange: (late: Beacon["late"]) => void;
}) {
  const words = beaconWords.value;
  return (
    <>
      <label>
        {words.late}
        <select
          value={value}
          onChange={(event) => onChange(event.currentTarget.value as Beacon["late"])}
        >
          <option value="abort">{words.lateIs.abort}</option>
          <option value="start">{words.lateIs.start}</option>
        </select>
      </label>
      <p class="quiet">
        <Foreseen />
      </p>
    </>
  );
}

function Foreseen() {
  const words = beaconWords.value;
  return (
    <>
      {words.foreseen} <a href="/docs/proving#what-a-beacon-leaves-open">{words.more}</a>
    </>
  );
}
