// Ed25519 signatures (RFC 8032), verified so that all verifiers answer the same (docs/format.md,
// "Receipts"). Libraries differ in the keys that they take, and in whether they multiply by the
// cofactor; who chooses the key could then make signatures on which two of them disagree.

import { Point } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { hex, joined } from "./digests.ts";

const { n: ORDER } = Point.CURVE();

/** Throws if the key is no point of the curve, or something has another length. */
export function isSigned(
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  const key = Point.fromBytes(publicKey);
  if (key.isSmallOrder()) return false; // anybody can sign for it
  const [r, s] = [signature.slice(0, 32), littleEndian(signature.slice(32))];
  if (s >= ORDER) return false; // a second signature for the same message
  const k = littleEndian(sha512(joined(r, publicKey, message))) % ORDER;
  const expected = Point.BASE.multiply(s, false).subtract(key.multiply(k, false));
  return hex(expected.toBytes()) === hex(r);
}

const littleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${hex(bytes.reverse())}`);
