"""The inherited parts of rulesets: options, and the order of a move's checks."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import pytest

from rules.kernel.canonical import encode
from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.errors import BadOptions, BrokenRules, ErrorCode, IllegalMove
from rules.kernel.contract.fields import Choice, Integer
from rules.kernel.contract.move import Move, param
from rules.kernel.contract.ruleset import ChanceEvent, Decision
from rules.kernel.contract.seats import Seat
from rules.ragusa import RULESET as RAGUSA
from tests.sealed import RULESET, Sealed

CODES = {
    "over": "game_over",
    "unknown": "unknown_move",
    "malformed": "malformed_move",
    "phase": "wrong_phase",
    "seat": "not_asked",
}


def state_at_decision(phase: str) -> Any:
    state = RULESET.initial(2, RULESET.parse_options(2, {}))
    nature = uniform(random.Random(1))
    while not isinstance(turn := RULESET.turn(state), Decision):
        assert isinstance(turn, Chance)
        RULESET.reduce(state, ChanceEvent(turn.label, turn.n, nature(turn)))
    assert turn.name == "store"
    state["phase"] = phase
    return state


def refusal(ruleset: Sealed, state: Any, seat: Seat, data: dict[str, Any]) -> str:
    with pytest.raises(IllegalMove) as caught:
        ruleset.read_move(state, seat, data)
    encode(caught.value.details)
    return caught.value.code


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        ({"type": "fly"}, {"over", "unknown", "phase", "seat"}),
        ({"type": ["bid"]}, {"over", "unknown", "phase", "seat"}),
        ({}, {"over", "unknown", "phase", "seat"}),
        ({"type": "bid"}, {"over", "malformed", "phase", "seat"}),
        ({"type": "store", "under": True, "more": 1}, {"over", "malformed", "seat"}),
        ({"type": "bid", "amount": 1}, {"over", "phase", "seat"}),
    ],
)
def test_the_first_thing_wrong_is_told(data: dict[str, Any], wrong: set[str]) -> None:
    """The move ``wrong`` of seat 1, without a decision, after the end; then of seat 0 in play."""
    for order in permutations(CODES):
        ruleset = Sealed()
        checks = RULESET.general_checks._replace(order=order)
        ruleset.general_checks = checks  # type: ignore[misc]  # other rules check in another order
        state = state_at_decision("store")
        state["reason"] = "abandoned"
        first = next(check for check in order if check in wrong)
        assert refusal(ruleset, state, Seat(1), data) == CODES[first], order
        state["reason"] = None
        left = [check for check in order if check in wrong - {"over", "seat"}]
        assert refusal(ruleset, state, Seat(0), data) == CODES[left[0]], order


def test_a_legal_move_is_read() -> None:
    state = state_at_decision("store")
    move = RULESET.read_move(state, Seat(0), {"type": "store", "under": True})
    assert move in RULESET.legal_moves(state, Seat(0))
    assert RULESET.legal_moves(state, Seat(1)) == ()


def test_the_rest_is_for_the_move_to_check() -> None:
    assert refusal(RULESET, state_at_decision("store"), Seat(0), {"type": "store", "under": 1}) == (
        "not_a_place"
    )
    bid = state_at_decision("bid")
    assert refusal(RULESET, bid, Seat(0), {"type": "bid", "amount": 7}) == "not_your_coins"


class Code(ErrorCode):
    NO_WARE = "no_ware", "{value} is no ware"
    TOO_MANY = "too_many", "there are not {value} of {ware}"


@dataclass(frozen=True, slots=True)
class Sell(Move[Any], type="store"):
    """Sell wares."""

    ware: str = param(Choice(("rum", "silk")), "what", refused=Code.NO_WARE)
    number: int = param(Integer(1, 3), "how many", refused=Code.TOO_MANY)
    price: int = param(Integer(1, 3), "for how much")


class Market(Sealed):
    move_types = (Sell,)  # type: ignore[assignment]  # instead of the other two


@pytest.mark.parametrize(
    ("wrong", "code", "message"),
    [
        ({"ware": "tea", "number": 4}, "no_ware", "tea is no ware"),
        ({"number": 4}, "too_many", "there are not 4 of rum"),
        ({"ware": 7}, "no_ware", "7 is no ware"),
        ({"ware": "tea", "price": 9}, "malformed_move", "store takes no such price: 9 is not"),
        ({"ware": "tea", "more": 1}, "malformed_move", "store has no more"),
    ],
)
def test_what_is_malformed_is_told_before_a_value_of_no_kind(
    wrong: dict[str, Any], code: str, message: str
) -> None:
    data = {"type": "store", "ware": "rum", "number": 1, "price": 1, **wrong}
    with pytest.raises(IllegalMove, match=message) as caught:
        Market().read_move(state_at_decision("store"), Seat(0), data)
    assert caught.value.code == code


def test_a_wrong_type_is_malformed_if_the_game_says_so() -> None:
    ruleset = Market()
    checks = RULESET.general_checks._replace(types=True)
    ruleset.general_checks = checks  # type: ignore[misc]  # other rules check types first
    for wrong in ({"ware": 7}, {"ware": "tea", "number": "4"}):
        data = {"type": "store", "ware": "rum", "number": 1, "price": 1, **wrong}
        assert refusal(ruleset, state_at_decision("store"), Seat(0), data) == "malformed_move"


def test_moves_are_listed_type_by_type_however_their_types_list_them() -> None:
    class Choosy(Sell):
        type = "choosy"

        @classmethod
        def legal(cls, state: Any, seat: Seat) -> list[Any]:
            return [cls("silk", 3, 1)]

    class Narrow(Sell):
        type = "narrow"

        @classmethod
        def candidates(cls, state: Any, seat: Seat) -> list[Any]:
            return [cls("rum", 1, 1), cls("rum", 2, 1)]

    class Cheap(Sell):
        type = "cheap"

        def refusal(self, state: Any, seat: Seat) -> ErrorCode | None:
            return Code.TOO_MANY if self.price > 1 else None

    class Fair(Sealed):
        def moves_now(self, state: Any) -> Any:
            return (Cheap, Sell, Narrow, Choosy, Cheap)

    legal = Fair().legal_moves(state_at_decision("store"), Seat(0))
    cheap = [move for move in Cheap.pool() if move.price == 1]
    narrow = [Narrow("rum", 1, 1), Narrow("rum", 2, 1)]
    assert legal == [*cheap, *Sell.pool(), *narrow, Choosy("silk", 3, 1), *cheap]


def test_options_are_filled_in() -> None:
    assert RULESET.parse_options(3, {}) == {"rounds": 5}
    assert RULESET.parse_options(3, {"rounds": 2}) == {"rounds": 2}


@pytest.mark.parametrize(
    ("call", "option"),
    [
        (lambda: RULESET.parse_options(1, {}), "seats"),
        (lambda: RULESET.parse_options(5, {}), "seats"),
        (lambda: RULESET.parse_options(2, {"round": 3}), "round"),
        (lambda: RULESET.parse_options(2, {"rounds": 7}), "rounds"),
        (lambda: RULESET.parse_options(2, {"rounds": True}), "rounds"),
        (lambda: RULESET.parse_options(2, {"rounds": 10**5000}), "rounds"),
    ],
)
def test_other_options_are_refused(call: Callable[[], Any], option: str) -> None:
    with pytest.raises(BadOptions) as caught:
        call()
    assert caught.value.option == option
    assert option in str(caught.value) or option == "seats"


@pytest.mark.parametrize("phase", ["nowhere", "main_place_house"])
def test_only_a_phase_that_leads_nowhere_is_the_end(phase: str) -> None:
    state = RAGUSA.initial(2, RAGUSA.parse_options(2, {}))
    state.wait(phase)
    with pytest.raises(BrokenRules, match=phase):
        RAGUSA.turn(state)


def test_what_an_option_takes_is_said() -> None:
    with pytest.raises(BadOptions, match="option rounds does not take 7: 7 is not from 2 to 6"):
        RULESET.parse_options(2, {"rounds": 7})


def test_words_of_a_refusal_may_name_parameters_and_details() -> None:
    class Code(ErrorCode):
        TAKEN = "taken", "{space} belongs to {by}"

    illegal = IllegalMove.of(Code.TAKEN.of(by=2), {"type": "place", "space": "a1"})
    assert illegal.message == "a1 belongs to 2"
    assert illegal.details == {"by": 2}
    assert illegal.said == {"type": "place", "space": "a1", "by": 2}
