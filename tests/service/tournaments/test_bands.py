"""Bands: they have a width, contain the figure, and contain the truth as often as they should."""

import random
from collections.abc import Callable, Sequence
from itertools import groupby
from math import exp, log

import pytest

from rules.kernel.canonical import JsonObject
from service.tournaments.figures.bands import FEWEST, MOST_GROUPS, Band, band, drawings, groups
from service.tournaments.figures.ratings import Comparisons, ratings
from service.tournaments.figures.table_bands import EntryBootstrap
from service.tournaments.report import report
from service.tournaments.tournament import Block, GameOutcome, Tournament
from tests.service.tournaments.held import Held, Ranks, by_number, hold, plan, result

FORMATS = {
    "round_robin": (4, {"games": 120}),
    "gauntlet": (5, {"games": 180}),
    "swiss": (7, {"rounds": 16}),
    "knockout": (6, {"blocks": 12}),
}


def rows(tournament: Tournament, samples: int = 200) -> dict[str, JsonObject]:
    return {row["entry"]: row for row in report(tournament, samples=samples)["table"]}


def luck(seed: int, strengths: Sequence[float]) -> Ranks:
    """Rank by strength and luck, so that pairs follow the Bradley-Terry model."""
    rng = random.Random(seed)

    def ranks(_block: Block, seating: tuple[int, ...]) -> list[int]:
        drawn = [strengths[entry] - log(-log(rng.random())) for entry in seating]
        return [1 + sum(other > own for other in drawn) for own in drawn]

    return ranks


class TestDrawings:
    def test_are_the_same_for_the_same_seed_on_every_machine(self) -> None:
        """Python guarantees that the numbers of ``random()`` stay the same."""
        ((one, two, three),) = drawings(3, 1, "seed")
        assert [one, two, three] == pytest.approx(
            [3.1776533575583934, 1.1824261432524181, 0.022073283563359115], rel=1e-14
        )

    def test_give_every_block_some_weight_and_one_in_the_mean(self) -> None:
        weights = [weight for drawn in drawings(20, 500, "x") for weight in drawn]
        assert min(weights) > 0
        assert sum(weights) / len(weights) == pytest.approx(1, abs=0.03)

    @pytest.mark.parametrize("blocks", [0, 3, MOST_GROUPS, MOST_GROUPS + 1, 8_000])
    def test_cost_no_more_for_long_tournaments(self, blocks: int) -> None:
        found = groups(range(blocks))
        assert len(found) == min(blocks, MOST_GROUPS)
        assert sorted(block for group in found for block in group) == list(range(blocks))
        assert len({len(group) for group in found}) <= 2


class TestBand:
    def test_holds_the_figure_that_it_is_of(self) -> None:
        assert band(0.5, [0.6] * 10, 50).low == 0.5
        assert band(0.5, [0.4] * 10, 50).high == 0.5

    def test_is_stretched_as_student_s_distribution_is_for_few_blocks(self) -> None:
        drawn = [number / 1000 for number in range(-1000, 1001)]
        few, many = band(0.0, drawn, 7), band(0.0, drawn, 500)
        student = 2.4469 / 1.95996 * (8 / 6) ** 0.5  # 6 degrees of freedom
        assert few.high == pytest.approx(0.95 * student, rel=1e-3)
        assert many.high == pytest.approx(0.95, rel=5e-3)


class TestOfReports:
    def test_there_are_none_of_fewer_than_five_blocks(self) -> None:
        held = Held(plan(3, "round_robin", games=30))
        before = held.play(by_number, most=FEWEST - 1)
        assert {row["points_band"] for row in rows(before).values()} == {None}
        assert {row["rating_band"] for row in rows(before).values()} == {None}
        assert {seat["band"] for seat in report(before)["seats"]} == {None}
        after = held.play(by_number, most=1)
        assert None not in [row["points_band"] for row in rows(after).values()]

    def test_there_are_none_of_blocks_that_are_drawn_as_one(self) -> None:
        """In a long tournament, all blocks of an entry with few blocks may be in one group."""
        wanted = plan(3, "round_robin", 2)
        blocks = [
            [GameOutcome(number, 0, (0, 1 if number % MOST_GROUPS else 2), result([1, 2]))]
            for number in range(8 * MOST_GROUPS)
        ]
        drawing = EntryBootstrap(wanted, blocks, [0.0, 0.0, 0.0], "x")
        points, rated = drawing.bands(drawing.draw(0, 50))
        assert points[2] is rated[2] is None
        assert None not in (points[:2] + rated[:2])

    def test_none_is_without_width(self) -> None:
        for points in ("opponents", "wins"):
            found = rows(hold(plan(3, "round_robin", games=30, points=points), by_number))
            low, high = found["e0"]["points_band"]
            assert 0.8 < low < 0.95 < high == 1.0
            low, high = found["e2"]["points_band"]
            assert 0.0 == low < 0.05 < high < 0.2
            for row in found.values():
                assert row["rating_band"][1] - row["rating_band"][0] > 1

    def test_blocks_that_an_entry_missed_say_nothing_of_it(self) -> None:
        """The loser of each first table is out after twelve lost blocks."""
        found = rows(hold(plan(9, "knockout", blocks=12), by_number))
        for row in found.values():
            low, high = row["points_band"]
            assert low <= row["points_per_game"] <= high
            assert high - low < 0.25
            assert row["elo_band"][0] < row["elo"] < row["elo_band"][1]
        assert found["e0"]["points_band"][0] > 0.85

    def test_whom_an_entry_met_is_no_luck(self) -> None:
        """Entry 0 always beats 1 and 2 and loses to 3 and 4, so its points are certain."""

        def ranks(_block: Block, seating: tuple[int, ...]) -> list[int]:
            order = [3, 4, 0, 1, 2]
            return [1 + sum(order.index(o) < order.index(e) for o in seating) for e in seating]

        row = rows(hold(plan(5, "gauntlet", 2, games=240), ranks))["e0"]
        assert row["points_per_game"] == 0.5
        assert row["points_band"][1] - row["points_band"][0] < 0.06  # by a coin: 0.13


def coverage(
    name: str, strengths: Callable[[int], list[float]], tournaments: int, samples: int
) -> tuple[float, float]:
    """Return the shares of bands that contain an entry's true points, and its true rating.

    The true points are the expected points in its line-ups.
    """
    entries, options = FORMATS[name]
    wanted, true = plan(entries, name, **options), strengths(entries)
    held: list[bool] = []
    rated: list[bool] = []
    for number in range(tournaments):
        tournament = hold(wanted, luck(number, true), seed=number.to_bytes(32))
        blocks = [list(g) for _, g in groupby(tournament.outcomes(), lambda o: o.block)]
        comparisons = Comparisons()
        comparisons.add(tournament.outcomes())
        drawing = EntryBootstrap(wanted, blocks, ratings(entries, comparisons), str(number))
        found = drawing.bands(drawing.draw(0, samples))
        for points, rating, entry in zip(*found, range(entries), strict=True):
            assert points is not None
            assert rating is not None
            held.append(_holds(points, _promised(blocks, entry, true)))
            rated.append(_holds(rating, true[entry]))
    return sum(held) / len(held), sum(rated) / len(rated)


def _holds(found: Band, figure: float) -> bool:
    return found.low <= figure <= found.high


def _promised(blocks: Sequence[Sequence[GameOutcome]], entry: int, true: Sequence[float]) -> float:
    """Return the expected points of an entry for each game, given its opponents."""
    shares = [
        sum(
            1 / (1 + exp(true[other] - true[entry])) for other in block[0].seating if other != entry
        )
        / (len(block[0].seating) - 1)
        for block in blocks
        if entry in block[0].seating
    ]
    return sum(shares) / len(shares)


def equals(entries: int) -> list[float]:
    return [0.0] * entries


def unequals(entries: int) -> list[float]:
    return [2 * entry / (entries - 1) - 1 for entry in range(entries)]


def test_bands_hold_the_truth_nearly_as_often_as_they_say() -> None:
    points, rated = coverage("gauntlet", unequals, 30, 200)
    assert 0.9 <= points <= 0.99
    assert 0.9 <= rated <= 0.99


@pytest.mark.campaign("bands")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("strengths", [equals, unequals])
@pytest.mark.parametrize("name", list(FORMATS))
def test_bands_hold_the_truth_in_95_of_100_tournaments(
    name: str, strengths: Callable[[int], list[float]]
) -> None:
    points, rated = coverage(name, strengths, 250, 500)
    assert 0.93 <= points <= 0.97
    assert 0.93 <= rated <= 0.97
