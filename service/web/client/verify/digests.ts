// The functions that docs/format.md defines, under its names.

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { type Json, write } from "./json.ts";

export const FORMAT = "lonja/2";

const utf8 = new TextEncoder();

export const hex = bytesToHex;
export const unhex = hexToBytes;
export const joined = concatBytes;

/** SHA-256. */
export const H = (bytes: Uint8Array): Uint8Array => sha256(bytes);

/** HMAC-SHA256 of bytes under a key. */
export const M = (key: Uint8Array, bytes: Uint8Array): Uint8Array => hmac(sha256, key, bytes);

/** The canonical JSON bytes of a value. */
export const J = (value: Json): Uint8Array => utf8.encode(write(value));

/** The digest of a list that begins with the name of the format. */
export const marked = (label: string, ...rest: Json[]): Uint8Array =>
  H(J([FORMAT, label, ...rest]));

/** A derived key. */
export const K = (secret: Uint8Array, label: string, ...rest: Json[]): Uint8Array =>
  M(secret, J([FORMAT, label, ...rest]));

export const genesis = (id: string): string => hex(marked("genesis", id));

export const commitmentOf = (nonce: string, value: Json): string =>
  hex(H(joined(unhex(nonce), J(value))));

export const nonceOf = (salt: Uint8Array, seq: number, part: string, before: string): string =>
  hex(K(salt, "part", seq, part, before));

export const stateProof = (salt: Uint8Array, seq: number, before: string, state: Json): string =>
  hex(M(K(salt, "state", seq, before), J(state)));
