import assert from "node:assert/strict";
import { test } from "node:test";
import { J, unhex } from "../verify/digests.ts";
import { isSigned } from "../verify/signatures.ts";
import { SigningKey } from "./key.ts";
import { CannotSign } from "./refusals.ts";

const ED25519 = "Ed25519";
const move = { type: "drive_car", steps: 3, to: ["caf\u00e9"] };
const told = { game_id: "g1", seat: 1, decision: 7, head: "5a".repeat(32), move };

test("a key signs a move as the verifier checks it", async () => {
  const key = await SigningKey.generate();
  assert.match(key.public, /^[0-9a-f]{64}$/);
  const { decision, sig } = await key.move(told);
  assert.equal(decision, 7);
  const message = J(["lonja/2", "move", { ...told }]);
  assert.ok(isSigned(message, unhex(sig), unhex(key.public)));
  assert.ok(!isSigned(J(["lonja/2", "move", { ...told, seat: 0 }]), unhex(sig), unhex(key.public)));
});

test("a key hands over to another one", async () => {
  const [one, other] = await Promise.all([SigningKey.generate(), SigningKey.generate()]);
  const sig = await one.key("g1", 1, told.head, other);
  const value = { game_id: "g1", head: told.head, key: other.public, seat: 1 };
  assert.ok(isSigned(J(["lonja/2", "key", value]), unhex(sig), unhex(one.public)));
});

test("a program brings a pair of its own", async () => {
  const pair = (await crypto.subtle.generateKey(ED25519, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const jwk = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const key = await SigningKey.of(pair);
  assert.equal(key.public, Buffer.from(jwk.x ?? "", "base64url").toString("hex"));
});

test("what is missing is named", async (t) => {
  t.mock.method(crypto.subtle, "generateKey", () =>
    Promise.reject(new DOMException("no", "NotSupportedError")),
  );
  const refused = (code: string, message: RegExp) => (error: unknown) =>
    error instanceof CannotSign && error.code === code && message.test(error.message);
  await assert.rejects(SigningKey.generate(), refused("no_ed25519", /lacks Ed25519: Chromium/));
  await assert.rejects(SigningKey.generate("es"), refused("no_ed25519", /le falta Ed25519/));
  await assert.rejects(SigningKey.kept("ana"), refused("not_kept", /no IndexedDB/));
  t.mock.getter(crypto, "subtle", () => undefined);
  await assert.rejects(SigningKey.generate(), refused("insecure", /https/));
});
