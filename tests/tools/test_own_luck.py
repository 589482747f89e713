"""What luck of each game's own costs: known for blocks whose variances are known."""

import pytest

from tools import own_luck


def test_luck_that_goes_round_with_the_seats_costs_nothing_if_shared() -> None:
    """Each block has one good seat: whoever rotates through all seats gets it once."""
    blocks = [[1.0, 0.0], [0.0, 1.0]] * 20
    blocks[0] = [1.0, 1.0]
    assert own_luck.times(blocks) > 10


def test_games_that_do_not_depend_on_each_other_cost_the_same() -> None:
    blocks = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]] * 10
    found = own_luck.cost("independent", blocks)
    assert found.times == pytest.approx(1)
    assert found.low < 1 < found.high


def test_the_series_that_were_played() -> None:
    found = [each.times for each in own_luck.costs()]
    assert 0.6 <= min(found) <= max(found) <= 2.3, "as docs/tournaments.md has it"
