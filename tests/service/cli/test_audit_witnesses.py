"""`lonja audit` with demands on witnesses."""

import threading
from pathlib import Path
from typing import Any

import orjson
import pytest

from service.tlog.keys import cosign
from service.tlog.notes import Note
from service.tlog.private_keys import SigningKey
from tests.service.auditing.made import AT, MadeLog, created, game_id
from tests.service.cli.conftest import Lonja
from tests.service.cli.test_witnessed import ANA_1, ANA_2, BEA

POLICY = "\n".join(
    [f"witness {one.name} {one.verifier}" for one in (ANA_1, ANA_2, BEA)]
    + [f"group ana any {ANA_1.name} {ANA_2.name}", f"group both all ana {BEA.name}", "quorum both"]
)


class Place:
    """A log that grows, and an auditor with a policy."""

    def __init__(self, lonja: Lonja, folder: Path) -> None:
        self.lonja = lonja
        self.folder = folder
        self.policy = folder / "policy"
        self.policy.write_text(POLICY)
        (folder / "log").mkdir()
        self.log = MadeLog(folder / "log")
        self.grow()

    def grow(self) -> None:
        self.log.add([created(game_id(self.log.size))])
        self.log.sign(AT + self.log.size)

    def co_sign(self, *witnesses: SigningKey, wrong: bool = False) -> None:
        file = self.folder / "log" / "checkpoint"
        note = Note.parse(file.read_bytes())
        made = [cosign(note.text, one.name, one.private_key, AT + 100) for one in witnesses]
        made = [one._replace(value=bytes(72)) if wrong else one for one in made]
        file.write_bytes(bytes(Note(note.text, (*note.signatures, *made))))

    def words(self, *more: Any) -> list[Any]:
        keys = [word for key in self.log.verifiers for word in ("--log-key", key)]
        return ["audit", self.folder / "log", *keys, "--state", self.folder / "memory", *more]

    def told(self, *more: Any, exit_code: int = 0, wait: float = 0) -> Any:
        policy = "--policy", self.policy, "--wait", wait, "--json"
        result = self.lonja(*self.words(*policy, *more))
        assert result.exit_code == exit_code, result.output
        return orjson.loads(result.stdout)

    def said(self, *more: Any) -> str:
        return " ".join(self.lonja(*self.words("--wait", 0, *more)).output.split())


@pytest.fixture
def place(lonja: Lonja, tmp_path: Path) -> Place:
    return Place(lonja, tmp_path)


def test_an_audit_says_which_checkpoints_have_the_quorum(place: Place, tmp_path: Path) -> None:
    # Two hosts of one operator count as one.
    place.co_sign(ANA_1, ANA_2)
    page = place.told(exit_code=3)
    assert page["verdict"] == "not_all"
    assert page["witnesses"]["checkpoints"] == {"seen": 1, "enough": 0}
    assert (page["witnesses"]["enough"], page["witnesses"]["covered"]) == (False, None)
    assert "nobody but the operator saw this log, not bea.example" in page["unseen"][0]
    # A co-signature that comes later counts for the checkpoint that was seen.
    place.co_sign(BEA)
    page = place.told("--metrics", tmp_path / "prom")
    assert (page["verdict"], page["witnesses"]["checkpoints"]["enough"]) == ("clean", 1)
    assert page["witnesses"]["covered"]["size"] == 1
    assert "lonja_audit_quorum{" in (tmp_path / "prom").read_text()
    # Without it, what came since was seen by nobody else.
    place.grow()
    page = place.told(exit_code=3)
    assert page["witnesses"]["checkpoints"] == {"seen": 2, "enough": 1}
    assert page["witnesses"]["covered"]["size"] == 1
    assert "saw what the log has after entry 1" in page["unseen"][0]
    said = place.said("--policy", place.policy)
    assert "1 of the 2 checkpoints that you saw have the quorum." in said
    assert "they had seen the first 1 entries" in said
    assert "nobody but the operator saw this log" in place.said()


def test_an_audit_waits_for_witnesses(place: Place) -> None:
    def later() -> None:
        place.grow()
        place.co_sign(ANA_1, BEA)

    timer = threading.Timer(1.0, later)
    timer.start()
    try:
        page = place.told(wait=60)
    finally:
        timer.join()
    assert (page["log"]["read"], page["witnesses"]["covered"]["size"]) == (2, 2)
    assert [one["name"] for one in page["witnesses"]["seen"]] == [ANA_1.name, BEA.name]


def test_a_false_co_signature_counts_for_nothing(place: Place) -> None:
    place.co_sign(ANA_1, BEA, wrong=True)
    assert place.told(exit_code=3)["witnesses"]["seen"] == []
    place.log.sign(AT + 50)
    place.co_sign(ANA_1, BEA)
    assert place.told()["witnesses"]["enough"] is True
