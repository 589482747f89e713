/** Why something cannot be signed here. */
export class CannotSign extends Error {
  constructor(code: CannotSign["code"], language?: "en" | "es", cause?: unknown);
  /**
   * `insecure`: the page has no `crypto.subtle`, because it came without https. `no_ed25519`: the
   * browser is too old. `not_kept`: it cannot store a key. `elsewhere`: the seat has another key.
   */
  readonly code: "insecure" | "no_ed25519" | "not_kept" | "elsewhere";
}

/**
 * An Ed25519 key (RFC 8032) with which a player signs the moves of a seat. The private part is a
 * `CryptoKey`; one that this class makes cannot be read by any script.
 */
export class SigningKey {
  private constructor(pair: CryptoKeyPair, publicKey: string);
  /** The public key: 64 hexadecimal digits. */
  readonly public: string;
  /** The key of a pair of WebCrypto, for the algorithm `Ed25519`. */
  static of(pair: CryptoKeyPair): Promise<SigningKey>;
  /** A new key, which only this object holds; throws `CannotSign`. */
  static generate(language?: "en" | "es"): Promise<SigningKey>;
  /**
   * The key with a name that this browser keeps for the page's origin, in IndexedDB; a new one if
   * it has none with that name. Throws `CannotSign`, with a message in the language.
   */
  static kept(name: string, language?: "en" | "es"): Promise<SigningKey>;
  /** The key with this public part that the browser keeps for the page's origin; null if none. */
  static find(publicKey: string): Promise<SigningKey | null>;
  /** The field `signature` of `POST /v1/games/{game_id}/moves`. */
  move(signed: {
    readonly game_id: string;
    readonly seat: number;
    /** The id of the seat's open decision. */
    readonly decision: number;
    /** The `expected_head` of the request: the hash of the newest event that the player has seen. */
    readonly head: string;
    /** The move as the service lists it. */
    readonly move: object;
  }): Promise<{ decision: number; sig: string }>;
  /**
   * The field `sig` of `POST /v1/games/{game_id}/seats/{seat}/signing_key`, with which this key of a
   * seat hands over to another one; `head` is the hash of the game's newest event.
   */
  key(game_id: string, seat: number, head: string, other: SigningKey): Promise<string>;
}
