"""Evidence of every kind, as somebody weighs it who has the keys of the log."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rules.kernel.canonical import JsonObject
from service.auditing.evidence import in_log, signed_elsewhere, two_checkpoints
from service.records.evidence import NoEvidenceError, Proof, check, two_trees, weigh
from service.records.leaves import CREATED, HEAD, REWOUND, Leaf
from service.records.receipts import Signer
from service.tlog.merkle import consistency_proof
from service.tlog.reading import LogReader
from service.tlog.tiles import Tile, nodes_of
from tests.service.auditing.made import AT, KEYS, MadeLog
from tests.service.records.test_promises import AT as WHEN
from tests.service.records.test_promises import GAME, OTHER, TRUE, chain

SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(b"\7" * 32))


class Head(NamedTuple):
    """A head to sign."""

    id: str
    version: int
    head: bytes
    at: str = WHEN


def signed(seq: int, of: Sequence[JsonObject]) -> JsonObject:
    return SIGNER.head(Head(GAME, seq, bytes.fromhex(of[seq - 1]["hash"])))


def leaf(kind: str, seq: int, of: Sequence[JsonObject] = TRUE) -> Leaf:
    more = {"commitment": "0" * 64} if kind == CREATED else {}
    return Leaf(kind, GAME, seq, of[seq - 1]["hash"], more)


def logged(folder: Path, *leaves: Leaf) -> JsonObject:
    """Return these leaves of one log as evidence."""
    log = MadeLog(folder)
    log.add([Leaf(CREATED, f"g00-{'b' * 20}", 1, "1" * 64, {"commitment": "0" * 64}), *leaves])
    opened = log.sign()
    reader = LogReader(opened.checkpoint, log.read)
    proved = [(number, one, reader.proof(number)) for number, one in enumerate(leaves, 1)]
    return in_log("", bytes(opened.note), proved)


def weighed(found: JsonObject) -> Proof:
    return two_trees(found, KEYS.verifiers) or weigh(check(found, KEYS.verifiers))


def test_leaves_on_no_one_chain_prove_two_histories(tmp_path: Path) -> None:
    fork = logged(tmp_path / "fork", leaf(CREATED, 1), leaf(HEAD, 8), leaf(HEAD, 7))
    assert "goes back" in weighed(fork).why
    confessed = leaf(REWOUND, 8)._replace(more={"to": 1, "to_hash": TRUE[0]["hash"]})
    honest = leaf(CREATED, 1), leaf(HEAD, 8), confessed, leaf(HEAD, 7, OTHER)
    gone = confessed._replace(more={"to": 0})
    for leaves in ((), honest[:2], honest, (*honest[:2], gone)):
        with pytest.raises(NoEvidenceError, match="on one chain"):
            weighed(logged(tmp_path / str(len(leaves)), *leaves))
    strange = leaf(HEAD, 7)._replace(id=f"g00-{'c' * 20}")
    with pytest.raises(NoEvidenceError, match="several ids"):
        weighed(logged(tmp_path / "ids", leaf(CREATED, 1), strange))


def test_headers_that_contradict_a_leaf_prove_two_histories(tmp_path: Path) -> None:
    shown = logged(tmp_path / "log", leaf(CREATED, 1), leaf(HEAD, 9))
    key, before = SIGNER.public_key.hex(), OTHER[8]["hash"]
    elsewhere = signed_elsewhere(shown, signed(12, OTHER), key, before, OTHER[9:])
    assert "event 9 is" in weighed(elsewhere).why
    at_once = signed_elsewhere(shown, signed(9, OTHER), key, before, ())
    assert "event 9 is" in weighed(at_once).why
    true = signed_elsewhere(shown, signed(12, TRUE), key, TRUE[8]["hash"], TRUE[9:])
    wrong: list[tuple[str, JsonObject]] = [
        ("another hash", true),
        ("do not lead", {**elsewhere, "headers": elsewhere["headers"][:-1]}),
        ("do not lead", {**elsewhere, "before": "0" * 64}),
        ("no number", {**elsewhere, "headers": [{"seq": "10"}]}),
        ("is no hash", {**elsewhere, "before": "x"}),
        ("not signed with", {**elsewhere, "public_key": "0" * 64}),
    ]
    for why, found in wrong:
        with pytest.raises(NoEvidenceError, match=why):
            weighed(found)


def test_two_checkpoints_that_contradict_each_other_prove_it(tmp_path: Path) -> None:
    made = [leaf(HEAD, seq, chain(60, "moved")) for seq in range(2, 50)]
    log, other = MadeLog(tmp_path / "log"), MadeLog(tmp_path / "other")
    log.add(made[:20])
    other.add(made[20:40])
    small, forked = log.sign(AT), other.sign(AT + 1)
    log.add(made[20:])
    large, late = log.sign(AT), other.sign(AT + 1)
    notes = bytes(late.note), bytes(large.note)
    assert "went back" in weighed(two_checkpoints("", notes)).why

    def read(tile: Tile) -> bytes:
        return log.read(tile.path, 0) or b""

    size = large.checkpoint.size
    path = consistency_proof(20, size, nodes_of(size, read))
    root = small.checkpoint.root
    shown = two_checkpoints("", (bytes(forked.note), bytes(large.note)), root, path)
    assert "does not contain" in weighed(shown).why
    honest = two_checkpoints("", (bytes(small.note), bytes(large.note)), root, path)
    strange = KEYS.generate("example.org/log")
    wrong: list[tuple[str, JsonObject]] = [
        ("no other head", honest),
        ("not later", two_checkpoints("", (bytes(small.note), bytes(large.note)))),
        ("leads to", {**shown, "head": "0" * 64}),
        ("no other head", {**shown, "head": "x"}),
        ("and a path", {**shown, "path": None}),
        ("not two", {**shown, "checkpoints": shown["checkpoints"][:1]}),
        ("not signed by", {**shown, "checkpoints": [strange.signed(20, root, AT).decode()] * 2}),
    ]
    for why, found in wrong:
        with pytest.raises(NoEvidenceError, match=why):
            weighed(found)
    with pytest.raises(NoEvidenceError, match="two logs"):
        two_trees(
            {**shown, "checkpoints": [strange.signed(20, root, AT).decode(), notes[1].decode()]},
            [*KEYS.verifiers, *strange.verifiers],
        )
