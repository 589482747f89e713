"""The costs of games of bots, from which the costs of tournaments are estimated."""

from typing import Any

import pytest

from rules.kernel.contract import published
from rules.kernel.contract.ruleset import Ruleset
from service.catalogue.bots import BOTS
from tools import costs

EVERY = [*costs.REGISTRY]


@pytest.mark.parametrize("ruleset", EVERY, ids=[one.info.id for one in EVERY])
def test_every_game_of_this_folder_is_measured(ruleset: Ruleset[Any]) -> None:
    """A game is as long as it says, within a quarter: fewer are played here."""
    known = published.costs(ruleset)
    most = ruleset.info.max_seats
    assert [*known["lengths"]] == [str(n) for n in range(costs.fewest_seats(ruleset), most + 1)]
    assert known["milliseconds"].keys() == BOTS.keys()
    fewest = str(costs.fewest_seats(ruleset))
    found = costs.lengths(ruleset, games=3, most_seats=int(fewest))[fewest]
    for what, number in known["lengths"][fewest].items():
        assert found[what] == pytest.approx(number, rel=0.25)
