"""Points, ratings, bands and the sequential test: figures that one can check by hand."""

import itertools
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.kernel.standings import ranks as ranks_of
from service.tournaments.bands import bands
from service.tournaments.points import points, wins
from service.tournaments.ratings import START, rate
from service.tournaments.report import report
from service.tournaments.sequential import BETTER, NOT_BETTER, Gambler, SequentialTest
from tests.service.tournaments.held import all_equal, by_number, hold, plan

RANKS = st.lists(st.integers(0, 3), min_size=2, max_size=5).map(ranks_of)


class TestPoints:
    @pytest.mark.parametrize(
        ("ranks", "scheme", "expected"),
        [
            ([1, 2, 3], "opponents", ["1", "1/2", "0"]),
            ([1, 1, 3], "opponents", ["3/4", "3/4", "0"]),
            ([2, 1, 2, 4], "opponents", ["1/2", "1", "1/2", "0"]),
            ([1, 1], "opponents", ["1/2", "1/2"]),
            ([1, 2, 3], "wins", ["1", "0", "0"]),
            ([1, 1, 3], "wins", ["1/2", "1/2", "0"]),
            ([1, 1, 1], "wins", ["1/3", "1/3", "1/3"]),
        ],
    )
    def test_are_shared_by_who_is_equal(
        self, ranks: list[int], scheme: str, expected: list[str]
    ) -> None:
        assert points(ranks, scheme) == [Fraction(text) for text in expected]

    @given(RANKS)
    def test_add_up(self, ranks: list[int]) -> None:
        assert sum(points(ranks, "opponents")) == Fraction(len(ranks), 2)
        assert sum(wins(ranks)) == 1


class TestRatings:
    @given(RANKS)
    def test_of_equals_are_monotone_in_their_ranks_ties_too(self, ranks: list[int]) -> None:
        """Who is ahead is rated above, and who ties is rated the same."""
        names = [f"e{seat}" for seat in range(len(ranks))]
        after = rate([(names, ranks)])
        for one, other in itertools.combinations(range(len(ranks)), 2):
            first, second = after[names[one]].mu, after[names[other]].mu
            if ranks[one] == ranks[other]:
                assert first == pytest.approx(second)
            else:
                assert (first > second) == (ranks[one] < ranks[other])

    def test_two_who_share_the_first_place_are_both_above_the_third(self) -> None:
        """What the library's default model gets wrong."""
        after = rate([(["a", "b", "c", "d"], [1, 1, 3, 4])])
        assert after["a"] == after["b"]
        assert after["a"].mu > START.mu > after["d"].mu
        assert after["a"].mu > after["c"].mu > after["d"].mu

    def test_of_a_game_of_two_are_those_of_the_paper(self) -> None:
        """Weng and Lin, algorithm 1, computed by hand: mu +- sigma^2 / c * (1 - 1/2)."""
        after = rate([(["a", "b"], [1, 2])])
        sigma2 = START.sigma**2 + 0.083333333333333**2
        c = (2 * sigma2 + 2 * (25 / 6) ** 2) ** 0.5
        assert after["a"].mu == pytest.approx(25 + sigma2 / c * 0.5, rel=1e-9)
        assert after["b"].mu == pytest.approx(25 - sigma2 / c * 0.5, rel=1e-9)

    def test_who_sits_on_several_seats_is_rated_once(self) -> None:
        after = rate([(["a", "b", "b"], [1, 2, 3])])
        assert after.keys() == {"a", "b"}
        assert after["a"].mu > START.mu > after["b"].mu


class TestBands:
    def test_are_the_same_for_the_same_seed_on_every_machine(self) -> None:
        """The numbers of ``random()`` are promised to stay; so these are."""
        found = bands(list(range(20)), lambda sample: [sum(sample) / 20], 200, "seed")
        assert found is not None
        assert [tuple(band) for band in found] == [(7.4, 11.9)]

    def test_need_two_blocks(self) -> None:
        assert bands([1], lambda sample: [0.0], 100, "") is None
        assert bands([1, 2], lambda sample: [0.0], 0, "") is None

    def test_hold_the_true_mean_nearly_as_often_as_they_say(self) -> None:
        rng = random.Random(7)
        held = 0
        for trial in range(200):
            values = [rng.gauss(0.0, 1.0) for _ in range(40)]
            (band,) = bands(values, lambda sample: [sum(sample) / 40], 200, str(trial)) or []
            held += band.low <= 0.0 <= band.high
        assert 0.88 <= held / 200 <= 0.99


class TestSequential:
    """Errors as rare as declared, wherever one stops."""

    ALPHA, BETA, MARGIN = 0.05, 0.05, 0.1

    def run(self, mean: float, seed: int, most: int = 600) -> SequentialTest:
        rng = random.Random(seed)
        test = SequentialTest(fair=0.5, margin=self.MARGIN, alpha=self.ALPHA, beta=self.BETA)
        for block in range(1, most + 1):
            # the mean of three games of one block: correlated, bounded, far from normal
            luck = rng.choice((-0.2, 0.0, 0.2))
            games = [1.0 if rng.random() < mean + luck else 0.0 for _ in range(3)]
            test.observe(block, sum(games) / 3)
            if test.verdict:
                break
        return test

    def test_equals_are_seldom_called_better(self) -> None:
        wrong = sum(self.run(0.5, seed).verdict == BETTER for seed in range(300))
        assert wrong / 300 <= 2 * self.ALPHA

    def test_who_is_better_by_the_margin_is_seldom_called_not_better(self) -> None:
        wrong = sum(self.run(0.6, seed).verdict == NOT_BETTER for seed in range(300))
        assert wrong / 300 <= 2 * self.BETA

    def test_it_finds_out(self) -> None:
        assert sum(self.run(0.65, seed).verdict == BETTER for seed in range(50)) >= 45
        assert sum(self.run(0.45, seed).verdict == NOT_BETTER for seed in range(50)) >= 45

    def test_a_fair_bet_is_not_expected_to_grow(self) -> None:
        """Over all outcomes of six coins the mean capital is what it was."""
        capitals = []
        for tosses in itertools.product((0.0, 1.0), repeat=6):
            gambler = Gambler(0.5)
            for toss in tosses:
                gambler.observe(toss)
            capitals.append(gambler.capital)
        assert sum(capitals) / len(capitals) == pytest.approx(1.0)

    @settings(max_examples=50)
    @given(st.lists(st.floats(0, 1), max_size=60), st.floats(0.05, 0.95))
    def test_nobody_loses_more_than_everything(self, values: list[float], claim: float) -> None:
        gambler = Gambler(claim)
        for value in values:
            gambler.observe(value)
            assert gambler.capital > 0


class TestReport:
    def test_of_a_tournament_that_one_can_work_out(self) -> None:
        found = report(hold(plan(3, "round_robin", games=30), by_number))
        rows = {row["entry"]: row for row in found["table"]}
        assert [row["place"] for row in found["table"]] == [1, 2, 3]
        assert rows["e0"]["points_per_game"] == 1.0
        assert rows["e1"]["points_per_game"] == 0.5
        assert rows["e0"]["wins"] == 30.0
        assert rows["e1"]["ranks"] == [0, 30, 0]
        assert rows["e2"]["mean_score"] == 0.0
        assert rows["e0"]["points_band"] == [1.0, 1.0]
        assert rows["e0"]["rating_band"][0] <= rows["e0"]["rating"]["mu"] * 1.2
        assert found["cross_table"][0][1] == {"games": 30, "ahead": 30.0}
        assert found["cross_table"][2][0] == {"games": 30, "ahead": 0.0}
        assert [seat["points_per_game"] for seat in found["seats"]] == [0.5, 0.5, 0.5]
        assert found["rating_curve"]["games"][-1] == 30
        assert found["games"] == {"played": 30, "planned": 30}

    def test_shows_the_advantage_of_a_seat_with_its_band(self) -> None:
        def first_seat_wins(_block: object, seating: tuple[int, ...]) -> list[int]:
            return [1, *[2] * (len(seating) - 1)]

        found = report(hold(plan(3, "round_robin", games=60), first_seat_wins))
        assert [seat["advantage"] for seat in found["seats"]] == [0.5, -0.25, -0.25]
        assert found["seats"][0]["band"] == [1.0, 1.0]
        assert {row["points_per_game"] for row in found["table"]} == {0.5}
        assert [row["place"] for row in found["table"]] == [1, 1, 1]

    def test_ties_share_a_place_and_the_next_one_counts_them(self) -> None:
        found = report(hold(plan(4, "round_robin", games=12), all_equal))
        assert [row["place"] for row in found["table"]] == [1, 1, 1, 1]

    def test_tie_breaks_are_taken_in_the_order_that_was_declared(self) -> None:
        def ranks(_block: object, seating: tuple[int, ...]) -> list[int]:
            if 0 not in seating:
                return all_equal(_block, seating)  # type: ignore[arg-type]  # ignores the block
            return [2 if entry == 0 else 1 if entry == 1 else 2 for entry in seating]

        by_points = report(hold(plan(3, "round_robin", tie_breaks=["points"]), ranks))
        assert by_points["table"][0]["entry"] == "e1"
        assert [row["place"] for row in by_points["table"]] == [1, 2, 2]

    def test_before_the_first_game_there_is_a_table_too(self) -> None:
        from tests.service.tournaments.held import Held  # noqa: PLC0415

        found = report(Held(plan(3, "round_robin", games=30)).tournament)
        assert [row["games"] for row in found["table"]] == [0, 0, 0]
        assert found["games"] == {"played": 0, "planned": 30}

    def test_says_why_a_comparison_ended(self) -> None:
        found = report(hold(plan(2, "compare", 2, games=4000), by_number))
        assert found["verdict"]["verdict"] == "better"
        assert "e0 is better than e1" in found["verdict"]["why"]
        assert found["verdict"]["evidence_better"] >= 20
