"""The number of function calls in random play, which does not depend on the machine's load."""

import random
import sys
from types import FrameType

import pytest

from tests.contract.tables import REGISTRY
from tools.bench.random_play import play

CALLS = {"santiago_de_cuba": 17.5, "manila": 26.5, "plus_ultra": 44, "macao": 32.5, "ragusa": 44}
"""Maximum calls of Python functions for a decision, by game: 5 % above the measured."""


@pytest.mark.parametrize("game", CALLS)
def test_a_decision_of_random_play_takes_few_calls(game: str) -> None:
    ruleset = REGISTRY.find(game)
    seats = ruleset.info.max_seats
    play(ruleset, seats, random.Random(0))  # by then all cached objects exist
    calls = 0

    def note(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(note)
    try:
        decisions = play(ruleset, seats, random.Random(1))
    finally:
        sys.setprofile(None)
    assert calls <= CALLS[game] * decisions, calls / decisions
