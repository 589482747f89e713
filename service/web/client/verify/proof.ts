// The proof that travels with a record: a public log has its last event (docs/format.md). Who signed
// that log is not judged here, because nobody has its keys; `lonja verify --log-key` does.

import { FORMAT, H, hex, J, joined, M, unhex } from "./digests.ts";
import type { Findings, Place } from "./findings.ts";
import type { Json } from "./json.ts";
import { readOpen } from "./newer.ts";
import { digest, fields, integer, list, Misfit, type Of, oneOf, pattern } from "./shapes.ts";

const INCLUDED = {
  leaf: fields(
    {
      kind: oneOf("created", "head", "ended", "aborted"),
      id: pattern(/^([gt][0-9]{2}-[a-z2-7]{20}|~[0-9a-f]{64})$/),
      seq: integer(1),
      hash: digest,
    },
    { commitment: digest, scope: pattern(/^[gt][0-9]{2}-[a-z2-7]{20}$/), sound: integer(0) },
  ),
  index: integer(0),
  path: list(digest, 64),
  checkpoint: pattern(/^[\s\S]{1,262144}$/),
};
const LEAF_IN_TREE = fields(INCLUDED);
const PROOF = fields(INCLUDED, { pseudonym_key: digest, closed: LEAF_IN_TREE });
type Included = Of<typeof LEAF_IN_TREE>;
type Proof = Of<typeof PROOF>;

/** What a record says of itself and of its last event. */
interface Last {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly hash: string;
  /** The events at which the game waited for its beacon: their numbers, by their hashes. */
  readonly waiting?: ReadonlyMap<string, number>;
}

/** A signed head of a log: its name, size and root, and the names of those who signed. */
interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
  readonly signers: readonly string[];
  /** When the log's own key of the time signed, in seconds since 1970; null if it did not. */
  readonly at: number | null;
}

export function checkProof(value: Json, last: Last, place: Place, told: Findings): void {
  try {
    const proof = readOpen(PROOF, value, "$.proof", (path, name) =>
      told.unknown(place, path, name),
    );
    check(proof, last, place, told);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    told.add("proof_shape", place, { path: error.path, found: error.found });
  }
}

function check(proof: Proof, last: Last, place: Place, told: Findings): void {
  const { leaf } = proof;
  const name = nameOf(last.id, proof.pseudonym_key);
  const counts = proof.pseudonym_key !== undefined;
  if (
    leaf.id !== name ||
    leaf.kind !== kindOf(last) ||
    leaf.hash !== last.hash ||
    (!counts && leaf.seq !== last.version)
  )
    return told.add("proof_leaf", place, { found: leaf.id });
  const tree = treeOf(proof, place, told);
  if (proof.closed) checkClosed(proof.closed, name, last, place, told);
  if (tree === null) return;
  const { origin, size, signers, at } = tree;
  const time = at === null ? "?" : new Date(at * 1000).toISOString();
  told.add("proof_fits", place, { origin, size, at: time });
  const others = signers.filter((signer) => signer !== origin && signer !== `${origin}/time`);
  if (others.length === 0) told.add("proof_alone", place);
  else told.add("proof_seen", place, { names: [...new Set(others)].sort().join(", ") });
}

/** Checks that a log had the game while it waited for its beacon; who saw that is not told here. */
function checkClosed(
  proof: Included,
  name: string,
  { id, waiting }: Last,
  place: Place,
  told: Findings,
): void {
  const { leaf } = proof;
  const seq = waiting?.get(leaf.hash);
  const fits = leaf.id === name && leaf.kind === "head" && seq !== undefined;
  if (fits && (name !== id || leaf.seq === seq)) treeOf(proof, place, told);
  else told.add("proof_closed", place, { found: leaf.id });
}

/** The checkpoint to whose head the path of a leaf leads; otherwise null, and a finding. */
function treeOf(proof: Included, place: Place, told: Findings): Checkpoint | null {
  const { leaf, index, path } = proof;
  const tree = read(proof.checkpoint);
  const entry = J([FORMAT, "leaf", { ...leaf }]);
  const head = tree && headOf(H(joined(LEAF, entry)), index, tree.size, path.map(unhex));
  if (tree === null) told.add("proof_checkpoint", place);
  else if (head === null || hex(head) !== hex(tree.root))
    told.add("proof_path", place, { origin: tree.origin });
  else return tree;
  return null;
}

const nameOf = (id: string, key: string | undefined): string =>
  key === undefined ? id : `~${hex(M(unhex(key), J([FORMAT, "pseudonym", id])))}`;

const kindOf = ({ status, version }: Last): string => {
  if (version === 1) return "created";
  if (status === "cancelled") return "aborted"; // a tournament
  return status === "ended" || status === "aborted" ? status : "head";
};

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** The head to which an inclusion path leads (RFC 9162, 2.1.3.2); null if it fits no such tree. */
function headOf(
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): Uint8Array | null {
  if (index >= size) return null;
  let found = BigInt(index);
  let last = BigInt(size - 1);
  let head = leaf;
  for (const hash of path) {
    if (last === 0n) return null;
    if (found % 2n === 1n || found === last) {
      head = H(joined(NODE, hash, head));
      while (found % 2n === 0n && found !== 0n) {
        found /= 2n;
        last /= 2n;
      }
    } else head = H(joined(NODE, head, hash));
    found /= 2n;
    last /= 2n;
  }
  return last === 0n ? head : null;
}

const SIGNATURE = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/;
const TIMED = 4 + 8 + 64;

/** Reads a signed note (c2sp.org/tlog-checkpoint); null if it is none. */
function read(note: string): Checkpoint | null {
  try {
    return parsed(note);
  } catch {
    return null; // a signature is not base64
  }
}

function parsed(note: string): Checkpoint | null {
  const end = note.lastIndexOf("\n\n");
  if (end < 0 || !note.endsWith("\n")) return null;
  const [origin, size, root, ...more] = note.slice(0, end).split("\n");
  if (!origin || !size || !root || more.includes("")) return null;
  if (!/^(0|[1-9][0-9]{0,15})$/.test(size) || !/^[A-Za-z0-9+/]{43}=$/.test(root)) return null;
  const lines = note.slice(end + 2, -1).split("\n");
  const signatures = lines.map((line) => SIGNATURE.exec(line));
  if (signatures.some((found) => found === null)) return null;
  const signed = signatures.map((found) => ({
    name: found?.[1] ?? "",
    bytes: base64(found?.[2] ?? ""),
  }));
  const timed = signed.find(({ name }) => name === `${origin}/time`)?.bytes;
  return {
    origin,
    size: Number(size),
    root: base64(root),
    signers: signed.map(({ name }) => name),
    at: timed?.length === TIMED ? Number(new DataView(timed.buffer).getBigUint64(4)) : null,
  };
}

const base64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
