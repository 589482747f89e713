"""`lonja verify --log` with demands on witnesses, two hosts of one operator among them."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from redis import Redis

from service.publishing.folder import LogFiles
from service.redis.server import RedisServer
from service.tlog.keys import Algorithm, Signature, cosign
from service.tlog.notes import Note
from service.tlog.private_keys import SigningKey
from tests import running
from tests.running import ME
from tests.service.cli.conftest import Lonja
from tests.service.publishing import logs

AT = 1_790_000_000


def _witness(name: str) -> SigningKey:
    seed = Ed25519PrivateKey.from_private_bytes(sha256(name.encode()).digest())
    return SigningKey(f"{name}.example", Algorithm.COSIGNATURE_V1, seed)


ANA_1, ANA_2, BEA = map(_witness, ("ana-1", "ana-2", "bea"))


class Place:
    """A log that keeps the promise of a receipt, and what is asked of it."""

    def __init__(self, lonja: Lonja, path: Path, redis_server: RedisServer) -> None:
        self._lonja = lonja
        self._path = path
        runtime = running.runtime_on(redis_server.url)
        game_id = running.open_game(runtime, "sealed", ME, ME)
        receipt = runtime.signer.head(running.game(runtime, game_id))
        (path / "receipt.json").write_bytes(orjson.dumps(receipt))
        logs.build(runtime.ledger.store, path / "log")
        self.keys = LogFiles(path / "log").keys().verifiers
        self._words = (
            "verify", "--receipt", path / "receipt.json", "--log", path / "log",
            "--public-key", runtime.signer.public_key.hex(),
        )  # fmt: skip
        self.own = [word for key in self.keys for word in ("--log-key", key)]

    def co_sign(self, *witnesses: SigningKey, wrong: bool = False) -> None:
        file = self._path / "log/public/checkpoint"
        note = Note.parse(file.read_bytes())
        made: list[Signature] = []
        for number, one in enumerate(witnesses):
            signed = cosign(note.text, one.name, one.private_key, AT + number)
            made.append(signed._replace(value=bytes(72)) if wrong else signed)
        file.write_bytes(bytes(Note(note.text, (*note.signatures[:2], *made))))

    def policy(self, text: str) -> Path:
        file = self._path / "policy"
        file.write_text(text)
        return file

    def told(self, *words: Any, own: bool = True) -> Any:
        result = self._lonja(*self._words, *(self.own if own else ()), *words, "--json")
        found = orjson.loads(result.stdout)
        assert result.exit_code == {"kept": 0}.get(found["verdict"], 3)
        return found

    def said(self, *words: Any) -> str:
        return " ".join(self._lonja(*self._words, *self.own, *words).output.split())

    def refused(self, *words: Any) -> str:
        result = self._lonja(*self._words, *self.own, *words)
        assert result.exit_code == 2, result.output
        return " ".join(result.stderr.split())


@pytest.fixture
def place(lonja: Lonja, tmp_path: Path, redis_server: RedisServer, redis_client: Redis) -> Place:
    return Place(lonja, tmp_path, redis_server)


def _named(*witnesses: SigningKey) -> list[str]:
    return [word for one in witnesses for word in ("--witness-key", str(one.verifier))]


def test_without_a_witness_nobody_but_the_operator_saw_it(place: Place) -> None:
    assert place.told()["witnesses"] is None
    assert place.said().endswith(
        "Note: nobody but the operator saw this log: it may show others another one."
    )
    place.co_sign(ANA_1, BEA)
    assert place.told()["verdict"] == "kept"
    assert "has co-signatures of ana-1.example, bea.example; nobody vouches for" in place.said()


def test_the_keys_that_are_named_must_have_co_signed(place: Place) -> None:
    place.co_sign(ANA_1, BEA)
    found = place.told(*_named(ANA_1, BEA))
    assert found["verdict"] == "kept"
    assert found["witnesses"] == {
        "enough": True,
        "at": "2026-09-21T14:13:21.000Z",
        "seen": [
            {"name": "1", "key": str(ANA_1.verifier), "at": "2026-09-21T14:13:20.000Z"},
            {"name": "2", "key": str(BEA.verifier), "at": "2026-09-21T14:13:21.000Z"},
        ],
        "missing": [],
    }
    assert "Who asks for the same is shown no other one." in place.said(*_named(ANA_1, BEA))
    found = place.told(*_named(ANA_1, ANA_2))
    assert (found["verdict"], found["witnesses"]["missing"]) == ("unwitnessed", ["2"])
    assert (found["witnesses"]["enough"], found["witnesses"]["at"]) == (False, None)
    said = place.said(*_named(ANA_1, ANA_2))
    assert "Too few witnesses saw that the promise is kept. But for that: " in said
    assert "Too few witnesses: 1 at 2026-09-21T14:13:20.000Z saw it, but not 2." in said
    assert place.told(*_named(ANA_1, ANA_2), "--quorum", 1)["verdict"] == "kept"
    assert place.told(*_named(ANA_1, ANA_2, BEA), "--quorum", 3)["verdict"] == "unwitnessed"
    place.co_sign()
    assert "Too few witnesses: not 1." in place.said(*_named(ANA_1))


def test_a_policy_counts_hosts_of_one_operator_as_one(place: Place) -> None:
    policy = place.policy(
        f"log {place.keys[0]} https://games.example/log\n"
        f"witness ana-1 {ANA_1.verifier}\nwitness ana-2 {ANA_2.verifier}\n"
        f"witness bea {BEA.verifier}\ngroup ana any ana-1 ana-2\n"
        "group two 2 ana bea\nquorum two\n"
    )
    place.co_sign(ANA_1, ANA_2)
    found = place.told("--policy", policy)
    assert (found["verdict"], found["witnesses"]["missing"]) == ("unwitnessed", ["bea"])
    place.co_sign(ANA_2, BEA)
    # The key of the log is in the policy, too.
    found = place.told("--policy", policy, "--log-key", place.keys[1], own=False)
    assert (found["verdict"], found["witnesses"]["enough"]) == ("kept", True)
    assert found["log"]["at"] is not None


def test_a_policy_may_ask_for_nobody(place: Place) -> None:
    policy = place.policy("quorum none\n")
    assert place.told("--policy", policy)["witnesses"]["enough"]
    assert "nobody but the operator saw this log" in place.said("--policy", policy)


def test_what_is_wrong_with_the_demands_is_said(place: Place, lonja: Lonja, tmp_path: Path) -> None:
    key, policy = _named(ANA_1), ("--policy", place.policy("quorum none\n"))
    assert "either in the --policy or by --witness-key" in place.refused(*key, *policy)
    assert "either in the --policy" in place.refused("--quorum", 1, *policy)
    assert "names: name some" in place.refused("--quorum", 1)
    assert "of 1 witnesses, 2 cannot be the quorum" in place.refused(*key, "--quorum", 2)
    assert "is there twice" in place.refused(*key, *key)
    assert "is not a key of a witness" in place.refused("--witness-key", place.keys[0])
    assert "is no witness of itself" in place.refused("--witness-key", place.keys[1])
    assert "'x' is no verifier key" in place.refused("--witness-key", "x")
    place.policy("quorum nobody\n")
    assert "line 1: no line above names 'nobody'" in place.refused(*policy)
    place.policy(f"log {SigningKey.generate('other', Algorithm.ED25519).verifier}\nquorum none\n")
    assert "The policy names other logs than" in place.refused(*policy)
    place.co_sign(ANA_1, wrong=True)
    assert "the signature of ana-1.example" in place.refused(*key)
    alone = lonja("verify", tmp_path / "receipt.json", *key)
    assert "are for a --log: name it, too" in alone.stderr
