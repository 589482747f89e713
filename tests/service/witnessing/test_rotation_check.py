"""A witness follows a log to its new keys, and nobody else."""

import time
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

import httpcore
import orjson
import pytest

from service.tlog.checkpoints import Checkpoint
from service.tlog.keys import Algorithm, VerifierKey, sign
from service.tlog.notes import Note
from service.tlog.policies import TrustPolicy
from service.tlog.private_keys import SigningKey
from service.tlog.rotations import extensions, path_of
from service.tlog.submissions import cosignatures
from service.witnessing.process import OLD_STATE
from service.witnessing.rotation_check import RotationCheck
from tests.running import wait_for
from tests.service.cli.conftest import Lonja
from tests.service.witnessing.strangers import StrangersLog, send, served
from tests.service.witnessing.test_process import Place, _end
from tests.service.witnessing.test_witness import House

QUICK = """
import gevent.monkey; gevent.monkey.patch_all()
import sys
from service.witnessing import process
process.RETRY_SECONDS = 0.2
sys.exit(process.main())
"""


def rotated(log: StrangersLog, number: int = 1, by: SigningKey | None = None) -> VerifierKey:
    """Give a log another key, which its key (or ``by``) binds; return the new one."""
    old, new = by or log.key, SigningKey.generate(log.origin, Algorithm.ED25519)
    lines = extensions([old.verifier], [new.verifier])
    text = Checkpoint(log.origin, log.size, log.root(log.size), lines).text
    signed = (sign(text, log.origin, key.private_key) for key in (old, new))
    assert log.folder is not None
    file = log.folder / path_of(number)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(bytes(Note(text, tuple(signed))))
    log.key = new
    return new.verifier


@pytest.fixture
def house(tmp_path: Path) -> House:
    made = House(tmp_path)
    made.log.folder = tmp_path / "public"
    made.log.folder.mkdir()
    return made


def _named(house: House, url: str) -> RotationCheck:
    lines = f"log {house.log.key.verifier} {url}", "quorum none"
    house.witness.policy = TrustPolicy.parse("\n".join(lines).encode())
    return RotationCheck(house.witness)


def test_new_keys_that_old_ones_bind_are_taken(house: House) -> None:
    assert house.log.folder is not None
    with served(house.log.folder) as url:
        check = _named(house, url)
        assert house.add(0, 3).status == HTTPStatus.OK
        old, witness = house.log.key.verifier, house.witness
        new = rotated(house.log), rotated(house.log, 2)
        assert house.add(3, 4).status == HTTPStatus.FORBIDDEN
        check.ask()
        assert witness.keys_of(house.log.origin) == (old, *new)
        house.now += 60
        assert house.add(3, 4).status == HTTPStatus.OK
        kept = Note.parse(witness.checkpoint(house.log.origin) or b"")
        assert new[1].id in {one.key_id for one in kept.signatures}
        # The new key may fork no more than the old one.
        fork = house.log.fork(3, 3)
        assert house.ask(fork.submission(4)).status == HTTPStatus.UNPROCESSABLE_ENTITY
        # Nothing is asked again before somebody sends what no key has signed.
        rotated(house.log, 3)
        check.ask()
        assert len(witness.keys_of(house.log.origin)) == 3


def _by_a_thief_of_nothing(house: House) -> None:
    rotated(house.log, by=SigningKey.generate(house.log.origin, Algorithm.ED25519))


def _elsewhere(house: House) -> None:
    house.log.folder = Path(house.log.folder or "").with_name("elsewhere")
    rotated(house.log)


def _of_another_log(house: House) -> None:
    other = StrangersLog("example.org/third", house.log.folder, 2)
    rotated(other)
    house.log.key = SigningKey.generate(house.log.origin, Algorithm.ED25519)


def _damaged(house: House) -> None:
    rotated(house.log)
    (Path(house.log.folder or "") / path_of(1)).write_bytes(b"none\n")


@pytest.mark.parametrize("wrong", [_by_a_thief_of_nothing, _elsewhere, _of_another_log, _damaged])
def test_other_keys_are_not(house: House, wrong: Callable[[House], None]) -> None:
    folder = house.log.folder
    assert folder is not None
    with served(folder) as url:
        check = _named(house, url)
        wrong(house)
        assert house.add(0, 3).status == HTTPStatus.FORBIDDEN
        check.ask()
        assert house.add(0, 3).status == HTTPStatus.FORBIDDEN
        assert len(house.witness.keys_of(house.log.origin)) == 1


def test_a_log_that_does_not_answer_is_asked_at_its_next_word(house: House) -> None:
    check = _named(house, "http://127.0.0.1:9")
    rotated(house.log)
    assert house.add(0, 3).status == HTTPStatus.FORBIDDEN
    check.ask()
    assert house.witness.unsigned == set()
    assert house.add(0, 3).status == HTTPStatus.FORBIDDEN
    assert house.witness.unsigned == {house.log.origin}


@pytest.fixture
def place(lonja: Lonja, tmp_path: Path) -> Place:
    folder = tmp_path / "witness"
    made = lonja("witness", "new", folder, "--name", "here.example/w1", "--json")
    log = StrangersLog("example.org/log", tmp_path / "public", entries=3)
    return Place(folder, log, VerifierKey.parse(orjson.loads(made.stdout)["key"]))


def test_a_witness_that_runs_goes_on_when_its_log_has_new_keys(
    place: Place, tmp_path: Path
) -> None:
    log = place.log
    with served(tmp_path / "public") as url:
        place.name(url)
        with place.running(QUICK) as witness:
            assert send(witness, log.submission(0)).status == 200
            state = (place.folder / "state").read_bytes()
            rotated(log)
            log.grow(2)
            answers: list[httpcore.Response] = []

            def is_taken() -> bool:
                answers.append(send(witness, log.submission(3)))
                time.sleep(0.1)
                return answers[-1].status == 200

            wait_for(is_taken)
            assert answers[0].status == 403
            log.publish(*cosignatures(answers[-1].content))
        # One that was away follows at its start, and knows its own co-signature under the new key.
        (place.folder / "state").write_bytes(state)
        code, told = _end(place.folder)
        assert (code, "has co-signed 5 leaves" in told) == (OLD_STATE, True)
