"""Every error code of the rules, and the order of the checks."""

from collections.abc import Callable

import pytest

from rules.kernel.contract.errors import IllegalMove
from rules.santiago_de_cuba import RULESET
from rules.santiago_de_cuba.errors import Error
from tests.rules.playing import JUNK, Json, bad_option
from tests.rules.santiago_de_cuba.table import (
    A,
    B,
    Table,
    at_alonso,
    at_building,
    in_harbour,
)


def _over() -> Table:
    return at_building("port_office", value_index=2, ship_number=7).play(
        A, "use_building", direction="right"
    )


def _choosing() -> Table:
    return Table(demand=None, phase="choose_demand")


def _loading() -> Table:
    return in_harbour(
        players={A: {"goods": {"citrus": 1, "rum": 2, "wood": 1}}},
        demand={"sugar": 0, "citrus": 4, "tobacco": 2, "rum": 1},
    )


def _pablo() -> Table:
    return Table(
        players={A: {"goods": {}}, B: {"goods": {"rum": 8}}},
        phase="take_good",
        visited_citizen="pablo",
        car=9,
    )


def _tribute() -> Table:
    players = {B: {"pesos": 0, "goods": {"rum": 1}}}
    table = Table(players=players, car=2)
    return table.play(A, "drive_car", steps=1)


def _moving() -> Table:
    players = {A: {"pawn": "bank"}, B: {"pawn": "black_market"}}
    return Table(3, players=players, car=1).play(A, "drive_car", steps=1)


def _no_demand(building: str) -> Table:
    return at_building(building, demand=None)


def _use(building: str) -> Callable[[], Table]:
    holdings = {"pesos": 2, "vp": 1, "goods": {"sugar": 2, "citrus": 1, "wood": 0}}
    return lambda: at_building(
        building,
        players={A: holdings, B: {"goods": {"rum": 7, "tobacco": 8}}},
        demand={"citrus": 0, "tobacco": 1, "rum": 2, "cigars": 1},
        inactive=["pedro"],
    )


def _empty_handed() -> Table:
    demand = {"citrus": 0, "tobacco": 1, "rum": 2, "cigars": 1}
    return at_building("office", players={A: {"goods": {}}}, demand=demand)


def _errand() -> Table:
    return at_alonso(owner={"bank": A, "port_office": A, "church": B})


def _landlord() -> Table:
    return at_alonso(owner={"bank": A, "church": A, "casino": A})


def _load(good: str, amount: int, die: str) -> Json:
    return {"type": LOAD, "good": good, "amount": amount, "die": die}


def _using(**params: object) -> Json:
    return {"type": USE, **params}


LOAD = "load_goods"
GIVE = "give_tribute"
USE = "use_building"
CASES: list[tuple[str, Callable[[], Table], int, Json]] = [
    # Any move
    ("game_over", _over, A, {"type": "drive_car", "steps": 1}),
    ("game_over", _over, A, {"type": "nonsense"}),
    ("unknown_action", Table, A, {"type": "nonsense"}),
    ("unknown_action", Table, B, {"type": ["drive_car"]}),
    ("malformed_parameters", Table, B, {"type": "pass_loading", "steps": 1}),
    ("malformed_parameters", Table, A, {"type": "drive_car"}),
    ("malformed_parameters", Table, A, {"type": "drive_car", "steps": 1, "x": 1}),
    ("wrong_phase", Table, B, {"type": "pass_loading"}),
    ("wrong_phase", Table, B, {"type": "use_building", "x": 1}),
    ("not_your_decision", Table, B, {"type": "drive_car", "steps": 99}),
    # Demand
    ("unknown_good", _choosing, A, {"type": "choose_demand", "leave_out": "gold"}),
    ("good_has_no_die", _choosing, A, {"type": "choose_demand", "leave_out": "wood"}),
    # Driving
    ("invalid_steps", Table, A, {"type": "drive_car", "steps": 11}),
    ("invalid_steps", Table, A, {"type": "drive_car", "steps": 0}),
    ("invalid_steps", Table, A, {"type": "drive_car", "steps": True}),
    ("insufficient_pesos", Table, A, {"type": "drive_car", "steps": 5}),
    # Loading, in the order of the checks
    ("unknown_good", _loading, A, _load("gold", 0, "wood")),
    ("unknown_good", _loading, A, _load("rum", 0, "gold")),
    ("good_has_no_die", _loading, A, _load("rum", 0, "wood")),
    ("good_has_no_die", _loading, A, _load("wood", 0, "wood")),
    ("die_mismatch", _loading, A, _load("rum", 0, "cigars")),
    ("good_not_demanded", _loading, A, _load("sugar", 0, "sugar")),
    ("good_not_demanded", _loading, A, _load("wood", 0, "cigars")),
    ("good_not_held", _loading, A, _load("tobacco", 0, "tobacco")),
    ("invalid_amount", _loading, A, _load("rum", 0, "rum")),
    ("exceeds_demand", _loading, A, _load("rum", 3, "rum")),
    ("exceeds_held", _loading, A, _load("citrus", 2, "citrus")),
    # A wrong JSON type comes first; a value that names nothing is refused in its usual place: R57
    ("unknown_good", lambda: _no_demand("office"), A, _using(good=7)),
    ("not_owner", _errand, A, {"type": "alonso_use", "building": "office", "good": "gold"}),
    ("unknown_good", _errand, A, {"type": "alonso_use", "building": "office", "good": None}),
    ("unknown_building", _errand, A, {"type": "alonso_use", "building": "gold"}),
    ("unknown_good", _loading, A, _load("wood", 1, "gold")),
    # Pablo
    ("unknown_good", _pablo, A, {"type": "take_good", "good": "gold"}),
    ("wood_not_allowed", _pablo, A, {"type": "take_good", "good": "wood"}),
    ("supply_exhausted", _pablo, A, {"type": "take_good", "good": "rum"}),
    # El Zorro
    ("malformed_parameters", _tribute, B, {"type": GIVE}),
    ("malformed_parameters", _tribute, B, {"type": GIVE, "kind": "wood"}),
    ("malformed_parameters", _tribute, B, {"type": GIVE, "kind": "good"}),
    ("malformed_parameters", _tribute, B, {"type": GIVE, "kind": "vp", "good": "rum"}),
    ("malformed_parameters", _tribute, B, {"type": GIVE, "kind": "vp", "good": None}),
    ("unknown_good", _tribute, B, {"type": GIVE, "kind": "good", "good": "gold"}),
    ("unknown_good", _tribute, B, {"type": GIVE, "kind": "good", "good": None}),
    ("wood_not_allowed", _tribute, B, {"type": GIVE, "kind": "good", "good": "wood"}),
    ("nothing_to_give", _tribute, B, {"type": GIVE, "kind": "good", "good": "sugar"}),
    ("nothing_to_give", _tribute, B, {"type": GIVE, "kind": "peso"}),
    # Alonso
    ("unknown_building", _errand, A, {"type": "alonso_claim", "building": "hotel"}),
    ("no_markers_left", _landlord, A, {"type": "alonso_claim", "building": "cafe"}),
    ("building_already_owned", _errand, A, {"type": "alonso_claim", "building": "church"}),
    ("malformed_parameters", _errand, B, {"type": "alonso_use", "direction": "right"}),
    ("unknown_building", _errand, A, {"type": "alonso_use", "building": "hotel", "x": 1}),
    ("not_owner", _errand, A, {"type": "alonso_use", "building": "church", "x": 1}),
    ("not_owner", _errand, A, {"type": "alonso_use", "building": "cafe"}),
    ("malformed_parameters", _errand, A, {"type": "alonso_use", "building": "bank", "x": 1}),
    ("malformed_parameters", _errand, A, {"type": "alonso_use", "building": "port_office"}),
    (
        "marker_at_minimum",
        _errand,
        A,
        {"type": "alonso_use", "building": "port_office", "direction": "left"},
    ),
    # The pawn
    ("unknown_building", _moving, A, {"type": "move_pawn", "building": "hotel"}),
    ("building_wrong_flower", _moving, A, {"type": "move_pawn", "building": "church"}),
    ("building_occupied", _moving, A, {"type": "move_pawn", "building": "black_market"}),
    ("pawn_must_move", _moving, A, {"type": "move_pawn", "building": "bank"}),
    # Buildings
    ("not_your_decision", _use("bank"), B, _using(x=1)),
    ("malformed_parameters", _use("bank"), A, _using(amount=1)),
    ("malformed_parameters", _use("distillery"), A, _using()),
    ("malformed_parameters", _use("newspaper"), A, _using()),
    ("malformed_parameters", _use("casino"), A, _using(direction="left", times=1)),
    ("malformed_parameters", _use("port_office"), A, _using(direction="up")),
    ("invalid_amount", _use("casino"), A, _using(direction="pesos_to_vp", times=0)),
    ("insufficient_pesos", _use("casino"), A, _using(direction="pesos_to_vp", times=1)),
    ("insufficient_vp", _use("casino"), A, _using(direction="vp_to_pesos", times=2)),
    ("marker_at_minimum", _use("port_office"), A, _using(direction="left")),
    ("invalid_amount", _use("distillery"), A, _using(amount=0)),
    ("exceeds_held", _use("distillery"), A, _using(amount=3)),
    ("supply_exhausted", _use("distillery"), A, _using(amount=2)),
    ("exceeds_held", _use("tobacco_factory"), A, _using(amount=1)),
    ("no_ship_demand", lambda: _no_demand("office"), A, _using(good="gold")),
    ("no_ship_demand", lambda: _no_demand("office"), A, _using(good="wood")),
    ("unknown_good", _use("office"), A, _using(good="gold")),
    ("wood_not_allowed", _use("office"), A, _using(good="wood")),
    ("good_not_demanded", _use("office"), A, _using(good="sugar")),
    ("good_not_demanded", _use("office"), A, _using(good="citrus")),
    ("good_not_demanded", _empty_handed, A, _using(good="sugar")),
    ("good_not_demanded", _empty_handed, A, _using(good="citrus")),
    ("good_not_held", _use("office"), A, _using(good="rum")),
    ("unknown_good", _use("black_market"), A, _using(give="wood", take="gold")),
    ("wood_not_allowed", _use("black_market"), A, _using(give="wood", take="wood")),
    ("same_good", _use("black_market"), A, _using(give="rum", take="rum")),
    ("good_not_held", _use("black_market"), A, _using(give="rum", take="tobacco")),
    ("supply_exhausted", _use("black_market"), A, _using(give="sugar", take="tobacco")),
    ("good_not_held", _use("sawmill"), A, _using()),
    ("unknown_citizen", _use("newspaper"), A, _using(citizen="fidel")),
    ("citizen_already_inactive", _use("newspaper"), A, _using(citizen="pedro")),
    ("invalid_amount", _use("cafe"), A, _using(rum=2, cigars=0)),
    ("invalid_amount", _use("cafe"), A, _using(rum=True, cigars=0)),
    ("nothing_selected", _use("cafe"), A, _using(rum=0, cigars=0)),
    ("good_not_held", _use("cafe"), A, _using(rum=0, cigars=1)),
    ("no_ship_demand", lambda: _no_demand("customs"), A, _using(good="gold")),
    ("no_ship_demand", lambda: _no_demand("customs"), A, _using(good="wood")),
    ("unknown_good", _use("customs"), A, _using(good="gold")),
    ("good_has_no_die", _use("customs"), A, _using(good="wood")),
    ("good_not_demanded", _use("customs"), A, _using(good="sugar")),
    ("die_already_zero", _use("customs"), A, _using(good="citrus")),
]


@pytest.mark.parametrize(("code", "position", "seat", "move"), CASES)
def test_the_move_is_refused_with_the_code(
    code: str, position: Callable[[], Table], seat: int, move: Json
) -> None:
    assert position().refused_json(seat, move) == code


def test_every_code_is_covered() -> None:
    covered = {code for code, *_ in CASES}
    assert covered == set(RULESET.error_codes)
    assert len(RULESET.error_codes) == len(set(RULESET.error_codes)) == 33
    assert RULESET.error_codes == tuple(Error)


# A wrong type never crashes: it gets the code of its parameter


OWN_CODES: list[tuple[Callable[[], Table], int, Json, str, set[str]]] = [
    (_choosing, A, {"type": "choose_demand"}, "leave_out", {"unknown_good"}),
    (Table, A, {"type": "drive_car"}, "steps", {"invalid_steps"}),
    (_loading, A, {"type": LOAD, "amount": 1, "die": "rum"}, "good", {"unknown_good"}),
    (_loading, A, {"type": LOAD, "good": "rum", "amount": 1}, "die", {"unknown_good"}),
    (
        _loading,
        A,
        {"type": LOAD, "good": "rum", "die": "rum"},
        "amount",
        {"invalid_amount", "exceeds_demand"},
    ),
    (_pablo, A, {"type": "take_good"}, "good", {"unknown_good"}),
    (_tribute, B, {"type": GIVE}, "kind", {"malformed_parameters"}),
    (_tribute, B, {"type": GIVE, "kind": "good"}, "good", {"unknown_good"}),
    (_errand, A, {"type": "alonso_claim"}, "building", {"unknown_building"}),
    (_errand, A, {"type": "alonso_use"}, "building", {"unknown_building"}),
    (_moving, A, {"type": "move_pawn"}, "building", {"unknown_building"}),
    (_use("casino"), A, {"type": USE, "times": 1}, "direction", {"malformed_parameters"}),
    (
        _use("casino"),
        A,
        {"type": USE, "direction": "vp_to_pesos"},
        "times",
        {"invalid_amount", "insufficient_vp"},
    ),
    (_use("port_office"), A, {"type": USE}, "direction", {"malformed_parameters"}),
    (_use("distillery"), A, {"type": USE}, "amount", {"invalid_amount", "exceeds_held"}),
    (_use("office"), A, {"type": USE}, "good", {"unknown_good"}),
    (_use("black_market"), A, {"type": USE, "take": "rum"}, "give", {"unknown_good"}),
    (_use("black_market"), A, {"type": USE, "give": "sugar"}, "take", {"unknown_good"}),
    (_use("cafe"), A, {"type": USE, "cigars": 1}, "rum", {"invalid_amount", "good_not_held"}),
    (_use("customs"), A, {"type": USE}, "good", {"unknown_good"}),
]


@pytest.mark.parametrize(("position", "seat", "move", "param", "codes"), OWN_CODES)
def test_junk_gets_the_code_of_its_parameter(
    position: Callable[[], Table], seat: int, move: Json, param: str, codes: set[str]
) -> None:
    table = position()
    for junk in JUNK:
        assert table.refused_json(seat, {**move, param: junk}) in codes


def test_junk_for_the_newspaper() -> None:
    table = _use("newspaper")()
    for junk in JUNK:
        if junk is not None:
            assert table.refused(A, USE, citizen=junk) == "unknown_citizen"


def test_a_type_of_any_kind_is_unknown() -> None:
    for junk in JUNK:
        assert Table().refused(A, junk) == "unknown_action"


def test_a_move_made_in_code_is_checked_too() -> None:
    for data in ({"type": "drive_car", "steps": 5}, {"type": GIVE, "kind": "vp"}):
        move = RULESET.recorded_move(data)
        with pytest.raises(IllegalMove):
            RULESET.check(Table().state, A, move)
    RULESET.check(Table().state, A, RULESET.recorded_move({"type": "drive_car", "steps": 2}))


# Options


@pytest.mark.parametrize(
    ("seats", "given", "option"),
    [
        (1, {}, "seats"),
        (5, {}, "seats"),
        (2, {"colour": "red"}, "colour"),
        (2, {"start_player": 2}, "start_player"),
        (4, {"start_player": 4}, "start_player"),
        (2, {"start_player": True}, "start_player"),
        (2, {"start_player": "first"}, "start_player"),
        (2, {"holdings_visibility": "secret"}, "holdings_visibility"),
        (2, {"citizen_order": ["pedro"] * 9}, "citizen_order"),
        (2, {"citizen_order": "pedro"}, "citizen_order"),
        (2, {"building_order": [[]] * 12}, "building_order"),
        (2, {"turn_limit": -1}, "turn_limit"),
        (2, {"turn_limit": 1.0}, "turn_limit"),
        (2, {"turn_limit": 1_000_001}, "turn_limit"),
        (2, {"turn_limit": 10**5000}, "turn_limit"),
    ],
)
def test_bad_options_name_the_option(seats: int, given: Json, option: str) -> None:
    assert bad_option(RULESET, seats, given) == option
