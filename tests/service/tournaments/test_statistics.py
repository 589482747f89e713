"""Points, the sequential test and the report, with figures that can be checked by hand."""

import itertools
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.kernel.toolbox.standings import ranks as ranks_of
from service.tournaments.figures.points import points, wins
from service.tournaments.figures.sequential import BETTER, NOT_BETTER, Gambler, SequentialTest
from service.tournaments.report import report
from tests.service.tournaments.held import Held, all_equal, by_number, hold, plan

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
        assert points(ranks, scheme) == tuple(Fraction(text) for text in expected)

    @given(RANKS)
    def test_add_up(self, ranks: list[int]) -> None:
        assert sum(points(ranks, "opponents")) == Fraction(len(ranks), 2)
        assert sum(wins(ranks)) == 1


class TestSequential:
    """Errors are as rare as declared, wherever the test stops."""

    ALPHA, BETA, MARGIN = 0.05, 0.05, 0.1

    def run(self, mean: float, seed: int, most: int = 600) -> SequentialTest:
        rng = random.Random(seed)
        test = SequentialTest(claim=0.5, margin=self.MARGIN, alpha=self.ALPHA, beta=self.BETA)
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
        """Over all outcomes of six coins, the mean capital does not change."""
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
        low, high = rows["e0"]["points_band"]
        assert 0.8 < low < high == 1.0  # 30 of 30 is no proof that it never loses
        assert rows["e1"]["rating"] == 0.0
        assert rows["e1"]["elo"] == 1500.0
        assert rows["e0"]["elo"] + rows["e2"]["elo"] == 3000.0
        for row in rows.values():
            for figure in ("rating", "elo"):
                low, high = row[f"{figure}_band"]
                assert low < row[figure] < high
        assert found["figures"] == 1
        assert found["cross_table"][0][1] == {"games": 30, "ahead": 30.0}
        assert found["cross_table"][2][0] == {"games": 30, "ahead": 0.0}
        assert [seat["points_per_game"] for seat in found["seats"]] == [0.5, 0.5, 0.5]
        curve = found["rating_curve"]
        assert curve["games"] == list(range(1, 31))
        assert {name: elos[-1] for name, elos in curve["elo"].items()} == {
            name: row["elo"] for name, row in rows.items()
        }
        assert found["games"] == {"played": 30, "planned": 30}

    def test_shows_the_advantage_of_a_seat_with_its_band(self) -> None:
        def first_seat_wins(_block: object, seating: tuple[int, ...]) -> list[int]:
            return [1, *[2] * (len(seating) - 1)]

        found = report(hold(plan(3, "round_robin", games=60), first_seat_wins))
        assert [seat["advantage"] for seat in found["seats"]] == [0.5, -0.25, -0.25]
        assert 0.9 < found["seats"][0]["band"][0] < found["seats"][0]["band"][1] == 1.0
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
        found = report(Held(plan(3, "round_robin", games=30)).tournament)
        assert [row["games"] for row in found["table"]] == [0, 0, 0]
        assert [row["rating"] for row in found["table"]] == [None, None, None]
        assert found["rating_curve"] == {"games": [], "elo": {"e0": [], "e1": [], "e2": []}}
        assert found["games"] == {"played": 0, "planned": 30}

    def test_says_why_a_comparison_ended(self) -> None:
        found = report(hold(plan(2, "compare", 2, games=4000), by_number))
        assert found["verdict"]["verdict"] == "better"
        assert "e0 is better than e1" in found["verdict"]["why"]
        assert found["verdict"]["evidence_better"] >= 20
        assert "claim" not in found["verdict"]

    def test_says_what_was_claimed_if_it_is_no_fair_share(self) -> None:
        found = report(hold(plan(2, "compare", 2, games=4000, claim_percent=40), all_equal))
        assert (found["verdict"]["fair"], found["verdict"]["claim"]) == (0.5, 0.4)
        assert "e0 gets more than 0.4 points a game against e1" in found["verdict"]["why"]
        found = report(hold(plan(2, "compare", 2, games=4000, claim_percent=70), all_equal))
        assert "e0 gets less than 0.75 points a game against e1" in found["verdict"]["why"]
