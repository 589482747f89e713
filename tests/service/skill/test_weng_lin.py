"""The formula, compared with results of another implementation of the paper."""

import random

import pytest

from service.skill.weng_lin import BETA, NEW, PROVISIONAL, Rating, after_game
from tests.running import ROOT

STRONG = Rating(1800.0, 60.0)
MIXED = [
    Rating(1900.5, 55.0), Rating(1650.0, 90.0), Rating(1420.25, 120.0), NEW, Rating(1200.0, 75.0),
]  # fmt: skip
EXAMPLES = [
    ([NEW] * 2, [1, 2], [(1579.0617, 241.977), (1420.9383, 241.977)]),
    ([NEW] * 2, [1, 1], [(1500.0, 241.977), (1500.0, 241.977)]),
    (
        [NEW] * 4,
        [1, 2, 3, 4],
        [
            (1583.8576, 247.9072), (1546.5875, 245.3885), (1490.6825, 242.5238),
            (1378.8724, 242.5238),
        ],
    ),
    ([NEW] * 3, [1, 2, 2], [(1586.0715, 246.1573), (1456.9643, 241.7467), (1456.9643, 241.7467)]),
    (
        [NEW] * 4,
        [1, 1, 3, 4],
        [
            (1527.9525, 247.9072), (1527.9525, 247.9072), (1527.9525, 245.0719),
            (1416.1424, 245.0719),
        ],
    ),
    ([STRONG, NEW], [1, 2], [(1803.1966, 60.0092), (1444.5934, 236.7971)]),
    ([STRONG, NEW], [2, 1], [(1791.6392, 60.0092), (1644.9149, 236.7971)]),
    (
        MIXED,
        [3, 1, 3, 2, 5],
        [
            (1892.3687, 55.0108), (1665.1508, 89.9542), (1420.0417, 119.4162),
            (1596.6027, 241.8194), (1195.9593, 74.9822),
        ],
    ),
]  # fmt: skip
"""Results of openskill.py 6.2.0: its Plackett-Luce model with its defaults (25, 25/3, 25/6, 25/300,
1e-4) is the same on a scale of a 30th, with 25 for 1500. It averages ties, which changes nothing in
these examples."""


@pytest.mark.parametrize(("before", "ranks", "after"), EXAMPLES)
def test_another_implementation_agrees(
    before: list[Rating], ranks: list[int], after: list[tuple[float, float]]
) -> None:
    for found, expected in zip(after_game(before, ranks), after, strict=True):
        assert found == pytest.approx(expected, abs=6e-5)


def test_seats_and_the_distances_of_ranks_make_no_difference() -> None:
    found = after_game(MIXED, [3, 1, 3, 2, 5])
    assert after_game(MIXED, [30, 10, 30, 20, 50]) == found
    assert after_game(MIXED[::-1], [5, 2, 3, 1, 3]) == found[::-1]


def test_who_plays_on_is_known_better_and_who_is_better_rises() -> None:
    rng = random.Random(1)
    skill = [1300.0, 1500.0, 1500.0, 1700.0]
    known = [NEW] * 4
    for _ in range(60):
        played = [rng.gauss(strength, 125) for strength in skill]
        known = after_game(known, [1 + sum(other > one for other in played) for one in played])
    assert known[0].mean < min(known[1].mean, known[2].mean) < known[3].mean
    assert max(one.deviation for one in known) < PROVISIONAL < NEW.deviation


def test_nobody_is_ever_known_for_good() -> None:
    best = Rating(3000.0, 1.0)
    (after, _other) = after_game([best, Rating(1000.0, 1.0)], [1, 2])
    assert after.deviation > best.deviation
    assert after.mean == pytest.approx(best.mean, abs=0.001)


def games_until_known(seats: int) -> list[int]:
    """Return the games that each of 120 new players, in random pairs, needs for a rating."""
    rng = random.Random(seats)
    found = []
    for _ in range(4):
        strengths = [rng.gauss(NEW.mean, 200) for _ in range(30)]
        known, games, waiting = [NEW] * 30, [0] * 30, set(range(30))
        while waiting:
            playing = rng.sample(range(30), seats)
            shown = {player: rng.gauss(strengths[player], BETA) for player in playing}
            order = sorted(playing, key=shown.__getitem__, reverse=True)
            ranks = [order.index(player) + 1 for player in playing]
            after = after_game([known[player] for player in playing], ranks)
            for player, rating in zip(playing, after, strict=True):
                known[player] = rating
                games[player] += 1
                if player in waiting and not rating.provisional:
                    waiting.remove(player)
                    found.append(games[player])
    return sorted(found)


def test_after_how_many_games_a_rating_is_firm_stands_in_the_documents() -> None:
    page = (ROOT / "docs/api/host.md").read_text()
    for seats in (2, 3, 4, 5):
        games = games_until_known(seats)
        half, nine_tenths = games[len(games) // 2], games[len(games) * 9 // 10]
        assert f"| {seats} | {half} | {nine_tenths} |" in page
