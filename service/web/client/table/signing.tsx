/** The signatures of a table: what they are worth, and the binding of another key. */

import { service } from "../browser/service.ts";
import { ownSigningKey } from "../identity/signing_key.ts";
import { Failed } from "../parts/parts.tsx";
import type { Game, Table } from "../play/table.ts";
import { bindUnsigned } from "../signing/binding.ts";
import { KeyElsewhere as Elsewhere } from "../signing/notice.tsx";
import { TakeOver } from "./handing_over.tsx";

export { PlayersSign } from "../signing/notice.tsx";
export { HandOver } from "./handing_over.tsx";

/** Says that this browser lacks the key of a seat of its player, and binds another one. */
export function KeyElsewhere({ table, game }: { table: Table; game: Game }) {
  return (
    <Elsewhere
      {...{ table, game }}
      bind={async (seat) => bindUnsigned(service, game.id, seat, await ownSigningKey())}
      failed={(error) => <Failed error={error} />}
    >
      <TakeOver />
    </Elsewhere>
  );
}
