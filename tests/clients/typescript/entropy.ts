/**
 * Entropy for the luck of games (docs/format.md). It is stored in a file before the commitment is
 * sent.
 */

import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

const FOLDER = process.env["ENTROPY"] ?? ".";

/**
 * 32 random bytes for a seat, and the commitment to them; `null` stands for the id of a game that
 * is not open yet.
 */
export async function bring(game: string | null, seat: number) {
  const entropy = hex(crypto.getRandomValues(new Uint8Array(32)));
  const said = JSON.stringify(["lonja/2", "entropy", game, seat, entropy]);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(said));
  const commitment = hex(new Uint8Array(digest));
  const file = openSync(join(FOLDER, `entropy-${commitment}`), "wx", 0o600);
  writeSync(file, entropy);
  fsyncSync(file);
  closeSync(file);
  return { entropy, commitment };
}

const hex = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
