"""Who is asked at the start what a witness has co-signed, and again until there is an answer."""

from http import HTTPStatus
from pathlib import Path

import pytest

from service.tlog.keys import cosign
from service.tlog.notes import Note
from service.tlog.policies import TrustPolicy
from service.witnessing import state_check
from service.witnessing.errors import OldStateError
from service.witnessing.state_check import StateCheck
from tests.faults.processes import free_port
from tests.service.witnessing.strangers import served
from tests.service.witnessing.test_witness import House


@pytest.fixture
def house(tmp_path: Path) -> House:
    made = House(tmp_path)
    made.log.folder = tmp_path / "public"
    return made


def _named(house: House, url: str) -> None:
    lines = f"log {house.log.key.verifier} {url}", "quorum none"
    house.witness.policy = TrustPolicy.parse("\n".join(lines).encode())


def test_a_log_that_does_not_answer_is_asked_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_check, "SECONDS", 2.0)
    _named(house, f"http://127.0.0.1:{free_port()}")
    check = StateCheck(house.witness)
    assert not check.ask()
    assert house.witness.unasked == {house.log.origin}
    assert house.add(0, 5).status == HTTPStatus.SERVICE_UNAVAILABLE
    assert house.log.folder is not None
    with served(house.log.folder) as url:
        _named(house, url)
        check = StateCheck(house.witness)
        assert check.ask()  # there is no checkpoint yet
        assert house.witness.unasked == set()
        assert house.add(0, 5).status == HTTPStatus.OK


def test_what_proves_that_the_state_is_old(house: House) -> None:
    text = Note.parse(house.log.note()).text
    assert house.log.folder is not None
    house.log.folder.mkdir()

    def show(at: int, *, foreign: bool = False) -> None:
        key = house.peer if foreign else house.key
        house.log.publish(cosign(text, key.name, key.private_key, at))

    with served(house.log.folder) as url:
        _named(house, url)
        house.add(0, 5)
        newest = int(house.now)
        for at in (newest - 100, newest):
            show(at)
            assert StateCheck(house.witness).ask()
        show(newest + 1, foreign=True)
        assert StateCheck(house.witness).ask()
        show(newest + 1)  # the same tree, co-signed later than the state knows
        with pytest.raises(OldStateError, match=r"has co-signed 5 leaves of example\.org/log"):
            StateCheck(house.witness).ask()
        house.log.publish()
        (house.log.folder / "checkpoint").write_bytes(b"no checkpoint")
        assert StateCheck(house.witness).ask()
