"""Impossible states, and the invariants that they violate."""

from collections.abc import Callable

import pytest

from rules.santiago_de_cuba import RULESET
from tests.rules.playing import Json
from tests.rules.santiago_de_cuba.table import (
    BUILDINGS,
    CITIZENS,
    DICE,
    A,
    B,
    C,
    Table,
    at_alonso,
    at_building,
    in_harbour,
)


def _ended_by_the_limit() -> Table:
    return at_building("bank", turn_limit=3).play(A, "skip_building")


def _ended_by_the_flag() -> Table:
    table = at_building("port_office", value_index=2, ship_number=7)
    return table.play(A, "use_building", direction="right")


def _choosing() -> Table:
    return Table(demand=None, phase="choose_demand")


def _shuffling() -> Table:
    table = Table()
    table.state = RULESET.initial(2, RULESET.parse_options(2, {}))
    return table


def _giving() -> Table:
    return Table(3, car=2).play(A, "drive_car", steps=1)


def _choosing_a_good() -> Table:
    return Table(car=8).play(A, "drive_car", steps=1)


def _moving() -> Table:
    return Table(car=1).play(A, "drive_car", steps=1)


def _using() -> Table:
    return at_building("bank")


def _passed() -> Table:
    return in_harbour(3).play(A, "pass_loading")


def _holding(**changes: object) -> Json:
    return {**Table().player(A), **changes}


CASES: list[tuple[Callable[[], Table], Json, str]] = [
    # Holdings
    (Table, {"supply": dict.fromkeys((*DICE, "wood"), 8)}, "10 sugar in the game, not 8"),
    (Table, {"supply": {**Table()["supply"], "rum": -1}}, "there is less than no rum"),
    (
        Table,
        {"players": [_holding(goods={**Table().player(A)["goods"], "rum": -1}), _holding()]},
        "there is less than no rum",
    ),
    (Table, {"players": [_holding(pesos=-1), _holding()]}, "seat 0 has -1 pesos"),
    (Table, {"players": [_holding(vp=-1), _holding()]}, "seat 0 has -1 VP"),
    # The town
    (Table, {"building_order": None}, "the buildings are not each on one space"),
    (Table, {"building_order": ["bank"] * 12}, "the buildings are not each on one space"),
    (_shuffling, {"building_order": ["bank"]}, "the buildings are not each on one space"),
    (Table, {"citizen_order": None}, "the citizens are not each at one stop"),
    (Table, {"citizen_order": ["pablo"] * 9}, "the citizens are not each at one stop"),
    (_shuffling, {"citizen_order": ["pablo"]}, "the citizens are not each at one stop"),
    (Table, {"car": 10}, "the car is at stop 10"),
    (Table, {"owner": {"bank": 9}}, "bank belongs to seat 9"),
    (Table, {"owner": {"bank": A}}, "seat 0 has lost an ownership marker or found one"),
    (Table, {"players": [_holding(pawn="bank")] * 2}, "two pawns share a building"),
    # The ship
    (Table, {"ship_number": 8}, "ship 8 is in the harbour"),
    (Table, {"value_index": 3}, "the value marker is on flag 3"),
    (_ended_by_the_limit, {"value_index": 3}, "the value marker is on flag 3"),
    (_ended_by_the_flag, {"value_index": 4}, "the value marker is on flag 4"),
    (Table, {"left_out": None}, "there are dice on the ship or one left out, but not both"),
    (Table, {"left_out": "rum"}, "the die left out is on the ship"),
    (Table, {"demand": {"rum": 4}}, "the rum die shows 4"),
    (Table, {"demand": None, "left_out": None}, "the ship wants nothing in phase drive_car"),
    (
        _choosing,
        {"demand": {"rum": 1}, "left_out": "sugar"},
        "dice are rolled for a ship that has some",
    ),
    (_using, {"demand": {"rum": 0}}, "a full ship has not sailed"),
    (_ended_by_the_limit, {"demand": {"rum": 0}}, "a full ship has not sailed"),
    # The turn and the deciding seat
    (Table, {"active": None}, "seat -1 has the turn in phase drive_car"),
    (Table, {"active": C}, "seat 2 has the turn among 2"),
    (_shuffling, {"active": A}, "seat 0 has the turn in phase shuffle_buildings"),
    (Table, {"decider": B}, "seat 1 is asked in phase drive_car"),
    (Table, {"decider": 5}, "seat 5 is asked in phase drive_car"),
    (Table, {"decider": None}, "seat -1 is asked in phase drive_car"),
    (_choosing, {"decider": B}, "seat 1 is asked in phase choose_demand"),
    (_choosing, {"turns_done": 0}, "seat 0 is asked in phase choose_demand"),
    (_choosing, {"phase": "roll_demand"}, "seat 0 is asked in phase roll_demand"),
    (_passed, {"decider": A}, "seat 0 is asked in phase loading_round"),
    (_passed, {"decider": 3}, "seat 3 is asked in phase loading_round"),
    (_giving, {"tribute_queue": [C]}, "seat 1 is asked in phase tribute"),
    (_giving, {"tribute_queue": []}, "0 players owe El Zorro in phase tribute"),
    (Table, {"tribute_queue": [B]}, "1 players owe El Zorro in phase drive_car"),
    (Table, {"passed": [A]}, "seats [0] have passed in phase drive_car"),
    (_ended_by_the_limit, {"passed": [A]}, "seats [0] have passed in phase game_over"),
    # The end
    (Table, {"end_reason": "turn_limit"}, "the end reason is turn_limit in phase drive_car"),
    (_ended_by_the_flag, {"end_reason": None}, "the end reason is None in phase game_over"),
    (_ended_by_the_flag, {"ship_number": 6}, "the game has ended with ship 6"),
    (_ended_by_the_flag, {"value_index": 1}, "the game has ended before the last ship has sailed"),
    (_ended_by_the_limit, {"turns_done": 2}, "the game has ended before the turn limit"),
    (_ended_by_the_limit, {"turns_done": 4}, "turn 4 is beyond the limit of 3"),
    (Table, {"turn_limit": 2}, "turn 2 is beyond the limit of 2"),
    # The question
    (Table, {"visited_citizen": "pablo"}, "pablo is visited in phase drive_car"),
    (_choosing_a_good, {"visited_citizen": None}, "nobody is visited in phase take_good"),
    (_moving, {"visited_citizen": None}, "nobody is visited in phase move_pawn"),
    (_moving, {"visited_citizen": "el_zorro"}, "el_zorro is visited from stop 2"),
    (
        _moving,
        {"visited_citizen": "el_zorro", "car": 3},
        "seat 0 has no legal move in phase move_pawn",
    ),
    (_choosing_a_good, {"phase": "alonso"}, "pablo is the host in phase alonso"),
    (at_alonso, {"phase": "take_good"}, "alonso is the host in phase take_good"),
    (
        _using,
        {"players": [_holding(), _holding()]},
        "seat 0 uses a building without a pawn on it",
    ),
]


@pytest.mark.parametrize(("position", "changes", "sentence"), CASES)
def test_what_no_play_leads_to_is_noticed(
    position: Callable[[], Table], changes: Json, sentence: str
) -> None:
    state = RULESET.from_json({**position().json, **changes})
    assert sentence in RULESET.violations(state)


def test_nothing_is_laid_out_before_the_shuffles() -> None:
    table = _shuffling()
    assert (table["building_order"], table["citizen_order"]) == (None, None)
    assert RULESET.violations(table.state) == []
    for options in ({"citizen_order": list(CITIZENS)}, {"building_order": list(BUILDINGS)}):
        state = RULESET.initial(2, RULESET.parse_options(2, options))
        assert RULESET.violations(state) == []


def test_r43_the_last_ship_leaves_the_turn_as_it_was() -> None:
    demand = {"sugar": 1, "citrus": 0, "tobacco": 0, "rum": 0}
    loaded = in_harbour(demand=demand, ship_number=7).play(A, "pass_loading")
    loaded.play(B, "load_goods", good="sugar", amount=1, die="sugar")
    assert (loaded["end_reason"], loaded["passed"]) == ("seventh_ship", [A])
    assert _ended_by_the_flag()["visited_citizen"] == "pedro"
