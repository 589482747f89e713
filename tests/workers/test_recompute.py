"""Bots decide again from the record: their moves and their failures."""

from typing import Any

import pytest

from rules.kernel.proof.verify import Check
from rules.kernel.record.batch import MISSING, TOO_SLOW
from service.cli import local
from service.records.game_file import Record
from tests.service.cli import records
from workers import bots
from workers.bots.bot import Choice
from workers.deciding import BotFailure, decide
from workers.recompute import check_bots

OWN = ["tests.bots.crashing", "tests.bots.cheating"]


@pytest.fixture
def _own_bots() -> None:
    bots.install(OWN)


def holder(name: str) -> dict[str, object]:
    return {"bot": name, "version": "1", "settings": {}}


def played(*names: str) -> local.LocalGame:
    """Play a game of ``sealed`` between bots; the rules answer for failed ones."""
    table = local.start(records.REGISTRY, "sealed", [*map(holder, names)], {}, "own bots")
    while not table.game.over:
        seat = min(table.game.asked)
        try:
            table.change(decide(table.game, seat, table.secrets.salt).record)
        except BotFailure as failure:
            table.change(lambda batch, f=failure, s=seat: f.record(batch, s))  # type: ignore[misc]
    return table


def asked_again(record: Record) -> Check:
    return check_bots(record.game_id, record.copies, records.REGISTRY)


def failures(record: Record) -> list[int]:
    return [n for n, event in enumerate(record.copies) if event["kind"] == "bot_failed"]


@pytest.mark.usefixtures("_own_bots")
@pytest.mark.parametrize(("name", "cause"), [("crashing", "crashed"), ("cheating", "illegal")])
def test_a_bot_that_failed_fails_again(name: str, cause: str) -> None:
    record = records.alone(records.record_of(played(name, "random")))
    found = failures(record)
    assert {record.copies[n]["body"]["failure"]["cause"] for n in found} == {cause}
    check = asked_again(record)
    assert (check.failures, check.skipped) == ([], "")
    other = "illegal" if cause == "crashed" else "crashed"
    record.copies[found[0]]["body"]["failure"]["cause"] = other
    (failure,) = asked_again(records.forge(record)).failures
    assert f"did not fail as {other}: there it fails as {cause}" in failure


@pytest.mark.parametrize("cause", ["crashed", "illegal"])
def test_a_failure_that_was_made_up_is_found(cause: str) -> None:
    record = records.finished("sealed")
    failed = record.copies[failures(record)[0]]
    failed["body"]["failure"]["cause"] = cause
    failed["body"]["bot"]["digest"] = bots.code_digest(records.REGISTRY, "sealed", "greedy", "2")
    (failure,) = asked_again(records.forge(record)).failures
    assert f"did not fail as {cause}: there it fails as nothing" in failure


@pytest.mark.parametrize("cause", [TOO_SLOW, MISSING])
def test_what_nobody_can_ask_again_is_counted(cause: str) -> None:
    record = records.finished("sealed")
    body = record.copies[failures(record)[0]]["body"]
    body["failure"]["cause"] = cause
    body["bot"]["digest"] = None if cause == MISSING else "cd" * 32
    check = asked_again(records.forge(record))
    assert (check.failures, check.skipped) == ([], "")
    assert check.notes == [f"Failures of bots that nobody can recompute: 1 {cause}."]


def test_code_that_is_not_here_is_no_failure() -> None:
    bots.install(OWN)
    table = played("crashing", "random")
    del bots.FUNCTIONS["crashing", "1"], bots.FUNCTIONS["cheating", "1"]
    check = asked_again(records.alone(records.record_of(table)))
    assert (check.ok, check.not_here) == (True, True)
    assert "there is no bot crashing@1" in check.skipped
    assert check.checked  # the other bot is installed


def test_a_bot_that_tells_nonsense_is_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise its game could not be proved."""
    original = bots.FUNCTIONS["random", "1"]

    def boasting(*arguments: object) -> Choice:
        choice = original(*arguments)  # type: ignore[arg-type]
        return Choice(choice.move, -1, {})

    functions: dict[Any, Any] = bots.FUNCTIONS
    monkeypatch.setitem(functions, ("random", "1"), boasting)
    table = local.start(records.REGISTRY, "sealed", [holder("random")] * 2, {}, "boasting")
    with pytest.raises(BotFailure, match="it counts -1 nodes"):
        decide(table.game, min(table.game.asked), table.secrets.salt)
