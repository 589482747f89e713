/** What an element loads at a table where players sign their moves. */

import type { Game, Table } from "../play/table.ts";
import { bindUnsigned } from "../signing/binding.ts";
import { SigningKey } from "../signing/moves.ts";
import { KeyElsewhere } from "../signing/notice.tsx";
import { useLanguage } from "../words/languages.ts";
import { Failed } from "./embedded.tsx";
import { SeatTable } from "./seat.ts";

export { signed } from "../signing/moves.ts";

/** Says that the key of the viewer's seat is elsewhere; with a player's key, another one is bound. */
export function Signing({
  table,
  game,
  signingKey,
}: {
  readonly table: Table;
  readonly game: Game;
  /** The key that the page has brought. */
  readonly signingKey: SigningKey | null;
}) {
  const language = useLanguage();
  const { service } = table.viewer;
  const bind = async (seat: number) => {
    const name = `${service.url} ${game.seats[seat]?.player}`;
    const key = signingKey ?? (await SigningKey.kept(name, language));
    await bindUnsigned(service, game.id, seat, key);
  };
  return (
    <KeyElsewhere
      {...{ table, game }}
      own={signingKey}
      bind={table instanceof SeatTable ? null : bind}
      failed={(error) => <Failed error={error} />}
    />
  );
}
