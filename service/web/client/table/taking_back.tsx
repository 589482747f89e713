/** Taking back the viewer's newest move, while nothing has followed it. */

import { once, told } from "../api/client.ts";
import { api } from "../browser/service.ts";
import { keepReceipt } from "../identity/receipts.ts";
import { Doing } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import type { Table } from "../play/table.ts";

export function TakeBack({ table }: { table: Table }) {
  const frame = table.frame.value;
  const seat = frame?.state.seat ?? null;
  // Another service of the standard may have no ways back.
  const to = frame?.state.ways_back?.at(-1);
  if (seat === null || to === undefined || frame?.seq !== table.newest.value) return null;
  const takeBack = async () => {
    const { receipt, version } = await told(
      api.POST("/v1/games/{game_id}/take_backs", {
        params: { path: { game_id: table.id }, header: once() },
        body: { seat, to },
      }),
    );
    keepReceipt(table.id, receipt);
    table.played(version);
  };
  return (
    <p class="take-back">
      <Doing does={takeBack}>{phrases.value.takeBack}</Doing>
    </p>
  );
}
