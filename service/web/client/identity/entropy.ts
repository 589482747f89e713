/**
 * Entropy that this browser brings to games: 32 bytes for each game, on which all luck then
 * depends. The bytes are stored before the commitment is sent. When all seats are held, any tab
 * reveals them.
 */

import { type Schemas, told } from "../api/client.ts";
import { Refusal } from "../api/problem.ts";
import { identity } from "../browser/identity.ts";
import { loading } from "../browser/release.ts";
import { api } from "../browser/service.ts";
import { forget, keepForGood, kept, namesOf } from "../browser/storage.ts";

type Game = Schemas["Game"];

/** The entropy behind a commitment: its game and seat, null if unknown at the time. */
interface Brought {
  readonly entropy: string;
  readonly game: string | null;
  readonly seat: number | null;
  /** The time at which the entropy was made (Date.now). */
  readonly at: number;
}

/** Each entropy is stored under its own name, so that two tabs do not collide. */
const ENTROPY = "entropy:";
const KEPT_MS = 90 * 24 * 3600 * 1000;
const AWAITED: readonly Game["status"][] = ["lobby", "closed"];

/**
 * A commitment to 32 new bytes, or to those made for this seat before, so that a repeated request
 * has the same commitment. Null if the browser stores nothing, because entropy that cannot be
 * revealed later must not be committed to.
 */
async function committed(game: string | null, seat: number | null): Promise<string | null> {
  const now = Date.now();
  for (const name of namesOf(ENTROPY)) {
    const known = kept<Brought>(name);
    if (known === null || now - known.at > KEPT_MS) forget(name);
    else if (game !== null && known.game === game && known.seat === seat)
      return name.slice(ENTROPY.length);
  }
  const { hex, marked } = await loading(() => import("../verify/digests.ts"));
  const entropy = hex(crypto.getRandomValues(new Uint8Array(32)));
  const commitment = hex(marked("entropy", game, seat, entropy));
  const brought: Brought = { entropy, game, seat, at: now };
  return keepForGood(ENTROPY + commitment, brought) ? commitment : null;
}

/** The fields of a request for a seat; the game or the seat is null if unknown yet. */
export async function bringing(game: string | null, seat: number | null) {
  const commitment = await committed(game, seat);
  return commitment === null ? {} : { entropy_commitment: commitment };
}

/**
 * Reveal this browser's entropy for a game, if it is due, and forget it after the game. Entropy of
 * another device stays there. Returns whether anything was revealed.
 */
export async function reveal(game: Game): Promise<boolean> {
  let revealed = false;
  for (const { seat, player, entropy } of game.seats) {
    const commitment = entropy?.commitment ?? null;
    if (commitment === null || player === undefined || player !== identity.peek()?.id) continue;
    const known = kept<Brought>(ENTROPY + commitment);
    if (known === null) continue;
    if (!AWAITED.includes(game.status)) forget(ENTROPY + commitment);
    else if (game.status === "closed" && entropy?.revealed === null)
      revealed = (await opened(game.id, seat, commitment, known.entropy)) || revealed;
  }
  return revealed;
}

/**
 * Reveal an entropy. Every tab sends the same request, so all get the same answer, in any order.
 */
async function opened(game: string, seat: number, commitment: string, entropy: string) {
  try {
    await told(
      api.POST("/v1/games/{game_id}/seats/{seat}/entropy", {
        params: {
          path: { game_id: game, seat },
          header: { "Idempotency-Key": `reveal-${commitment}` },
        },
        body: { entropy },
      }),
    );
    return true;
  } catch (error) {
    // The service says that it is too late or too early to reveal: ignore it.
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Reveal due entropy at tables that no tab shows. */
export async function revealAll(): Promise<void> {
  if (namesOf(ENTROPY).length === 0 || identity.peek() === null) return;
  const query = { player: "me", status: "closed" as const };
  const { games } = await told(api.GET("/v1/games", { params: { query } }));
  for (const { id } of games)
    await reveal(await told(api.GET("/v1/games/{game_id}", { params: { path: { game_id: id } } })));
}
