"""The strength of ``greedy`` against ``random``: 0 for an equal share, 1 for always first."""

import pytest

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from tools.strength import strength

BOUNDS = {
    "macao": 0.9,
    "manila": 0.3,
    "plus_ultra": 0.7,
    "ragusa": 0.9,
    "santiago_de_cuba": 0.9,
}
ALONE = 0.6
"""The limit for a game against the rules' automata, which has no random player."""
TABLES = [
    (ruleset.info.id, seats)
    for ruleset in Registry(PACKAGES)
    for seats in range(ruleset.info.min_seats, ruleset.info.max_seats + 1)
]


@pytest.mark.campaign("strength")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_greedy_beats_random_players(game: str, seats: int) -> None:
    assert strength(Registry(PACKAGES).find(game), seats).covered >= (
        BOUNDS[game] if seats > 1 else ALONE
    )
