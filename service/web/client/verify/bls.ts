// Signatures of drand's chains (BLS12-381), of the schemes whose rounds stand for themselves
// (docs/format.md, "Beacons"). It is loaded only for records with such a signature.

import { bls12_381 } from "@noble/curves/bls12-381.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { IsSigned } from "./beacons.ts";
import { unhex } from "./digests.ts";

const { G1, G2, longSignatures, shortSignatures } = bls12_381;

/** By scheme: the kind of signature, and the groups of its keys and signatures. */
const SCHEMES = new Map([
  ["pedersen-bls-unchained", { kind: longSignatures, keys: G1.Point, signatures: G2.Point }],
  ["bls-unchained-g1-rfc9380", { kind: shortSignatures, keys: G2.Point, signatures: G1.Point }],
]);

export const isSigned: IsSigned = ({ scheme, public_key }, round, signature) => {
  const found = SCHEMES.get(scheme);
  if (found === undefined) return null;
  const number = new DataView(new ArrayBuffer(8));
  number.setBigUint64(0, BigInt(round));
  const digest = sha256(new Uint8Array(number.buffer));
  const { kind, keys, signatures } = found;
  const key = unhex(public_key);
  if (!isPoint(keys, key) || !isPoint(signatures, signature)) return false;
  return (kind.verify as Verify)(signature, (kind.hash as Hash)(digest), key);
};

type Verify = (signature: Uint8Array, point: unknown, key: Uint8Array) => boolean;
type Hash = (message: Uint8Array) => unknown;

interface Group {
  readonly BASE: { toBytes(): Uint8Array };
  fromBytes(bytes: Uint8Array): { is0(): boolean; isTorsionFree(): boolean; toBytes(): Uint8Array };
}

/** Whether bytes are a point of the group in its only compressed form, and not its zero. */
function isPoint(group: Group, bytes: Uint8Array): boolean {
  if (bytes.length !== group.BASE.toBytes().length) return false;
  try {
    const point = group.fromBytes(bytes);
    const same = point.toBytes().every((byte, index) => byte === bytes[index]);
    return same && !point.is0() && point.isTorsionFree();
  } catch {
    return false;
  }
}
