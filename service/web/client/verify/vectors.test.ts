// Tests with the vectors of docs/format.md, and with inputs that the strict reader refuses
// (`node --test`).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { randomness, roundAfter } from "./beacons.ts";
import { isSigned as isSignedByChain } from "./bls.ts";
import { hashOf } from "./chain.ts";
import { chanceKey, commitmentOfSeed, picksOf } from "./chance.ts";
import { commitmentOf, genesis, H, hex, J, marked, nonceOf, stateProof, unhex } from "./digests.ts";
import type { Event, Line } from "./events.ts";
import { type JsonObject, NotCanonical, read, write } from "./json.ts";
import { keyId, type Receipt, requestOf, signed, signedBy } from "./receipts.ts";
import { isSigned } from "./signatures.ts";
import { gameId, partAfter, saltOf, scopeOf, seedOf } from "./tournament/blocks.ts";

const FILE = new URL("../../../../docs/format_vectors.json", import.meta.url);
const vectors = JSON.parse(readFileSync(FILE, "utf8"));

test("canonical JSON", () => {
  for (const { value, json, sha256 } of vectors.canonical) {
    assert.equal(write(value), json);
    assert.equal(write(read(json)), json);
    assert.equal(hex(H(J(read(json)))), sha256);
  }
});

test("chance", () => {
  const { scope, chance_seed, commitment } = vectors.chance_commitment;
  assert.equal(commitmentOfSeed(scope, chance_seed), commitment);
  const { entropy, key } = vectors.chance_key;
  assert.equal(hex(chanceKey(chance_seed, scope, entropy)), key);
  for (const { key, label, n, sizes, picks } of vectors.draws)
    assert.deepEqual([...picksOf(unhex(key), label, n, sizes)], picks);
});

test("what a tournament draws", () => {
  const { tournament_id: id, scope, seed, commitment, entropy, key, games } = vectors.tournament;
  assert.equal(commitmentOfSeed(scope, seed), commitment);
  assert.equal(hex(chanceKey(seed, scope, entropy)), key);
  for (const { block: number, try: tried = 1, rotation, ...game } of games) {
    const block = { number, tried };
    assert.equal(gameId(id, block, rotation), game.game_id);
    const { luck = "block" } = game;
    assert.equal(scopeOf(scope, block, rotation, luck), game.scope);
    assert.equal(saltOf(unhex(key), block, rotation), game.salt_secret);
    assert.equal(seedOf(unhex(key), block, rotation, luck), game.chance_seed);
    assert.equal(commitmentOfSeed(game.scope, game.chance_seed), game.commitment);
  }
});

test("the next part", () => {
  const { tournament_id, head, id } = vectors.next_part;
  assert.equal(partAfter(tournament_id, head), id);
});

test("entropy", () => {
  for (const { game_id, seat, entropy, commitment } of vectors.entropy_commitments)
    assert.equal(hex(marked("entropy", game_id, seat, entropy)), commitment);
});

test("events", () => {
  const { game_id, salt_secret, genesis: first, chain } = vectors.events;
  const salt = unhex(salt_secret);
  assert.equal(genesis(game_id), first);
  let before = first;
  for (const event of chain) {
    for (const [part, value] of Object.entries<JsonObject>(event.body)) {
      assert.equal(nonceOf(salt, event.seq, part, before), event.nonces[part]);
      assert.equal(commitmentOf(event.nonces[part], value), event.parts[part]);
    }
    assert.equal(stateProof(salt, event.seq, before, event.state), event.state_proof);
    assert.equal(hashOf(event as Line, before), event.hash);
    before = event.hash;
  }
  const newest = before;
  for (const event of vectors.suspension.chain) {
    assert.equal(hashOf(event as Line, before), event.hash);
    before = event.hash;
  }
  before = newest;
  for (const event of vectors.taking_back.chain) {
    assert.equal(stateProof(salt, event.seq, before, event.state), event.state_proof);
    assert.equal(hashOf(event as Line, before), event.hash);
    before = event.hash;
  }
});

test("receipts", () => {
  for (const { batch, request, digest } of vectors.requests)
    assert.equal(requestOf(batch as Event[], request.idempotency_key), digest);
  const { public_key, signed: receipts, refused } = vectors.receipts;
  for (const { signed: text, receipt } of receipts) {
    assert.equal(new TextDecoder().decode(signed(receipt)), text);
    assert.equal(receipt.key_id, keyId(public_key));
    assert.ok(signedBy(receipt, public_key));
    for (const other of forged(receipt)) assert.ok(!signedBy(other, public_key));
  }
  for (const { why, receipt, public_key } of refused)
    assert.ok(!signedBy(receipt, public_key), why);
});

function* forged(receipt: Receipt): Generator<Receipt> {
  yield { ...receipt, seq: receipt.seq + 1 };
  yield { ...receipt, sig: `00${receipt.sig.slice(2)}` };
  // The same signature with the order of the group added to S; RFC 8032 refuses it.
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const swapped = (hexadecimal: string) => hex(unhex(hexadecimal).reverse());
  const s = BigInt(`0x${swapped(receipt.sig.slice(64))}`) + order;
  const other = swapped(s.toString(16).padStart(64, "0"));
  yield { ...receipt, sig: receipt.sig.slice(0, 64) + other };
}

test("signatures of seats", () => {
  const { signature_of_a_move, another_key } = vectors;
  for (const [label, { of, signed, sig, key, key_before }] of [
    ["move", signature_of_a_move],
    ["key", another_key],
  ] as const) {
    const message = J(["lonja/2", label, of]);
    assert.equal(new TextDecoder().decode(message), signed);
    assert.ok(isSigned(message, unhex(sig), unhex(key ?? key_before)));
  }
});

test("what is not canonical is refused, with its place", () => {
  const refused: readonly [string, string, number][] = [
    ['{"a":1,"a":2}', "json_twice", 8],
    ['{"b":1,"a":2}', "json_order", 8],
    ['{"A":1}', "json_key", 2],
    ['{"":1}', "json_key", 2],
    ['{"a": 1}', "json_syntax", 6],
    ['{"a":1', "json_syntax", 7],
    ["[1,]", "json_syntax", 4],
    ["[1.0]", "json_number", 2],
    ["[1e3]", "json_number", 2],
    ["[-0]", "json_number", 2],
    ["[01]", "json_number", 2],
    ["[9007199254740992]", "json_number", 2],
    ["[NaN]", "json_syntax", 2],
    ['"\\u0041"', "json_string", 1],
    ['"\\/"', "json_string", 1],
    ['"\\ud800"', "json_string", 1],
    ['"\\u000A"', "json_string", 1],
    ['"a', "json_string", 3],
    ["[[1],2] ", "json_syntax", 8],
    ["", "json_syntax", 1],
    ["[".repeat(100_000), "json_depth", 202],
  ];
  for (const [text, code, column] of refused)
    assert.throws(
      () => read(text),
      (error) => error instanceof NotCanonical && error.code === code && error.column === column,
      `${text.slice(0, 40)} should be ${code} in column ${column}`,
    );
});

test("a key is a key, whatever it means to JavaScript", () => {
  const value = read('{"__proto__":{"polluted":1},"constructor":2}') as JsonObject;
  assert.equal(value.constructor, 2);
  assert.equal(({} as { polluted?: number }).polluted, undefined);
  assert.equal(Object.getPrototypeOf(value), null);
  assert.equal(write(value), '{"__proto__":{"polluted":1},"constructor":2}');
});

test("beacons", () => {
  const { signature, randomness: value, chance_seed, scope, entropy } = vectors.beacon;
  assert.equal(randomness(signature), value);
  for (const [name, last] of [
    ["key", value],
    ["key_if_late", null],
  ])
    assert.equal(hex(chanceKey(chance_seed, scope, [...entropy, last])), vectors.beacon[name]);
  const { chains, round_after: rounds } = vectors.beacon;
  for (const { chain, closed_ms, round } of rounds)
    assert.equal(roundAfter(chains[chain], closed_ms), round);
});

test("signatures of beacons", () => {
  const { chains, rounds } = vectors.beacon;
  const looked = new Set();
  for (const { chain, round, signature, randomness: value } of rounds) {
    assert.equal(randomness(signature), value);
    // One of each chain, for this takes long.
    if (!looked.has(chain))
      assert.equal(isSignedByChain(chains[chain], round, unhex(signature)), true);
    looked.add(chain);
  }
  const { chain: name, round, signature } = rounds[0];
  const chain = chains[name];
  const signs = (told: object, number: number, bytes: string) =>
    isSignedByChain({ ...chain, ...told }, number, unhex(bytes));
  const zero = (length: number) => `c0${"00".repeat(length - 1)}`;
  assert.equal(signs({}, round + 1, signature), false);
  assert.equal(signs({}, round, `${signature.slice(0, -1)}b`), false);
  assert.equal(signs({}, round, signature.slice(2)), false);
  assert.equal(signs({ public_key: zero(96) }, round, zero(48)), false);
  assert.equal(signs({ scheme: "pedersen-bls-chained" }, round, signature), null);
});
