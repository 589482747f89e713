/** Binding another key to a seat, without the signature of the one before. */

import { once, type Service, told } from "../api/client.ts";
import type { SigningKey } from "./key.ts";

/**
 * From then on, the record says for good that the service alone says who the seat is. Throws
 * `Refusal`.
 */
export async function bindUnsigned(
  { api }: Service,
  game: string,
  seat: number,
  key: SigningKey,
): Promise<void> {
  await told(
    api.POST("/v1/games/{game_id}/seats/{seat}/signing_key", {
      params: { path: { game_id: game, seat }, header: once() },
      body: { signing_key: key.public },
    }),
  );
}
