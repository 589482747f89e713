"""Who had seen that a table waited for its beacon: the proof, and what an operator may try with it.

The log is made here with keys of its own, so that leaves, trees and times are as each test says.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.remarks import BACKDATED, FORESEEN
from rules.kernel.record.beacons import round_ms
from rules.kernel.record.instants import to_ms
from service.beacons.chains import QUICKNET
from service.cli.verifying import VerifyOptions, verify_game
from service.publishing.keys import LogKeys
from service.records.closed import unchosen, waiting_heads
from service.records.game_file import Record
from service.records.leaves import CREATED, HEAD, Leaf, pseudonym
from service.tlog.keys import Algorithm, VerifierKey, cosign
from service.tlog.merkle import inclusion_proof, leaf_hash, root
from service.tlog.notes import Note
from service.tlog.policies import TrustPolicy
from service.tlog.private_keys import SigningKey
from service.tlog.tiles import Tile, nodes_of
from tests.beacons import CHAIN
from tests.service.cli import records
from tests.service.cli.test_verify import nth
from tests.service.verifier.honest import HOLDERS, STRICT_BEACON, Table, at_once
from tests.service.verifier.programs import codes, reports, text_of

LOG = LogKeys.generate("log.example/games")
ANA, BEA = (
    SigningKey.generate(f"{name}.example/w", Algorithm.COSIGNATURE_V1) for name in ("ana", "bea")
)
KEYS = *LOG.verifiers, ANA.verifier, BEA.verifier


class Tree:
    """A log of these leaves, one tree, which witnesses co-sign at times (s since 1970)."""

    def __init__(self, *leaves: Leaf) -> None:
        self.leaves = leaves
        self._hashes = [leaf_hash(leaf.entry) for leaf in leaves]

    def _row(self, _tile: Tile) -> bytes:
        return b"".join(self._hashes)

    def proof(self, index: int, at: int, seen: Sequence[tuple[SigningKey, int]]) -> JsonObject:
        size = len(self.leaves)
        note = Note.parse(LOG.signed(size, root(size, nodes_of(size, self._row)), at))
        more = [cosign(note.text, key.name, key.private_key, when) for key, when in seen]
        path = inclusion_proof(index, size, nodes_of(size, self._row))
        return {
            "leaf": self.leaves[index].to_json(),
            "index": index,
            "path": [hash_.hex() for hash_ in path],
            "checkpoint": bytes(note._replace(signatures=(*note.signatures, *more))).decode(),
        }


class Case(NamedTuple):
    """A game that waited for its round, of which a log has the heads that a test names."""

    record: Record
    out: int
    """When the round is out (s since 1970)."""

    @classmethod
    def honest(cls) -> "Case":
        table = Table("waits" * 4, HOLDERS["people"], STRICT_BEACON)
        at_once(table, 1, 2)
        table.reveal(0)
        out = round_ms(CHAIN.pinned(), table.game.round)
        draw = lambda batch: batch.draw_beacon(CHAIN.sign(batch.game.round))  # noqa: E731
        table.does(draw, after=(out - to_ms(table.game.at)) / 1000)
        table.plays_on()
        return cls(records.record_of(table), out // 1000)

    def leaf(self, kind: str, of: str = HEAD, **other: Any) -> Leaf:
        """Return the leaf of the first event of a kind."""
        copy = nth(self.record, kind)
        more = {"commitment": "0" * 64} if of == CREATED else {}
        leaf = Leaf(of, self.record.game_id, copy["seq"], copy["hash"], more)
        return leaf._replace(**other)

    def proved(self, head: Leaf, *seen: tuple[SigningKey, int]) -> Record:
        """Return the record with its proof: the log had ``head`` when witnesses co-signed it."""
        created = self.leaf("created", CREATED)
        last = self.leaf("ended", "ended")
        newest = self.record.copies[-1]
        last = last._replace(seq=newest["seq"], hash=newest["hash"])
        proof = Tree(created, head, last).proof(2, self.out + 9_000, [(ANA, self.out + 9_000)])
        closed = Tree(created, head).proof(1, self.out - 20, seen)
        header = {**self.record.header, "proof": {**proof, "closed": closed}}
        return self.record._replace(header=header)


CASE = Case.honest()
CLOSED = CASE.leaf("closed")


def said(
    record: Record, keys: Sequence[VerifierKey] = KEYS, policy: TrustPolicy | None = None
) -> Any:
    """Return what is wrong, and what `lonja verify` says of who could have chosen the seed."""
    report = verify_game(record, VerifyOptions(log_keys=keys, policy=policy), records.REGISTRY)
    wrong = [failure for check in report.checks for failure in check.failures]
    told = [note for note in report.notes if note == BACKDATED or "chose the seed" in note]
    assert FORESEEN in report.notes
    return wrong, told


def test_nobody_chose_the_seed_if_a_witness_had_seen_the_closed_table(tmp_path: Path) -> None:
    record = CASE.proved(CLOSED, (ANA, CASE.out - 1))
    wrong, (told,) = said(record)
    assert not wrong
    assert told.startswith("Nobody but whoever has the key of that chain chose the seed")
    assert "ana.example/w at " in told
    (theirs,) = reports(tmp_path, [text_of(record)])
    assert not codes(theirs, "failure"), theirs["findings"]
    assert "beacon_unknown" in codes(theirs)
    revealed = CASE.leaf("entropy_revealed")
    assert said(CASE.proved(revealed, (ANA, CASE.out - 1)))[1][0] == told


def test_under_a_pseudonym_only_who_had_a_receipt_knows_it() -> None:
    """The log may have any number of tables with this id, of which nobody else can tell."""
    key = "7" * 64
    name = pseudonym(bytes.fromhex(key), CASE.record.game_id)
    created = CASE.leaf("created", CREATED, id=name)
    head = CASE.leaf("closed", id=name, seq=2)
    last = Leaf("ended", name, 3, CASE.record.copies[-1]["hash"])
    proof = Tree(created, head, last).proof(2, CASE.out + 9_000, [])
    closed = Tree(created, head).proof(1, CASE.out - 20, [(ANA, CASE.out - 1)])
    whole = {**proof, "closed": closed, "pseudonym_key": key}
    wrong, (told,) = said(CASE.record._replace(header={**CASE.record.header, "proof": whole}))
    assert not wrong
    assert "chose the seed if you had a receipt of this table before" in told
    assert "could have prepared several tables" in told


def test_of_a_chain_that_is_known_nobody_chose_it() -> None:
    known = [dict(copy) for copy in CASE.record.copies]
    game = known[0]["body"]["game"]
    beacon = {**CHAIN.pinned(), "chain": QUICKNET.hash}
    known[0]["body"] = {"game": {**game, "entropy": {**game["entropy"], "beacon": beacon}}}
    told = unchosen(known, {ANA.verifier: CASE.out - 1}, None, is_public=True)
    assert told is not None
    assert told.startswith("Nobody chose the seed: the table was closed before the round was out")
    assert unchosen(known, {}, None, is_public=True) is None


def test_a_game_without_a_beacon_waits_for_none() -> None:
    record = records.record_of(records.with_entropy(0))
    assert not waiting_heads(record.copies)
    assert unchosen(record.copies, {ANA.verifier: 1}, None, is_public=True) is None


@pytest.mark.parametrize(
    "seen",
    [
        [],
        [(ANA, CASE.out)],
        [(ANA, CASE.out + 60)],
        [(SigningKey.generate("stranger.example", Algorithm.COSIGNATURE_V1), CASE.out - 9)],
    ],
    ids=["nobody", "at the round", "after the round", "a stranger"],
)
def test_otherwise_the_operator_could_have_dated_it_back(
    seen: list[tuple[SigningKey, int]], tmp_path: Path
) -> None:
    """His own keys date the checkpoint before the round; that is worth nothing."""
    record = CASE.proved(CLOSED, *seen)
    assert said(record) == ([], [BACKDATED])
    (theirs,) = reports(tmp_path, [text_of(record)])
    assert not codes(theirs, "failure")


def test_without_keys_nobody_vouches_for_a_witness() -> None:
    record = CASE.proved(CLOSED, (ANA, CASE.out - 1))
    assert said(record, ()) == ([], [BACKDATED])
    assert said(record, LOG.verifiers) == ([], [BACKDATED])


def test_a_policy_says_how_many_have_to_have_seen_it() -> None:
    one = CASE.proved(CLOSED, (ANA, CASE.out - 5), (BEA, CASE.out + 5))
    both = CASE.proved(CLOSED, (ANA, CASE.out - 5), (BEA, CASE.out - 4))
    keys = [ANA.verifier, BEA.verifier]
    for record, quorum, is_enough in ((one, 2, False), (one, 1, True), (both, 2, True)):
        wrong, (told,) = said(record, LOG.verifiers, TrustPolicy.of(keys, quorum))
        assert not wrong
        assert (told != BACKDATED) == is_enough
    asked = VerifyOptions(log_keys=LOG.verifiers, policy=TrustPolicy.of(keys, 2))
    notes = verify_game(both, asked, records.REGISTRY).notes
    assert any(note.startswith("Too few of the witnesses that you trust") for note in notes)


def _another_game() -> Leaf:
    return CLOSED._replace(id="g07-" + "zzzz" * 5)


Change = Callable[[JsonObject], None]
HEADS: dict[str, tuple[Leaf, str]] = {
    "another game's": (_another_game(), "waited"),
    "a made-up one": (CLOSED._replace(hash="0" * 64), "waited"),
    "before it was closed": (CASE.leaf("seated"), "waited"),
    "its creation": (CASE.leaf("created", CREATED), "waited"),
    "after the round": (CASE.leaf("beacon_drawn"), "waited"),
    "an end": (CASE.leaf("closed", "ended"), "waited"),
    "with another number": (CLOSED._replace(seq=CLOSED.seq + 1), "another number"),
}


def test_a_head_of_another_time_or_game_is_found_by_both(tmp_path: Path) -> None:
    found = [CASE.proved(head, (ANA, CASE.out - 9)) for head, _why in HEADS.values()]
    told = reports(tmp_path, map(text_of, found))
    for (name, (_head, why)), record, theirs in zip(HEADS.items(), found, told, strict=True):
        wrong, notes = said(record)
        assert [why in one for one in wrong] == [True], name
        assert notes == [BACKDATED]
        assert "proof_closed" in codes(theirs, "failure"), name


CHANGED: dict[str, tuple[Change, str, str]] = {
    "no path": (lambda closed: closed.update(path=[]), "too short", "proof_path"),
    "another place": (lambda closed: closed.update(index=0), "leaf 0", "proof_path"),
    "no note": (lambda closed: closed.update(checkpoint="none"), "no note", "proof_checkpoint"),
    "no index": (lambda closed: closed.pop("index"), "has not", "proof_shape"),
}


def test_a_damaged_proof_is_found_by_both(tmp_path: Path) -> None:
    for name, (change, why, code) in CHANGED.items():
        record = CASE.proved(CLOSED, (ANA, CASE.out - 9))
        change(record.header["proof"]["closed"])
        wrong, notes = said(record)
        assert [why in one for one in wrong] == [True], (name, wrong)
        assert notes == [BACKDATED]
        (theirs,) = reports(tmp_path, [text_of(record)])
        assert code in codes(theirs, "failure"), name


def test_a_checkpoint_of_another_log_counts_for_nothing() -> None:
    record = CASE.proved(CLOSED, (ANA, CASE.out - 9))
    other = LogKeys.generate("other.example/games").verifiers
    wrong, notes = said(record, [*other, ANA.verifier])
    assert any("has not signed" in one or "not signed by" in one for one in wrong)
    assert notes == [BACKDATED]
