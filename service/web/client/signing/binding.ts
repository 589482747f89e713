/** Binding another key to a seat, with or without the signature of the one before. */

import { once, type Service, told } from "../api/client.ts";
import { codeOf } from "../api/problem.ts";
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

/** So often is a head signed again because the game went on meanwhile. */
const TRIES = 5;

/**
 * Binds the public key `other` to a seat, signed by the `key` that the seat has: the record shows
 * that both are of one player. Throws `Refusal`.
 */
export async function handOver(
  { api }: Service,
  game: string,
  seat: number,
  key: SigningKey,
  other: string,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const path = { game_id: game, seat };
    const { hash } = await told(api.GET("/v1/games/{game_id}/head", { params: { path } }));
    const body = {
      signing_key: other,
      sig: await key.key(game, seat, hash, { public: other }),
      expected_head: hash,
    };
    try {
      await told(
        api.POST("/v1/games/{game_id}/seats/{seat}/signing_key", {
          params: { path, header: once() },
          body,
        }),
      );
      return;
    } catch (error) {
      if (codeOf(error) !== "stale_head" || tries === TRIES) throw error;
    }
  }
}
