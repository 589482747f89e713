/**
 * Keys with which a player signs the moves of a seat (docs/format.md, "Signatures of seats"). What
 * signs with such a key cannot read it: `extractable` is false. The service gets the public key and
 * signatures.
 */

import { type Json, write } from "../verify/json.ts";
import type { Language } from "../words/languages.ts";
import { CannotSign } from "./refusals.ts";
import { pairNamed, pairOf } from "./store.ts";

const ED25519 = "Ed25519";
const utf8 = new TextEncoder();

/** What a seat signs with a move. */
export interface SignedMove {
  readonly game_id: string;
  readonly seat: number;
  /** The id of the seat's open decision. */
  readonly decision: number;
  /** The hash of the newest event that the player has seen: the `expected_head` of the request. */
  readonly head: string;
  /** The move as the service lists it. */
  readonly move: object;
}

/** What others may know of a key. */
export interface PublicKey {
  /** 64 hexadecimal digits. */
  readonly public: string;
}

/** An Ed25519 key (RFC 8032) of a player. */
export class SigningKey {
  /** The public key: 64 hexadecimal digits. */
  readonly public: string;
  readonly #private: CryptoKey;

  private constructor(pair: CryptoKeyPair, publicKey: string) {
    this.#private = pair.privateKey;
    this.public = publicKey;
  }

  /** The key of a pair of WebCrypto. */
  static async of(pair: CryptoKeyPair): Promise<SigningKey> {
    const raw = await crypto.subtle.exportKey("raw", pair.publicKey);
    return new SigningKey(pair, hex(raw));
  }

  /** A new key, which only this object holds. Throws `CannotSign`. */
  static async generate(language?: Language): Promise<SigningKey> {
    return SigningKey.of(await generated(language));
  }

  /**
   * The key with a name that this browser keeps for the page's origin, in IndexedDB; a new one if it
   * has none with that name. Throws `CannotSign`, with a message in the `language`.
   */
  static async kept(name: string, language?: Language): Promise<SigningKey> {
    return SigningKey.of(
      await pairNamed(name, async () => {
        const pair = await generated(language);
        return { name, public: (await SigningKey.of(pair)).public, pair };
      }).catch((error: unknown) => {
        throw error instanceof CannotSign ? error : new CannotSign("not_kept", language, error);
      }),
    );
  }

  /** The key with this public part that the browser keeps for the page's origin; null if none. */
  static async find(publicKey: string): Promise<SigningKey | null> {
    const pair = await pairOf(publicKey).catch(() => null);
    return pair && SigningKey.of(pair);
  }

  /** The field `signature` of a move. */
  async move(signed: SignedMove): Promise<{ decision: number; sig: string }> {
    const { game_id, seat, decision, head, move } = signed;
    return { decision, sig: await this.#sign("move", { decision, game_id, head, move, seat }) };
  }

  /** The field `sig` with which this key hands a seat over to the key `other` at the game's head. */
  key(game_id: string, seat: number, head: string, other: PublicKey): Promise<string> {
    return this.#sign("key", { game_id, head, key: other.public, seat });
  }

  async #sign(label: string, value: object): Promise<string> {
    const message = utf8.encode(write(["lonja/2", label, value as Json]));
    return hex(await crypto.subtle.sign(ED25519, this.#private, message));
  }
}

async function generated(language?: Language): Promise<CryptoKeyPair> {
  if (!globalThis.crypto?.subtle) throw new CannotSign("insecure", language);
  try {
    return (await crypto.subtle.generateKey(ED25519, false, ["sign", "verify"])) as CryptoKeyPair;
  } catch (error) {
    throw new CannotSign("no_ed25519", language, error);
  }
}

function hex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
