"""Random games: the phases follow their table, and consecutive states are consistent."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import pytest

from rules.kernel.contract.effects import EffectLog
from rules.manila import RULESET
from rules.manila.aids.heuristic import SURE, odds
from rules.manila.data import COSTS, PAYOUTS, PROFITS, SHIPYARD
from rules.manila.play import PHASES
from rules.manila.state import State
from tests.rules.playing import Game, never_followed, random_game

SEATS = pytest.mark.parametrize("seats", [3, 4, 5])
OPTIONS: tuple[dict[str, object], ...] = (
    {},
    {"pirates_displace": True},
    {"arrival_order": "automatic"},
    {"voyage_limit": 3},
)


@cache
def played(seats: int) -> list[Game]:
    return [random_game(RULESET, seed, seats, **OPTIONS[seed % 4]) for seed in range(60)]


def games(seats: int) -> Iterator[list[tuple[State, EffectLog]]]:
    """Yield the states of each game, each with the effects of the event before."""
    for game in played(seats):
        logs = [EffectLog(), *(step.log for step in game.steps)]
        yield list(zip(game.states, logs, strict=True))


def test_the_phase_table_is_what_is_played() -> None:
    unmet = never_followed(PHASES, [g.phases for seats in (3, 4, 5) for g in played(seats)])
    by_option = {("deal_shares", "auction")}
    rare = {(phase, after) for phase in PHASES for after in ("auction", "game_over")}
    rare |= {
        ("arrival_order", after)
        for after in ("pilot_small", "pilot_big", "movement", "pirate_boarding", "plunder")
    }
    rare |= {(phase, "plunder") for phase in ("plunder", "movement")}
    rare |= {("pirate_boarding", after) for after in ("pilot_small", "pilot_big", "movement")}
    rare |= {("movement", after) for after in ("pilot_small", "pilot_big", "movement")}
    assert unmet <= by_option | rare


@SEATS
def test_market_and_supply_move_one_way(seats: int) -> None:
    for game in games(seats):
        bought: dict[int, int] = {}
        for (before, _), (after, log) in pairwise(game):
            assert all(0 <= b - a <= 1 for a, b in zip(before.market, after.market, strict=True))
            sold = sum(before.supply) - sum(after.supply)
            if before.phase != "deal_shares":
                assert 0 <= sold <= 1
                bought[before.voyage] = bought.get(before.voyage, 0) + sold
            raised = {e.data["ware"] for e in log.effects if e.type == "market_raised"}
            if before.left_out >= 0:
                assert before.market[before.left_out] == after.market[before.left_out]
            assert len(raised) == sum(after.market) - sum(before.market)
        assert all(count <= 1 for count in bought.values())


@SEATS
def test_bids_rise_and_who_has_passed_is_not_asked(seats: int) -> None:
    for game in games(seats):
        high, passed = 0, set()
        for state, log in game:
            for effect in log.effects:
                if effect.type == "bid_placed":
                    assert effect.data["amount"] > high
                    high = effect.data["amount"]
                elif effect.type == "auction_passed":
                    passed.add(effect.data["seat"])
                elif effect.type == "office_awarded":
                    assert effect.data["price"] == high
                    high, passed = 0, set()
            if state.phase == "auction":
                assert state.decider not in passed


@SEATS
def test_dice_are_rolled_for_the_punts_at_sea(seats: int) -> None:
    for game in games(seats):
        for (before, _), (_, log) in pairwise(game):
            rolls = [effect.data for effect in log.effects if effect.type == "dice_rolled"]
            for roll in rolls:
                assert 1 <= roll["movement"] <= 3
                assert len(roll["dice"]) == (
                    len(before.at_sea) if before.phase == "movement" else 0
                )
                assert all(1 <= value <= 6 for value in roll["dice"].values())


def test_profits_are_divided_without_a_remainder() -> None:
    for ware, profit in enumerate(PROFITS):
        for count in range(1, len(COSTS[ware]) + 1):
            assert profit % count == 0
    assert [sum(PAYOUTS[SHIPYARD][:n]) for n in range(4)] == [0, 6, 14, 29]


@pytest.mark.parametrize(
    ("rolls", "position", "arrives", "strands"),
    [
        (3, 0, 0.162, 0.097),
        (3, 3, 0.5, 0.125),
        (3, 5, 0.741, 0.097),
        (3, 10, 0.995, 0.005),
        (2, 1, 0, 0.028),
        (2, 7, 0.583, 0.139),
        (2, 11, 0.972, 0.028),
        (1, 7, 0, 0.167),
        (1, 12, 0.833, 0.167),
        (1, 13, 1, 0),
        (0, 13, 0, 1),
    ],
)
def test_the_odds_of_a_punt_are_exact(
    rolls: int, position: int, arrives: float, strands: float
) -> None:
    found = [chance / SURE for chance in odds(rolls, position)]
    assert found == pytest.approx([arrives, strands], abs=0.0005)
