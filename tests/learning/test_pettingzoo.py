"""PettingZoo's own tests, on every game at every number of seats."""

from collections.abc import Iterator
from typing import Any

import pytest
from lonja_learning import Game, game
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.test.max_cycles_test import max_cycles_test

import rules.registry
from rules.kernel.contract.registry import Registry

# It expects an action mask beside the observation only for its own games.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]


def tables() -> Iterator[Any]:
    for ruleset in Registry(rules.registry.PACKAGES):
        for seats in range(ruleset.info.min_seats, ruleset.info.max_seats + 1):
            yield pytest.param((ruleset.info.id, seats), id=f"{ruleset.info.id}-{seats}")


@pytest.fixture(params=tables())
def played(request: pytest.FixtureRequest) -> Game:
    ruleset, seats = request.param
    return game(ruleset, seats)


def test_one_after_the_other(played: Game) -> None:
    api_test(played.env(), num_cycles=60)
    seed_test(played.env, num_cycles=30)


def test_all_at_once(played: Game) -> None:
    parallel_api_test(played.parallel_env(), num_cycles=60)
    parallel_seed_test(played.parallel_env, num_cycles=20)


def test_cycles_are_counted(played: Game) -> None:
    max_cycles_test(played)
