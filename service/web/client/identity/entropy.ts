/**
 * Entropy that this browser brings to games: 32 bytes for each game, on which all luck of the game
 * then depends. The bytes are stored before the commitment is sent. When all seats are held, any
 * tab may reveal them.
 */

import { type Schemas, told } from "../api/client.ts";
import { Refusal } from "../api/problem.ts";
import { identity } from "../browser/identity.ts";
import { loading } from "../browser/release.ts";
import { api } from "../browser/service.ts";
import { forget, keepForGood, kept, namesOf } from "../browser/storage.ts";

type Game = Schemas["Game"];

/**
 * Entropy for which a commitment was sent: its game and seat (null if unknown when it was sent).
 */
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
 * A commitment to 32 new bytes, or to the bytes that were made for this seat before, so that a
 * repeated request has the same commitment. Null if the browser cannot store the bytes, because
 * then they could not be revealed later.
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

/**
 * The fields with a commitment for a request that takes a seat; game and seat are null while they
 * are unknown.
 */
export async function bringing(game: string | null, seat: number | null) {
  const commitment = await committed(game, seat);
  return commitment === null ? {} : { entropy_commitment: commitment };
}

/**
 * Reveals this browser's entropy for a game, if it is awaited, and forgets it after the game. What
 * another device has stored is not touched. Returns whether anything was revealed.
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
 * Reveals entropy. Every tab sends the same request, so all tabs get the same answer, in any order.
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

/** Reveals awaited entropy for tables that no tab shows. */
export async function revealAll(): Promise<void> {
  if (namesOf(ENTROPY).length === 0 || identity.peek() === null) return;
  const query = { player: "me", status: "closed" as const };
  const { games } = await told(api.GET("/v1/games", { params: { query } }));
  for (const { id } of games)
    await reveal(await told(api.GET("/v1/games/{game_id}", { params: { path: { game_id: id } } })));
}
