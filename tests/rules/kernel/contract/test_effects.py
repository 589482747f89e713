"""Effects: their values and audiences are as their types declare.

Lines that mypy must refuse have an ignore: mypy reports an unused one (``warn_unused_ignores``).
"""

from typing import NewType

import pytest

from rules.kernel.contract.effects import EffectLog, Effects
from rules.kernel.contract.fields import Index, ListOf, Optional, PlaceNumber
from rules.kernel.contract.seats import Seat

Ware = NewType("Ware", int)
Space = NewType("Space", int)
WARE: Index[Ware] = Index(("rum", "wood"))
SPACE: PlaceNumber[Space] = PlaceNumber(3)
RUM, WOOD = WARE.values()
FIRST, _, THIRD = SPACE.values()
EFFECTS = Effects()
PLACED = EFFECTS.declare("placed", ware=WARE, space=SPACE)
SOLD = EFFECTS.declare("sold", wares=ListOf(WARE), space=Optional(SPACE))


def test_a_line_is_told_as_declared() -> None:
    log = EffectLog()
    PLACED.tell(log, ware=WOOD, space=FIRST)
    PLACED.tell(log, "seat:1", ware=RUM, space=THIRD)
    assert [tuple(effect) for effect in log.effects] == [
        ("placed", {"ware": "wood", "space": 1}, "public"),
        ("placed", {"ware": "rum", "space": 3}, "seat:1"),
    ]


def test_without_a_log_nothing_is_told() -> None:
    PLACED.tell(None, ware=WOOD, space=FIRST)


def test_a_line_has_the_values_that_are_declared() -> None:
    with pytest.raises(TypeError, match="placed tells"):
        PLACED.tell(EffectLog(), ware=WOOD)  # type: ignore[call-arg]


def test_a_log_that_tells_nobody_keeps_what_is_opened() -> None:
    log = EffectLog(telling=False)
    PLACED.tell(log, ware=WOOD, space=FIRST)
    log.open_move(Seat(1), "bid")
    assert log.effects == []
    assert log.opened == [("move", "bid", 1)]


def test_mypy_finds_values_that_were_swapped() -> None:
    log = EffectLog()
    PLACED.tell(log, ware=FIRST, space=WOOD)  # type: ignore[arg-type]
    PLACED.tell(log, ware=0, space=FIRST)  # type: ignore[arg-type]
    SOLD.tell(log, wares=[RUM, FIRST])  # type: ignore[list-item]
    SOLD.tell(log, wares=[RUM, WOOD])
    assert [effect.data for effect in log.effects] == [
        {"ware": "rum", "space": 2},
        {"ware": "rum", "space": 1},
        {"wares": ["rum", "rum"]},
        {"wares": ["rum", "wood"]},
    ]
