"""Lines of a log: each is told as its kind declares."""

import pytest

from rules.kernel.contract.effects import EffectLog, Effects
from rules.kernel.contract.fields import Index, Numbered
from rules.kernel.contract.seats import Seat

EFFECTS = Effects()
PLACED = EFFECTS.declare("placed", ware=Index(("rum", "wood")), space=Numbered(3))


def test_a_line_is_told_as_declared() -> None:
    log = EffectLog()
    PLACED.tell(log, ware=1, space=0)
    PLACED.tell(log, audience="seat:1", ware=0, space=2)
    assert [tuple(effect) for effect in log.effects] == [
        ("placed", {"ware": "wood", "space": 1}, "public"),
        ("placed", {"ware": "rum", "space": 3}, "seat:1"),
    ]


def test_without_a_log_nothing_is_told() -> None:
    PLACED.tell(None, ware=1, space=0)


def test_a_line_has_the_values_that_are_declared() -> None:
    with pytest.raises(TypeError, match="placed tells"):
        PLACED.tell(EffectLog(), ware=1)


def test_a_log_that_tells_nobody_keeps_what_is_opened() -> None:
    log = EffectLog(telling=False)
    PLACED.tell(log, ware=1, space=0)
    log.open_move(Seat(1), "bid")
    assert log.effects == []
    assert log.opened == [("move", "bid", 1)]
