"""Why an element of the board cannot be chosen: worked cases of each game, and random positions."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from laws.book.previews import check_reason, elements
from laws.games import SEEDS, Spot, sample_game, sampled, spots
from laws.tables import Table
from rules.kernel.contract.preview import guess
from rules.kernel.contract.refusals import (
    MOST,
    PLAYABLE,
    REFUSED,
    SAYS,
    UNKNOWN,
    UNRELATED,
    WhyNot,
    why_not,
)
from rules.kernel.contract.ruleset import Decision, Ruleset
from rules.kernel.contract.seats import Seat
from tests.contract.tables import DEFAULT_TABLES
from tests.rules.macao import test_errors as macao
from tests.rules.manila import test_errors as manila
from tests.rules.playing import Json, Playing
from tests.rules.plus_ultra import test_errors as plus_ultra
from tests.rules.ragusa import test_errors as ragusa
from tests.rules.santiago_de_cuba import test_errors as santiago
from tests.rules.santiago_de_cuba.table import Table as Street

A = Seat(0)
BY_CODE: dict[str, dict[str, Callable[[], Playing]]] = {
    "santiago_de_cuba": {code: make for code, make, *_ in reversed(santiago.CASES)},
    "macao": {code: make for code, make, *_ in reversed(macao.CASES)},
    "manila": {code: make for code, make, *_ in reversed(manila.CASES)},
    "plus_ultra": {code: make for code, (make, *_) in plus_ultra.CASES.items()},
    "ragusa": {code: make for code, (make, *_) in ragusa.CASES.items()},
}
"""For each game and code the first position in which a move is refused with that code."""
CASES = [
    ("santiago_de_cuba", "insufficient_pesos", "place:stop_5", "drive_car", "section 1"),
    ("santiago_de_cuba", "good_not_demanded", "place:die_sugar", "load_goods", "R41"),
    ("santiago_de_cuba", "building_occupied", "piece:building:black_market", "move_pawn", "R16"),
    ("santiago_de_cuba", "building_wrong_flower", "piece:building:church", "move_pawn", "R15"),
    ("santiago_de_cuba", "supply_exhausted", "place:supply_rum", "take_good", "R25"),
    ("macao", "quarter_already_owned", "place:q01", "claim_quarter", "R17"),
    ("macao", "claim_limit_reached", "place:q05", "claim_quarter", "R19"),
    ("macao", "no_ownership_markers", "place:q05", "claim_quarter", "R5"),
    ("macao", "cubes_not_available", "place:q20", "claim_quarter", "R17"),
    ("macao", "not_adjacent", "place:macao", "move_ship", "R25"),
    ("macao", "card_already_used", "piece:card:cabin_boy", "use_card", "R34"),
    ("manila", "no_share_in_supply", "place:supply_silk", "buy_share", "R13"),
    ("manila", "blind_passenger_punts_only", "place:insurance", "place_accomplice", "R24"),
    ("manila", "cheapest_space_only", "place:shipyard_a", "place_accomplice", "R25"),
    ("manila", "punt_not_at_sea", "place:punt_silk", "place_accomplice", "R18"),
    ("manila", "no_pledged_share", "mat:0:pledged", "redeem_share", "R6"),
    ("plus_ultra", "insufficient_ducats", "place:common_painter", "common_painter", "R11"),
    ("plus_ultra", "common_already_used", "place:common_loan", "common_loan", "R28"),
    ("plus_ultra", "common_space_taken", "place:common_painter", "common_painter", "R29"),
    ("plus_ultra", "no_settlement_in_row", "place:row_1", "pirate_raid_goods", "R3"),
    ("plus_ultra", "character_not_in_pack", "piece:character:king", "draft_character", "section 2"),
    ("ragusa", "first_house_needs_wood_hex", "place:r21", "place_house", "R4"),
    ("ragusa", "commodity_required", "place:i07", "place_house", "R8"),
    ("ragusa", "resource_at_maximum", "mat:0:access_wood", "exchange_fish", "R5"),
    ("ragusa", "cannot_afford_ship", "place:slot_2", "buy_ship", "R33"),
    ("ragusa", "unknown_bonus_card", "piece:bonus_card:bonus_salt", "choose_bonus", "R15"),
]
"""A game, the code, an element, the type of the move that is refused, and the ruling behind it."""


def asked(ruleset: Ruleset[Any], state: Any, seat: Seat, element: str) -> WhyNot:
    guesses = [guess(ruleset, state, seat, random.Random(n)) for n in (0, 1)]
    return why_not(ruleset, guesses, seat, element)


def decider(table: Playing) -> Seat:
    turn = table.ruleset.turn(table.state)
    assert isinstance(turn, Decision)
    return turn.seats[0]


@pytest.mark.parametrize(
    ("game", "code", "element", "type_"),
    [pytest.param(*case, id=f"{case[0]} {ruling} {case[1]}") for *case, ruling in CASES],
)
def test_the_reason_is_the_rule_that_forbids_it(
    game: str, code: str, element: str, type_: str
) -> None:
    table = BY_CODE[game][code]()
    found = asked(table.ruleset, table.state, decider(table), element)
    assert found.refusal is not None
    assert found.move is not None
    assert (found.answer, found.refusal.code, found.move["type"]) == (REFUSED, code, type_)


def test_a_price_that_a_refusal_names_is_tried_as_payment() -> None:
    """Nobody is told that something else would not pay for what he cannot pay anyway."""
    table = BY_CODE["macao"]["cubes_not_available"]()
    found = asked(table.ruleset, table.state, A, "place:q03")
    assert found.move is not None
    assert found.refusal is not None
    assert (found.refusal.code, len(found.move["payment"])) == ("cubes_not_available", 2)


def test_what_is_not_for_now_is_said_so() -> None:
    table = BY_CODE["santiago_de_cuba"]["good_not_demanded"]()
    found = asked(table.ruleset, table.state, A, "piece:building:casino")
    assert found.refusal is not None
    assert found.refusal.code == "wrong_phase"


def test_what_a_legal_move_names_is_playable() -> None:
    table = Street()
    assert asked(table.ruleset, table.state, A, "place:stop_3").answer == PLAYABLE


@pytest.mark.parametrize(
    "element", ["place:nowhere", "mat:1:good_rum", "piece:dragon:1", "place", "", ":::", "{.}"]
)
def test_what_no_move_names_is_unrelated(element: str) -> None:
    table = Street()
    assert asked(table.ruleset, table.state, A, element) == WhyNot(UNRELATED)


def test_a_game_without_a_board_relates_to_nothing() -> None:
    table = next(each for each in DEFAULT_TABLES if each.ruleset.info.id == "sealed")
    spot = spots(sample_game(table, 1))[1]
    turn = table.ruleset.turn(spot.state)
    if isinstance(turn, Decision):
        assert asked(table.ruleset, spot.state, turn.seats[0], "place:a") == WhyNot(UNRELATED)


def test_what_two_guesses_answer_differently_nobody_can_know() -> None:
    rich, poor = (Street(players={A: {"pesos": pesos}}) for pesos in (20, 3))
    guesses = [rich.state, poor.state]
    assert why_not(rich.ruleset, guesses, A, "place:stop_5") == WhyNot(UNKNOWN)


def test_few_moves_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards of Macao have hundreds of payments."""
    table = BY_CODE["macao"]["card_already_used"]()
    ruleset, tried = table.ruleset, list[Json]()
    read_move = ruleset.read_move

    def counting(state: Any, seat: Seat, data: Json) -> Any:
        tried.append(data)
        return read_move(state, seat, data)

    monkeypatch.setattr(ruleset, "read_move", counting)
    for element in elements(ruleset, table.state, A):
        tried.clear()
        asked(ruleset, table.state, A, element)
        assert len(tried) <= 2 * (MOST + 1)


def test_it_is_said_in_each_language() -> None:
    assert {*SAYS["en"]} == {*SAYS["es"]} == {PLAYABLE, UNKNOWN, UNRELATED}


def checked(spot: Spot, count: int) -> int:
    """Check the reasons for some elements; return how many of them are refused."""
    turn = spot.ruleset.turn(spot.state)
    if not isinstance(turn, Decision):
        return 0
    seat, rng = turn.seats[0], random.Random(spot.where)
    named = sampled(elements(spot.ruleset, spot.state, seat), count, rng)
    return sum(check_reason(spot, seat, element).answer == REFUSED for element in named)


@pytest.mark.campaign("laws")
@pytest.mark.parametrize("at", DEFAULT_TABLES, ids=str)
def test_what_cannot_be_chosen_has_a_true_reason_in_whole_games(at: Table) -> None:
    found = [checked(spot, 12) for seed in SEEDS for spot in spots(sample_game(at, seed))]
    assert sum(found) > 0 or not elements(at.ruleset, at.initial(), A)
