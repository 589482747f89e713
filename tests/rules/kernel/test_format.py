"""Recomputes docs/format_vectors.json by docs/format.md only, and with the kernel."""

import base64
import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rules.kernel import canonical
from rules.kernel.contract import chance
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from rules.kernel.record import clocks, events, instants, requests, secrets
from rules.kernel.record.beacons import randomness, round_after, round_ms
from rules.kernel.record.game import Game, TableSeat
from service.records import game_file
from service.records.receipts import is_genuine
from service.tournaments import tournament
from service.tournaments.luck import Luck

VECTORS = json.loads((Path(__file__).parents[3] / "docs/format_vectors.json").read_text())


def j(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def h(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def m(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()


def k(secret: bytes, *path: object) -> bytes:
    return m(secret, j(["lonja/2", *path]))


def picks_by_the_page(key: bytes, label: str, n: int, sizes: list[int]) -> list[int]:
    d = k(key, "draw", label, n)
    picks: list[int] = []
    counter = 0
    while len(picks) < len(sizes):
        size = sizes[len(picks)]
        word = int.from_bytes(m(d, counter.to_bytes(4, "big"))[:8], "big")
        counter += 1
        if word < 2**64 - 2**64 % size:
            picks.append(word % size)
    return picks


def given(name: str) -> Any:
    return VECTORS[name]


def test_canonical_json() -> None:
    for vector in given("canonical"):
        assert j(vector["value"]).decode() == vector["json"]
        assert canonical.encode(vector["value"]).decode() == vector["json"]
        assert h(vector["json"].encode()).hex() == vector["sha256"]


def test_chance_commitment() -> None:
    v = given("chance_commitment")
    seed = bytes.fromhex(v["chance_seed"])
    assert h(j(["lonja/2", "chance", v["scope"], seed.hex()])).hex() == v["commitment"]
    assert chance.commitment(v["scope"], seed).hex() == v["commitment"]


def test_chance_key() -> None:
    v = given("chance_key")
    seed = bytes.fromhex(v["chance_seed"])
    assert m(seed, j(["lonja/2", "key", v["scope"], v["entropy"]])).hex() == v["key"]
    entropy = [None if e is None else bytes.fromhex(e) for e in v["entropy"]]
    assert chance.chance_key(seed, v["scope"], entropy).hex() == v["key"]


def test_draws() -> None:
    assert any("refused" in v["label"] for v in given("draws")), "no vector refuses a word"
    for v in given("draws"):
        key = bytes.fromhex(v["key"])
        assert picks_by_the_page(key, v["label"], v["n"], v["sizes"]) == v["picks"]
        assert list(chance.draw(key, v["label"], v["n"], v["sizes"])) == v["picks"]


def test_shuffle() -> None:
    v = given("shuffle")
    assert chance.shuffled(v["items"], v["picks"]) == v["order"]
    order = list(v["items"])
    for i, pick in zip(range(len(order) - 1, 0, -1), v["picks"], strict=True):
        order[i], order[pick] = order[pick], order[i]
    assert order == v["order"]


def test_entropy_commitment() -> None:
    for v in given("entropy_commitments"):
        wanted = h(j(["lonja/2", "entropy", v["game_id"], v["seat"], v["entropy"]])).hex()
        assert wanted == v["commitment"]
        entropy = bytes.fromhex(v["entropy"])
        assert secrets.entropy_commitment(v["game_id"], v["seat"], entropy).hex() == wanted


def test_event_chain() -> None:
    v = given("events")
    salt = bytes.fromhex(v["salt_secret"])
    head = h(j(["lonja/2", "genesis", v["game_id"]]))
    assert head.hex() == v["genesis"] == events.genesis(v["game_id"]).hex()
    drafts = []
    for e in v["chain"]:
        parts = {}
        for name, value in e["body"].items():
            nonce = k(salt, "part", e["seq"], name, head.hex())
            assert nonce.hex() == e["nonces"][name]
            parts[name] = h(nonce + j(value)).hex()
        assert parts == e["parts"]
        state_key = k(salt, "state", e["seq"], head.hex())
        assert m(state_key, j(e["state"])).hex() == e["state_proof"]
        names = ("seq", "kind", "by", "at", "last", "parts", "state_proof")
        head = h(head + j({name: e[name] for name in names}))
        assert head.hex() == e["hash"]
        body = {name: events.Part("public", value) for name, value in e["body"].items()}
        drafts.append(
            events.Draft(e["seq"], e["kind"], e["by"], body, canonical.encode(e["state"]), ())
        )
    sealed = events.seal(drafts, {}, bytes.fromhex(v["genesis"]), salt, v["chain"][0]["at"])
    assert [e.hash.hex() for e in sealed] == [e["hash"] for e in v["chain"]]
    assert [e.state_proof.hex() for e in sealed] == [e["state_proof"] for e in v["chain"]]


def test_suspension() -> None:
    """It continues the chain above, whose second event opens a decision of seat 0."""
    v, before = given("suspension"), given("events")
    salt = bytes.fromhex(before["salt_secret"])
    newest = before["chain"][-1]
    game = Game(before["game_id"], Registry(()))
    game.created = {"clock": {"decision_seconds": v["decision_seconds"]}}
    game.seats = [TableSeat({"player": "p-ana"})]
    game.asked, game.asked_at = {Seat(0): v["decision"]}, {Seat(0): v["asked_at"]}
    head = bytes.fromhex(newest["hash"])
    for e in v["chain"]:
        state_key = k(salt, "state", e["seq"], head.hex())
        assert m(state_key, j(newest["state"])).hex() == e["state_proof"]
        draft = events.Draft(
            e["seq"], e["kind"], e["by"], {}, canonical.encode(newest["state"]), ()
        )
        (event,) = events.seal([draft], {}, head, salt, e["at"])
        names = ("seq", "kind", "by", "at", "last", "parts", "state_proof")
        head = h(head + j({name: e[name] for name in names}))
        assert head.hex() == e["hash"] == event.hash.hex()
        game.apply(event)
    suspended, resumed, asked = (
        instants.to_ms(at) for at in (*(e["at"] for e in v["chain"]), v["asked_at"])
    )
    deadline = asked + 1_000 * v["decision_seconds"] + resumed - suspended
    assert instants.from_ms(deadline) == v["deadline"]
    assert clocks.seat_deadline(game, Seat(0)) == deadline


def test_taking_back() -> None:
    """It goes on from the chain above: a move, and an event that takes it back."""
    before = given("events")
    salt, newest = bytes.fromhex(before["salt_secret"]), before["chain"][-1]
    moved, undone = given("taking_back")["chain"]
    assert undone["body"]["undo"]["to"] == newest["seq"]
    assert undone["state"] == newest["state"] != moved["state"]
    head = bytes.fromhex(newest["hash"])
    for e in (moved, undone):
        parts = {}
        for name, value in e["body"].items():
            nonce = k(salt, "part", e["seq"], name, head.hex())
            assert nonce.hex() == e["nonces"][name]
            parts[name] = h(nonce + j(value)).hex()
        assert parts == e["parts"]
        state_key = k(salt, "state", e["seq"], head.hex())
        assert m(state_key, j(e["state"])).hex() == e["state_proof"]
        body = {name: events.public(value) for name, value in e["body"].items()}
        state = canonical.encode(e["state"])
        draft = events.Draft(e["seq"], e["kind"], e["by"], body, state, ())
        (event,) = events.seal([draft], {}, head, salt, e["at"])
        names = ("seq", "kind", "by", "at", "last", "parts", "state_proof")
        head = h(head + j({name: e[name] for name in names}))
        assert head.hex() == e["hash"] == event.hash.hex()


def test_bot_seed() -> None:
    v = given("bot_seed")
    salt = bytes.fromhex(v["salt_secret"])
    assert k(salt, "bot", v["seat"], v["decision"]).hex() == v["seed"]
    assert secrets.bot_seed(salt, v["seat"], v["decision"]) == int(v["seed"], 16)


def test_request_digest() -> None:
    for v in given("requests"):
        assert h(j(v["request"])).hex() == v["digest"]
        batch = [
            events.Event(
                seq, e["kind"], e["by"], "", seq,
                {name: events.public(value) for name, value in e["body"].items()}, b"", b"",
            )
            for seq, e in enumerate(v["batch"], 1)
        ]  # fmt: skip
        found = requests.request_digest(batch, v["request"]["idempotency_key"])
        assert found.hex() == v["digest"]


def test_receipts() -> None:
    v = given("receipts")
    private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(v["private_key"]))
    public = private.public_key().public_bytes_raw()
    assert public.hex() == v["public_key"]
    for signed in v["signed"]:
        unsigned = {name: x for name, x in signed["receipt"].items() if name != "sig"}
        assert unsigned["key_id"] == h(public).hex()[:16]
        assert j(["lonja/2", "receipt", unsigned]).decode() == signed["signed"]
        assert private.sign(signed["signed"].encode()).hex() == signed["receipt"]["sig"]
        assert is_genuine(signed["receipt"], public)


def test_refused_receipts() -> None:
    """Keys for which anybody can sign, and a signature on which lenient verifiers disagree."""
    for v in given("receipts")["refused"]:
        key = bytes.fromhex(v["public_key"])
        assert v["receipt"]["key_id"] == h(key).hex()[:16], "nothing else is wrong"
        assert not is_genuine(v["receipt"], key), v["why"]


def test_the_header_of_a_record() -> None:
    line = given("header")["line"]
    header = json.loads(line)
    assert j(header).decode() == line
    game_file.check_header(header)
    created = {name: header[name] for name in ("ruleset", "rules_version")}
    names = ("version", "status", "viewer", "receipt", "public_key")
    made = game_file.header(header["game_id"], created, *[header[name] for name in names])
    assert game_file.written(made).decode() == f"{line}\n", "a header has these fields and no other"
    assert is_genuine(header["receipt"], bytes.fromhex(header["public_key"]))


def test_what_a_tournament_draws() -> None:
    v = given("tournament")
    name, scope, seed = v["tournament_id"], v["scope"], bytes.fromhex(v["seed"])
    assert h(j(["lonja/2", "chance", scope, seed.hex()])).hex() == v["commitment"]
    key = m(seed, j(["lonja/2", "key", scope, v["entropy"]]))
    assert key.hex() == v["key"]
    entropy = [None if e is None else bytes.fromhex(e) for e in v["entropy"]]
    for game in v["games"]:
        number, rotation, try_ = game["block"], game["rotation"], game.get("try", 1)
        again = [] if try_ == 1 else [try_]
        place = f"block {number} rotation {rotation}" + "".join(f" try {n}" for n in again)
        known = h(j(["lonja/2", "game", name, place]))
        text = base64.b32encode(known[1:14]).decode().lower()[:20]
        assert f"g{known[0] % 64:02d}-{text}" == game["game_id"]
        block = tournament.Block(number, 1, (0, 1), try_)
        assert tournament.game_id(name, block, rotation) == game["game_id"]
        of = game.get("luck", "block")
        luck = Luck(scope, seed, entropy, of)
        own = [number, rotation, try_] if of == "game" else [number, *again]
        chance_seed = k(key, of, *own)
        assert chance_seed.hex() == game["chance_seed"]
        assert k(key, "salt", number, rotation, *again).hex() == game["salt_secret"]
        assert luck.secrets(block, rotation).chance_seed == chance_seed
        assert luck.secrets(block, rotation).salt.hex() == game["salt_secret"]
        assert game["scope"] == "/".join(map(str, [scope, *own]))
        opened = h(j(["lonja/2", "chance", game["scope"], chance_seed.hex()]))
        assert opened.hex() == game["commitment"]
    chosen = v["given_seed"]
    path = ["lonja/2", "tournament", chosen["seed"]]
    assert f"seed-{h(j(path)).hex()[:16]}" == chosen["scope"]
    assert h(j([*path, "salt"])).hex() == chosen["salt_secret"]
    assert h(j([*path, "chance"])).hex() == chosen["chance_seed"]


def test_the_next_part() -> None:
    v = VECTORS["next_part"]
    d = h(j(["lonja/2", "part", v["tournament_id"], v["head"]]))
    assert v["id"] == f"t{d[0] % 64:02d}-{base64.b32encode(d[1:14]).decode().lower()[:20]}"


def test_beacons() -> None:
    v = VECTORS["beacon"]
    assert h(bytes.fromhex(v["signature"])).hex() == v["randomness"]
    for name, last in (("key", v["randomness"]), ("key_if_late", None)):
        given = j(["lonja/2", "key", v["scope"], [*v["entropy"], last]])
        assert m(bytes.fromhex(v["chance_seed"]), given).hex() == v[name]
    for told in v["round_after"]:
        chain, ms, number = v["chains"][told["chain"]], told["closed_ms"], told["round"]
        assert round_after(chain, ms) == number
        assert number == 1 or round_ms(chain, number - 1) < ms + 30_000
        assert round_ms(chain, number) >= ms + 30_000
    for told in v["rounds"]:
        assert randomness(told["signature"]) == told["randomness"]


# Reserved parts, which nothing writes yet and only the page defines


def reserved(name: str) -> Any:
    return VECTORS["reserved"][name]


def test_signatures_of_seats() -> None:
    for name, label in (("signature_of_a_move", "move"), ("another_key", "key")):
        v = given(name)
        key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(v["private_key"]))
        assert j(["lonja/2", label, v["of"]]).decode() == v["signed"]
        assert key.sign(v["signed"].encode()).hex() == v["sig"]
        assert key.public_key().public_bytes_raw().hex() == v.get("key", v.get("key_before"))


def test_the_proof_that_travels() -> None:
    v = reserved("proof")
    assert j(["lonja/2", "leaf", v["leaf"]]).decode() == v["entry"]
    assert h(b"\0" + v["entry"].encode()).hex() == v["leaf_hash"]
    (left,) = v["path"]  # the last of three leaves
    assert (v["index"], v["tree_size"]) == (2, 3)
    root = h(b"\1" + bytes.fromhex(left) + bytes.fromhex(v["leaf_hash"]))
    assert root.hex() == v["root"]
    name = m(bytes.fromhex(v["pseudonym_key"]), j(["lonja/2", "pseudonym", v["game_id"]]))
    assert v["pseudonym"] == f"~{name.hex()}"
