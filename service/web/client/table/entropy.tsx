/** The entropy of a game: which seats bring it, and which have revealed it. */

import type { Schemas } from "../api/client.ts";
import type { Ruleset } from "../board/rulesets.ts";
import { language } from "../browser/language.ts";
import { seatName } from "../play/names.ts";
import type { Game } from "../play/table.ts";
import { Beacons } from "./beacons.tsx";
import { entropyWords } from "./entropy_words.ts";

/** The state of a seat's entropy before the start; nothing for seats without entropy. */
export function BringsEntropy({ seat, closed }: { seat: Schemas["TableSeat"]; closed: boolean }) {
  const words = entropyWords.value;
  if (!seat.entropy?.commitment) return null;
  const revealed = seat.entropy.revealed !== null;
  const state = revealed ? "revealed" : closed ? "awaited" : "brought";
  return (
    <small class="quiet" data-entropy={state}>
      {" "}
      · {words.entropyIs[state]}
    </small>
  );
}

/** The deadline for revealing entropy, and what happens when it passes. */
export function EntropyAwaited({ game }: { game: Game }) {
  const words = entropyWords.value;
  if (game.entropy_until === null) return null;
  const until = new Date(game.entropy_until).toLocaleTimeString(language.value);
  return (
    <p class="quiet" role="status">
      {game.entropy_mode === "lenient" ? words.startsWithout(until) : words.cancelledWithout(until)}
    </p>
  );
}

/** The seats that gave entropy to a game that has started; nothing for a game between bots. */
export function GaveEntropy({ game, ruleset }: { game: Game; ruleset: Ruleset }) {
  const words = entropyWords.value;
  if (!game.seats.some(({ holder }) => holder === "player")) return null;
  const list = new Intl.ListFormat(language.value);
  const brought = game.seats.filter(({ entropy }) => entropy?.commitment);
  const named = (revealed: boolean) =>
    list.format(
      brought
        .filter(({ entropy }) => (entropy?.revealed !== null) === revealed)
        .map(({ seat }) => seatName(game, ruleset, seat, language.value)),
    );
  const [given, withheld] = [named(true), named(false)];
  const { beacon } = game;
  const nobody = beacon?.drawn ? "" : words.nobodyGaveEntropy;
  return (
    <>
      {beacon && <Beacons>{({ BeaconTerms }) => <BeaconTerms {...{ game, beacon }} />}</Beacons>}
      <p class="quiet" data-entropy="given">
        {given ? words.gaveEntropy(given) : nobody}
        {withheld && ` ${words.withheldEntropy(withheld)}`}
      </p>
    </>
  );
}
