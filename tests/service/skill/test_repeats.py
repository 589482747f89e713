"""The weight of a rated game among those against the same opponents."""

import pytest

from rules.kernel.record.instants import from_ms
from service.skill import repeats
from service.skill.rated_games import RatedGame
from service.skill.repeats import WINDOW_MS, Ends, number_in_window, weight
from service.skill.weng_lin import NEW, Rating, after_game

BEGIN = 1_790_000_000_000


def game(at: int, *players: str, ruleset: str = "macao") -> RatedGame:
    ranks = tuple(range(1, len(players) + 1))
    return RatedGame(f"g-{at}", ruleset, from_ms(BEGIN + at), players, ranks, 2)


def test_the_window_ends_thirty_days_before_the_games_own_end() -> None:
    ends: Ends = {}
    times = [0, 5, WINDOW_MS - 1, WINDOW_MS, WINDOW_MS + 4, WINDOW_MS + 5, 3 * WINDOW_MS]
    found = [number_in_window(game(at, "ana", "ben"), ends) for at in times]
    assert found == [1, 2, 3, 3, 4, 4, 1]


def test_seats_do_not_matter_and_rulesets_and_further_players_do() -> None:
    ends: Ends = {}
    games = [
        game(0, "ana", "ben"), game(1, "ben", "ana"), game(2, "ana", "ben", ruleset="manila"),
        game(3, "ana", "ben", "cleo"), game(4, "cleo", "ana", "ben"), game(5, "ana", "cleo"),
    ]  # fmt: skip
    assert [number_in_window(one, ends) for one in games] == [1, 2, 1, 1, 2, 1]


def test_games_of_the_first_rule_weigh_one_and_are_counted() -> None:
    ends: Ends = {}
    old = game(0, "ana", "ben")._replace(rule=1)
    numbers = [number_in_window(one, ends) for one in (old, old, game(9, "ana", "ben"))]
    assert numbers == [1, 2, 3]
    assert [weight(1, 2), weight(2, 1), weight(2, 3)] == [1.0, 1.0, 1 / 3]


def test_what_is_stored_is_read_again() -> None:
    assert repeats.load(repeats.dump([1, 2])) == [1, 2]
    assert repeats.load(None) == []


@pytest.mark.parametrize("players", [[NEW, NEW], [Rating(1800.0, 60.0), NEW, Rating(1400.0, 90.0)]])
def test_a_game_has_the_part_of_the_effect_that_its_weight_says(players: list[Rating]) -> None:
    ranks = [*range(1, len(players) + 1)]
    whole, tenth = after_game(players, ranks), after_game(players, ranks, 0.1)
    for before, full, part in zip(players, whole, tenth, strict=True):
        assert part.mean - before.mean == pytest.approx((full.mean - before.mean) / 10, rel=0.02)
        gained = before.deviation**2 - full.deviation**2
        assert before.deviation**2 - part.deviation**2 == pytest.approx(gained / 10, rel=0.03)
    assert after_game(players, ranks, 1.0) == whole
