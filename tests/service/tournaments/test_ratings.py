"""Ratings: one fit of all comparisons, which does not depend on the order of the games."""

import random
from itertools import combinations, permutations
from math import exp, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.kernel.toolbox.standings import ranks as ranks_of
from service.tournaments.figures.ratings import Comparisons, Pair, elo, ratings
from service.tournaments.tournament import GameOutcome
from tests.service.tournaments.held import result


def game(seating: tuple[int, ...], ranks: list[int]) -> GameOutcome:
    return GameOutcome(1, 0, seating, result(ranks))


def rated(entries: int, games: list[GameOutcome]) -> list[float]:
    comparisons = Comparisons()
    comparisons.add(games)
    return [rating for rating in ratings(entries, comparisons) if rating is not None]


def by_minorization(entries: int, pairs: list[Pair]) -> list[float]:
    """Fit by Hunter's algorithm, including the games against the opponent rated 0."""
    strengths = [1.0] * entries
    for _ in range(20_000):
        for entry in range(entries):
            won, weight = 1.0, 2 / (strengths[entry] + 1)
            for first, second, ahead, behind in pairs:
                if entry in (first, second):
                    won += ahead if entry == first else behind
                    weight += (ahead + behind) / (strengths[first] + strengths[second])
            strengths[entry] = won / weight
    mean = sum(map(log, strengths)) / entries
    return [log(strength) - mean for strength in strengths]


def test_a_game_compares_each_pair_once_and_a_tie_is_half_a_win() -> None:
    comparisons = Comparisons()
    comparisons.add([game((2, 0, 1), [1, 2, 2])])
    assert list(comparisons) == [Pair(0, 1, 0.5, 0.5), Pair(0, 2, 0, 1), Pair(1, 2, 0, 1)]


def test_they_are_those_of_hunter_s_algorithm() -> None:
    pairs = [Pair(0, 1, 7, 3), Pair(1, 2, 5.5, 4.5), Pair(0, 3, 2, 0), Pair(2, 3, 1, 6)]
    assert ratings(4, pairs) == pytest.approx(by_minorization(4, pairs), abs=1e-8)


def test_of_two_one_can_work_them_out() -> None:
    """With d = first - second, slope of the likelihood: w - n p(d) + 1 - 2 p(d / 2) = 0."""
    first, second = ratings(2, [Pair(0, 1, 30, 0)])
    assert first is not None
    assert second == -first
    slope = 30 - 30 / (1 + exp(-2 * first)) + 1 - 2 / (1 + exp(-first))
    assert slope == pytest.approx(0, abs=1e-9)
    assert 3 < 2 * first < 5  # and are finite, though one entry always won


def test_who_met_nobody_is_not_rated() -> None:
    assert ratings(4, [Pair(0, 2, 1, 1)]) == [0, None, 0, None]
    assert ratings(2, []) == [None, None]


def test_who_sits_on_several_seats_is_not_compared_with_itself() -> None:
    comparisons = Comparisons()
    comparisons.add([game((1, 0, 1), [1, 2, 3]), game((1, 1, 1), [1, 2, 3])])
    assert list(comparisons) == [Pair(0, 1, 1, 1)]


@settings(max_examples=30, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_the_games_does_not_matter(luck: random.Random) -> None:
    games = [
        game(tuple(luck.sample(range(5), 3)), ranks_of([luck.randrange(3) for _ in range(3)]))
        for _ in range(30)
    ]
    shuffled = luck.sample(games, len(games))
    assert rated(5, games) == rated(5, shuffled)


@settings(max_examples=50, deadline=None)
@given(st.randoms(use_true_random=False))
def test_with_equal_opponents_the_order_is_that_of_the_points(luck: random.Random) -> None:
    comparisons, ahead = Comparisons(), [0.0] * 5
    for seating in combinations(range(5), 3):
        ranks = ranks_of([luck.randrange(entry + 3) for entry in seating])
        comparisons.add([game(seating, ranks)])
    for first, second, more, less in comparisons:
        ahead[first] += more
        ahead[second] += less
    found = [rating or 0.0 for rating in ratings(5, comparisons)]
    for one, other in permutations(range(5), 2):
        if ahead[one] == ahead[other]:
            assert found[one] == pytest.approx(found[other], abs=1e-9)
        else:
            assert (found[one] > found[other]) == (ahead[one] > ahead[other])


@settings(max_examples=30, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(2, 12))
def test_they_are_found_from_anywhere_and_nothing_pulls_on_them(
    luck: random.Random, entries: int
) -> None:
    pairs = [
        Pair(one, other, luck.choice((0, 1, 3.5, 1000)), luck.choice((0, 2, 0.5, 1000)))
        for one, other in combinations(range(entries), 2)
        if luck.random() < 0.4
    ]
    pairs = [pair for pair in pairs if pair.ahead + pair.behind]
    found = ratings(entries, pairs)
    guess = [luck.uniform(-5, 5) for _ in range(entries)]
    again = ratings(entries, pairs, guess)
    for one, other in zip(found, again, strict=True):
        assert (one is None) == (other is None)
        assert one is None or one == pytest.approx(other, abs=1e-7)


def test_a_chain_of_which_each_always_beats_the_next_comes_to_an_end() -> None:
    found = ratings(64, [Pair(entry, entry + 1, 1000, 0) for entry in range(63)])
    known = [rating for rating in found if rating is not None]
    assert sorted(known, reverse=True) == known


def test_ten_to_one_is_400_on_elo_s_scale() -> None:
    assert elo(0) == 1500
    assert elo(log(10)) == pytest.approx(1900)
