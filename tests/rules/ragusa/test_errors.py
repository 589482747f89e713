"""Every error code of the rules, and the order of the checks."""

from collections.abc import Callable
from typing import Any

import pytest

from rules.ragusa import RULESET
from rules.ragusa.errors import Error
from tests.rules.playing import JUNK, check_junk
from tests.rules.ragusa.table import P0, P1, Table, start
from tests.rules.ragusa.test_examples import final, nature, silver

Case = tuple[Callable[[], Table], int, str, dict[str, object]]


def choosing() -> Table:
    table = Table()
    table.state = start(3)
    nature(table, {}, None)
    return table


def over() -> Table:
    return Table(first=True, **final()).play(P0, "decline")


def solo() -> Table:
    table = Table()
    table.state = start(1)
    nature(table, {}, None)
    return table


def at_market() -> Table:
    table = Table(access={P0: {"wood": 1, "stone": 1}}, stock={P0: {"wine": 2}}).place(P0, "i05")
    return table.activate(P0, "market")


def at_dock() -> Table:
    table = Table(access={P0: {"wood": 1, "stone": 1}}, stock={P0: {"wine": 2}}).place(P0, "i05")
    return table.activate(P0, "dock")


def at_architect() -> Table:
    table = Table(
        houses={"r11": P0}, first=True, access={P0: {"wood": 1, "stone": 1}}, towers={"b01": P1}
    )
    return table.place(P0, "b06")


def with_fish(amount: int = 2, **more: int) -> Table:
    return Table(access={P0: {"fish": amount, **more}})


CASES: dict[str, Case] = {
    Error.GAME_OVER: (over, P0, "decline", {}),
    Error.UNKNOWN_ACTION: (Table, P0, "fly", {}),
    Error.MALFORMED_PARAMETERS: (Table, P0, "place_house", {}),
    Error.NOT_YOUR_DECISION: (Table, P1, "place_house", {"space_id": "r05"}),
    Error.WRONG_PHASE: (Table, P0, "decline", {}),
    Error.UNKNOWN_BONUS_CARD: (choosing, P0, "choose_bonus", {"card_id": "bonus_salt"}),
    Error.UNKNOWN_SPACE: (Table, P0, "place_house", {"space_id": "r99"}),
    Error.SPACE_OCCUPIED: (Table, P0, "place_house", {"space_id": "r01"}),
    Error.SPACE_RESERVED: (solo, P0, "place_house", {"space_id": "i01"}),
    Error.FIRST_HOUSE_NEEDS_WOOD_HEX: (
        lambda: Table(first=True), P0, "place_house", {"space_id": "r21"},
    ),
    Error.COMMODITY_REQUIRED: (Table, P0, "place_house", {"space_id": "i07"}),
    Error.NOT_ENOUGH_WOOD: (
        lambda: Table(houses={"r14": P0, "r17": P0, "r18": P0}, access={P0: {"stone": 1}}),
        P0, "place_house", {"space_id": "b19"},
    ),
    Error.NOT_ENOUGH_STONE: (Table, P0, "place_house", {"space_id": "b06"}),
    Error.GRAPES_REQUIRED: (
        lambda: Table(access={P0: {"stone": 1}}), P0, "place_house", {"space_id": "i04"},
    ),
    Error.OLIVES_REQUIRED: (
        lambda: Table(access={P0: {"stone": 2, "wood": 2}}), P0, "place_house",
        {"space_id": "i06"},
    ),
    Error.SILVER_ORE_REQUIRED: (
        lambda: Table(access={P0: {"stone": 1, "wood": 1}}), P0, "place_house",
        {"space_id": "b21"},
    ),
    Error.FISH_REQUIRED: (
        lambda: Table(access={P0: {"stone": 1, "fish": 1}}, stock={P0: {"wine": 1}}), P0,
        "place_house", {"space_id": "i10"},
    ),
    Error.LEGAL_SPACE_EXISTS: (Table, P0, "forfeit_house", {}),
    Error.UNKNOWN_RESOURCE: (with_fish, P0, "exchange_fish", {"resource": "fish"}),
    Error.NOT_ENOUGH_FISH: (Table, P0, "exchange_fish", {"resource": "wood"}),
    Error.RESOURCE_AT_MAXIMUM: (
        lambda: with_fish(2, wood=8), P0, "exchange_fish", {"resource": "wood"},
    ),
    Error.HEX_NOT_PENDING: (
        lambda: Table(access={P0: {"wood": 1, "stone": 1}}, stock={P0: {"wine": 2}}).place(
            P0, "i05"
        ),
        P0, "activate_hex", {"hex_id": "winery"},
    ),
    Error.UNKNOWN_WALL: (silver, P0, "build_wall", {"wall_id": "w99"}),
    Error.WALL_ALREADY_BUILT: (
        lambda: silver().play(P0, "build_wall", wall_id="w20"), P0, "build_wall",
        {"wall_id": "w20"},
    ),
    Error.NOT_A_TOWER_SPACE: (at_architect, P0, "build_tower", {"space_id": "i01"}),
    Error.TOWER_ALREADY_BUILT: (at_architect, P0, "build_tower", {"space_id": "b01"}),
    Error.EMPTY_SHIP_SLOT: (at_market, P0, "buy_ship", {"slot": 6}),
    Error.CANNOT_AFFORD_SHIP: (at_market, P0, "buy_ship", {"slot": 2}),
    Error.UNKNOWN_COMMODITY: (at_dock, P0, "sell_commodity", {"commodity": "fish"}),
    Error.COMMODITY_NOT_IN_STOCK: (at_dock, P0, "sell_commodity", {"commodity": "oil"}),
}  # fmt: skip


def test_every_code_but_the_guard_has_a_case() -> None:
    """``no_houses_left`` guards a case that play never reaches."""
    assert set(CASES) | {Error.NO_HOUSES_LEFT} == set(Error) == set(RULESET.error_codes)


def test_the_guard() -> None:
    table = Table(sides={P0: {"houses_left": 0}})
    assert table.refused(P0, "place_house", space_id="r05") == Error.NO_HOUSES_LEFT


@pytest.mark.parametrize("code", CASES)
def test_the_code(code: str) -> None:
    make, seat, type_, params = CASES[code]
    assert make().refused(seat, type_, **params) == code


@pytest.mark.parametrize(
    ("make", "seat", "type_", "params", "code"),
    [
        (over, P1, "fly", {}, Error.GAME_OVER),
        (Table, P1, "decline", {}, Error.NOT_YOUR_DECISION),
        # An occupied space comes before missing things, and missing goods before resources.
        (Table, P0, "place_house", {"space_id": "i07"}, Error.COMMODITY_REQUIRED),
        (
            lambda: Table(houses={"i07": P1}), P0, "place_house", {"space_id": "i07"},
            Error.SPACE_OCCUPIED,
        ),
        # Wood comes before stone.
        (
            lambda: Table(houses={"r14": P0, "r17": P0, "r18": P0}), P0, "place_house",
            {"space_id": "b19"}, Error.NOT_ENOUGH_WOOD,
        ),
        # A value of a wrong type, or one that names nothing, comes before missing things: R54
        (choosing, P0, "choose_bonus", {"card_id": 3}, Error.UNKNOWN_BONUS_CARD),
        (Table, P0, "exchange_fish", {"resource": 3}, Error.UNKNOWN_RESOURCE),
        (Table, P0, "exchange_fish", {"resource": "gold"}, Error.UNKNOWN_RESOURCE),
    ],
)  # fmt: skip
def test_the_first_error_is_reported(
    make: Callable[[], Table], seat: int, type_: str, params: dict[str, object], code: str
) -> None:
    assert make().refused(seat, type_, **params) == code


@pytest.mark.parametrize("type_", RULESET.move_types, ids=lambda t: t.type)
@pytest.mark.parametrize("make", [Table, choosing, at_market, at_dock, at_architect, silver, over])
def test_junk_is_refused_with_a_code(make: Callable[[], Table], type_: Any) -> None:
    state = make().state
    names = [name for name in type_.schema()["properties"] if name != "type"]
    for junk in (*JUNK, ["x"]):
        for params in (dict.fromkeys(names, junk), {**dict.fromkeys(names, "x"), "y": junk}):
            data = {"type": type_.type, **params}
            check_junk(RULESET, state, (P0, P1, -1, 7), data)


@pytest.mark.parametrize(
    ("code", "english", "spanish"),
    [
        (Error.GRAPES_REQUIRED, "grapes", "suficientes uvas"),
        (Error.OLIVES_REQUIRED, "olives", "suficientes aceitunas"),
        (Error.SILVER_ORE_REQUIRED, "silver ore", "suficiente mineral de plata"),
    ],
)
def test_what_production_lacks_is_named(code: str, english: str, spanish: str) -> None:
    assert RULESET.labels.text(f"error.{code}", "en") == f"You do not have enough {english}."
    assert RULESET.labels.text(f"error.{code}", "es") == f"No tienes {spanish}."
