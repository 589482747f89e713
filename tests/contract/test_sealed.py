"""``sealed`` hides values in every possible way, and forgets nothing that a seat saw."""

import inspect
import random
from typing import Any

from rules.kernel.canonical import encode
from rules.kernel.contract.chance import Chance, scripted, uniform
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.ruleset import (
    ChanceEvent,
    Decision,
    GameOver,
    MoveEvent,
    ResignationEvent,
)
from rules.kernel.contract.seats import Seat, all_seats, by_seat
from tests import sealed
from tests.sealed import RULESET, Bid, Store

KNOWN = {"sunk": [[0]], "card": [[1], [2], [0], [0], [0]], "house": [[0]] * 6}
"""The draws of the game: card 1 is sunk, the leaders draw 3, 5, 2, 4, then the card under the
pile."""


def start(seats: int, rounds: int = 5) -> Any:
    return RULESET.initial(seats, RULESET.parse_options(seats, {"rounds": rounds}))


def let_nature_play(state: Any, log: EffectLog | None = None) -> None:
    nature = scripted(KNOWN, uniform(random.Random(1)))
    while isinstance(turn := RULESET.turn(state), Chance):
        RULESET.reduce(state, ChanceEvent(turn.label, turn.n, nature(turn)), log)


def play_round(state: Any, *, under: bool, bids: list[int]) -> EffectLog:
    let_nature_play(state)
    turn = RULESET.turn(state)
    assert isinstance(turn, Decision)
    if turn.name == "store":
        RULESET.reduce(state, MoveEvent(turn.seats[0], Store(under)))
    log = EffectLog()
    for seat, bid in by_seat(bids):
        RULESET.reduce(state, MoveEvent(seat, Bid(bid)), log)
    let_nature_play(state, log)
    return log


def test_it_is_small() -> None:
    assert len(inspect.getsource(sealed).splitlines()) <= 200


def test_a_seat_remembers_the_card_that_it_laid_under_the_pile() -> None:
    state = start(2, rounds=6)
    for number in range(4):  # only the first leader's card goes under the pile
        play_round(state, under=number == 0, bids=[0, 0])
    let_nature_play(state)
    assert state["leader"] == 0
    play_round(state, under=True, bids=[0, 0])  # seat 0 draws card 3 and puts it back
    let_nature_play(state)
    RULESET.reduce(state, MoveEvent(Seat(1), Store(under=False)))  # seat 1 draws that card
    assert state["hands"][1][-1] == 3
    for viewer, shown in ((Seat(0), 3), (Seat(1), 3), (None, -1)):
        assert RULESET.view(state, viewer)["cards"][3][-1] == shown
    for seed in range(20):
        information = RULESET.information(state, Seat(0))
        guess = RULESET.determinize(information, random.Random(seed))
        assert guess["hands"][1][-1] == 3


def test_bids_are_opened_together() -> None:
    state = start(3)
    log = play_round(state, under=False, bids=[2, 0, 1])
    assert log.opened == [("move", "bid", seat) for seat in all_seats(3)]
    assert state["prizes"] == [1, 0, 0, 0]
    assert state["coins"] == [4, 6, 6, 6]


def test_a_tie_goes_to_nobody() -> None:
    state = start(2)
    log = play_round(state, under=False, bids=[2, 2])
    awarded = next(effect for effect in log.effects if effect.type == "prize_awarded")
    assert awarded.data == {"side": None, "bid": 2}
    assert state["coins"] == [6, 6, 6]


def test_the_sunk_card_is_turned_after_the_second_round() -> None:
    state = start(2)
    assert ("picks", "sunk", 1) not in play_round(state, under=False, bids=[1, 0]).opened
    assert RULESET.view(state, None)["cards"][0] == [-1]
    assert ("picks", "sunk", 1) in play_round(state, under=False, bids=[1, 0]).opened
    assert RULESET.view(state, None)["cards"][0] == [1]


def test_three_prizes_end_the_game_and_the_house_is_ranked() -> None:
    state = start(2)
    for _ in range(3):
        play_round(state, under=False, bids=[1, 0])
    assert isinstance(RULESET.turn(state), GameOver)
    result = RULESET.result(state)
    assert result.reason == "prizes_won"
    assert [standing.side for standing in result.standings] == [
        "seat:0",
        "seat:1",
        "automaton:house",
    ]
    assert encode(RULESET.view(state, None)) == encode(RULESET.view(state, Seat(1)))


def test_when_everybody_has_resigned_it_is_over() -> None:
    state = start(2)
    let_nature_play(state)
    RULESET.reduce(state, ResignationEvent(Seat(1)))
    assert isinstance(RULESET.turn(state), Decision)
    RULESET.reduce(state, ResignationEvent(Seat(0)))
    assert RULESET.result(state).reason == "abandoned"
