"""Random games by the dozen, or by the ten thousand: invariants after every event."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from rules.kernel.contract.errors import BadOptions
from rules.kernel.contract.ruleset import Ruleset
from tests.contract.tables import RULESETS, Table, play, resignation_rate, worth_trying

GAMES = 36
"""Of each table; `make campaign NAME=playouts` plays the others."""
CAMPAIGN = 10_000
CHUNK = 500
"""Games of one campaign test: no test may hold a worker for long."""


def every_table(ruleset: Ruleset[Any]) -> Iterator[Table]:
    """Yield each number of seats with the defaults and with each value of each option."""
    info = ruleset.info
    for seats in range(info.min_seats, info.max_seats + 1):
        yield Table(ruleset, seats, ruleset.parse_options(seats, {}), f"{info.id}-{seats}")
        for option in info.options:
            for number, value in enumerate(worth_trying(option.kind)):
                try:
                    options = ruleset.parse_options(seats, {option.name: value})
                except BadOptions:
                    continue
                if value != option.default:
                    name = f"{info.id}-{seats}-{option.name}-{number}"
                    yield Table(ruleset, seats, options, name)


def check_games(table: Table, numbers: range) -> None:
    """Play these games; every third one has resignations in it."""
    ruleset = table.ruleset
    for number in numbers:
        rng = random.Random(f"playout {table} {number}")
        state = table.initial()
        events = play(ruleset, state, rng, resignation_rate(number))
        for seq, _event in enumerate(events):
            broken = ruleset.violations(state)
            assert not broken, f"{table}, game {number}, before event {seq}: {broken}"
        assert not ruleset.violations(state), f"{table}, game {number}, at the end"
        assert ruleset.result(state).reason in ruleset.end_reasons


def test_invariants_hold_after_every_event(table: Table) -> None:
    check_games(table, range(GAMES))


@pytest.mark.campaign("playouts")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("chunk", range(CAMPAIGN // CHUNK))
@pytest.mark.parametrize(
    "played", [table for ruleset in RULESETS for table in every_table(ruleset)], ids=str
)
def test_invariants_hold_in_ten_thousand_games(played: Table, chunk: int) -> None:
    first = GAMES + chunk * CHUNK
    check_games(played, range(first, first + CHUNK))
