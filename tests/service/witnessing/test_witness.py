"""What a witness co-signs, and what it refuses: each rule of c2sp.org/tlog-witness."""

import sqlite3
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from service.tlog.checkpoints import Checkpoint, open_checkpoint
from service.tlog.keys import Algorithm, cosign, sign
from service.tlog.merkle import EMPTY_ROOT
from service.tlog.notes import Note
from service.tlog.policies import TrustPolicy
from service.tlog.private_keys import SigningKey
from service.tlog.submissions import SIZE_TYPE, Submission, cosignatures
from service.witnessing.rates import Rates
from service.witnessing.state import StateFile
from service.witnessing.witness import Answer, Witness
from tests.service.witnessing.strangers import StrangersLog

AT = 1_700_000_000


class House:
    """A witness of two logs, at a time that the test sets, and another witness beside it."""

    def __init__(self, path: Path, per_minute: int = 1000) -> None:
        self.now = float(AT)
        self.log = StrangersLog("example.org/log", entries=5)
        self.other = StrangersLog("example.org/other", entries=5)
        self.peer = SigningKey.generate("peer.example/w1", Algorithm.COSIGNATURE_V1)
        self.key = SigningKey.generate("here.example/w1", Algorithm.COSIGNATURE_V1)
        lines = f"log {self.log.key.verifier}", f"log {self.other.key.verifier}"
        policy = "\n".join([*lines, f"witness peer {self.peer.verifier}", "quorum none"])
        self.state = StateFile.make(path / "state", self.key.verifier)
        rates = Rates(per_minute, lambda: self.now)
        self.witness = Witness(
            TrustPolicy.parse(policy.encode()), self.key, self.state, rates, lambda: self.now
        )

    def ask(self, submission: Submission | bytes) -> Answer:
        return self.witness.add_checkpoint(bytes(submission))

    def add(self, old: int, size: int) -> Answer:
        return self.ask(self.log.submission(old, size))

    def seen_at(self, answer: Answer, note: bytes) -> int:
        """Return the time of the co-signature in an answer, after checking it."""
        assert answer.status == HTTPStatus.OK, answer
        parsed = Note.parse(note)
        whole = bytes(Note(parsed.text, (*parsed.signatures, *cosignatures(answer.body))))
        opened = open_checkpoint(whole, [self.log.key.verifier], [self.key.verifier])
        return opened.seen[self.key.verifier]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def _told(answer: Answer) -> tuple[int, bytes]:
    return answer.status.value, answer.body


def test_a_log_that_grows_is_co_signed(house: House) -> None:
    for old, size in ((0, 0), (0, 1), (1, 3), (3, 4), (4, 4), (4, 5)):
        house.now += 60
        answer = house.add(old, size)
        assert house.seen_at(answer, house.log.note(size)) == house.now
        seen = house.state.seen("example.org/log")
        assert seen is not None
        assert (seen.size, seen.root, seen.at) == (size, house.log.root(size), house.now)
    assert house.ask(house.other.submission(0)).status == HTTPStatus.OK


def test_a_first_checkpoint_needs_no_proof_and_has_none(house: House) -> None:
    with_proof = house.log.submission(3)._replace(old=0)
    assert _told(house.ask(with_proof)) == (
        422, b"nothing has to be proved of a tree without leaves\n",
    )  # fmt: skip
    assert house.add(0, 5).status == HTTPStatus.OK


def test_the_old_size_must_be_what_was_co_signed(house: House) -> None:
    assert house.add(0, 3).status == HTTPStatus.OK
    for old, size in ((0, 5), (2, 5), (4, 5), (0, 3), (0, 0), (2, 2)):
        answer = house.add(old, size)
        assert (answer.status, answer.body, answer.media_type) == (409, b"3\n", SIZE_TYPE)
    assert house.add(5, 4).status == HTTPStatus.BAD_REQUEST
    assert not house.state.refused()
    assert house.add(3, 5).status == HTTPStatus.OK


def test_other_logs_and_keys_are_refused(house: House) -> None:
    stranger = StrangersLog("example.org/unknown", entries=2)
    assert house.ask(stranger.submission(0)).status == HTTPStatus.NOT_FOUND
    impostor = StrangersLog("example.org/log", entries=2)
    assert house.ask(impostor.submission(0)).status == HTTPStatus.FORBIDDEN
    # under the name and id of the log's key, but made with another
    own = house.log.note(2)
    text = Note.parse(own).text
    false = sign(text, "example.org/log", impostor.key.private_key)
    false = false._replace(key_id=house.log.key.verifier.id)
    body = Submission(0, (), bytes(Note(text, (false,))))
    assert house.ask(body).status == HTTPStatus.FORBIDDEN
    # signed by another log that is known, in the name of this one
    wrong = sign(text, "example.org/other", house.other.key.private_key)
    body = Submission(0, (), bytes(Note(text, (wrong,))))
    assert house.ask(body).status == HTTPStatus.FORBIDDEN
    assert house.state.all_seen() == {}


def test_what_is_no_submission(house: House) -> None:
    whole = bytes(house.log.submission(0))
    for body in (
        b"", b"old 0\n\n", b"\n" + whole, whole[:-1], whole.replace(b"old 0", b"new 0"),
        whole.replace(b"\n5\n", b"\n05\n"), b"\xff" + whole, b"old 0\n" + whole,
    ):  # fmt: skip
        assert house.ask(body).status == HTTPStatus.BAD_REQUEST, body


def test_a_wrong_proof_is_refused_and_the_checkpoint_kept(house: House) -> None:
    assert house.add(0, 3).status == HTTPStatus.OK
    whole = house.log.submission(3, 5)
    for proof in (whole.proof[:-1], (*whole.proof, EMPTY_ROOT), (EMPTY_ROOT, *whole.proof[1:])):
        assert house.ask(whole._replace(proof=proof)).status == HTTPStatus.UNPROCESSABLE_ENTITY
    (refused,) = house.state.refused()  # the same checkpoint is kept once
    assert (refused.origin, refused.note) == ("example.org/log", whole.note)
    assert house.ask(whole).status == HTTPStatus.OK


def test_a_fork_is_refused_and_kept(house: House) -> None:
    assert house.add(0, 5).status == HTTPStatus.OK
    fork = house.log.fork(3, 4)
    same = fork.submission(5, 5)
    assert _told(house.ask(same)) == (422, b"this log has signed two trees of 5 leaves\n")
    assert house.ask(fork.submission(5, 7)).status == HTTPStatus.UNPROCESSABLE_ENTITY
    # kept even if it comes as one that follows on something else
    late = house.log.fork(1, 4).submission(2, 5)
    assert house.ask(late).status == HTTPStatus.CONFLICT
    kept = {one.note: one.why for one in house.state.refused()}
    assert len(kept) == 3
    assert kept[same.note] == kept[late.note] == "this log has signed two trees of 5 leaves"


def test_a_tree_without_leaves_has_one_head(house: House) -> None:
    text = Checkpoint("example.org/log", 0, b"\1" * 32).text
    signed = sign(text, "example.org/log", house.log.key.private_key)
    answer = house.ask(Submission(0, (), bytes(Note(text, (signed,)))))
    assert answer.status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert b"is not the head of a tree without leaves" in answer.body


def test_the_same_again_costs_no_write(house: House) -> None:
    first = house.add(0, 5)
    house.now += 9
    assert house.add(5, 5) == first
    house.now += 1
    again = house.add(5, 5)
    assert house.seen_at(again, house.log.note()) == AT + 10


def test_the_time_never_goes_back(house: House) -> None:
    house.add(0, 3)
    house.now -= 5
    assert house.seen_at(house.add(3, 4), house.log.note(4)) == AT
    house.now -= 1
    answer = house.add(4, 5)
    assert (answer.status, answer.retry_after) == (503, 60)
    assert b"clock of this witness is behind" in answer.body
    seen = house.state.seen("example.org/log")
    assert seen is not None
    assert (seen.size, seen.at) == (4, AT)


def test_new_checkpoints_have_a_rate_and_others_do_not(tmp_path: Path) -> None:
    house = House(tmp_path, per_minute=2)
    assert house.add(0, 1).status == HTTPStatus.OK
    assert house.add(0, 3).status == HTTPStatus.CONFLICT
    assert house.add(1, 2).status == HTTPStatus.OK
    answer = house.add(2, 3)
    assert (answer.status, answer.retry_after) == (429, 30)
    assert house.add(2, 2).status == HTTPStatus.OK
    assert house.ask(house.other.submission(0)).status == HTTPStatus.OK
    house.now += 30
    assert house.add(2, 3).status == HTTPStatus.OK


def test_it_shows_what_it_has_co_signed_with_signatures_that_it_knows(house: House) -> None:
    assert house.witness.checkpoint("example.org/log") is None
    text = Note.parse(house.log.note()).text
    stranger = SigningKey.generate("stranger.example", Algorithm.COSIGNATURE_V1)
    peers = [cosign(text, key.name, key.private_key, AT) for key in (house.peer, stranger)]
    broken = peers[0]._replace(value=b"\0" * 72)
    house.ask(Submission(0, (), house.log.note(5, *peers, broken)))
    shown = house.witness.checkpoint("example.org/log")
    assert shown is not None
    names = [one.name for one in Note.parse(shown).signatures]
    assert names == ["example.org/log", "peer.example/w1", "here.example/w1"]
    open_checkpoint(
        shown, [house.log.key.verifier], [house.peer.verifier, house.key.verifier]
    )  # and all are right


def test_nothing_is_answered_that_is_not_on_disk(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_values: Any) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr("service.witnessing.state.Decision.cosigned", fail)
    assert house.add(0, 5).status == HTTPStatus.SERVICE_UNAVAILABLE
    assert house.state.all_seen() == {}
