"""Costs and gains of each action that the worked examples do not show."""

from collections.abc import Mapping
from typing import Any

import pytest

from rules.kernel.contract.seats import Seat
from rules.plus_ultra.data import CHARACTERS
from rules.plus_ultra.scoring import categories
from tests.rules.playing import Json
from tests.rules.plus_ultra.table import (
    DOWN,
    GEMS,
    GOLD,
    NATIVES,
    SILVER,
    SPICES,
    A,
    B,
    C,
    D,
    Table,
    down_from,
)
from tests.rules.plus_ultra.test_examples import last_activation


def acting(character: str, **given: Any) -> Table:
    """A has this character, and the Conquistador or the Pirate."""
    other = "conquistador" if character == "pirate" else "pirate"
    return Table(characters={A: (character, other)}, **given)


def gains(table: Table, type_: str, **params: object) -> Json:
    """The gains and losses of A by a move."""
    before = table.player(A)
    after = table.play(A, type_, **params).player(A)
    return {name: after[name] - before[name] for name in before if after[name] != before[name]}


# Bulls and passive actions


def test_r23_a_forfeited_king_does_not_move() -> None:
    table = Table(active=B, characters={B: ("king", "pirate")})
    table.play(B, "forfeit_character", character="king")
    assert table["pending_order"] == [A, B, C, D]


def test_a_king_who_acts_again_with_a_bull_is_first_again() -> None:
    king = CHARACTERS.index("king")
    table = Table(
        active=B, characters={B: ("king", "pirate")}, used={B: ["king"]}, acted=king, current=king,
        pending_order=[A, C, B, D], players={B: {"bulls": 1}},
    ).play(B, "king_favor", with_bull=True)  # fmt: skip
    assert table["pending_order"] == [B, A, C, D]


def test_the_cardinal_earns_nothing_from_bulls_that_are_not_bought() -> None:
    assert gains(acting("cardinal"), "cardinal_bull") == {"bulls": 1}
    table = Table(characters={B: ("cardinal", "king")}, players={A: {"estates": ["abbey"]}})
    before = table.of("ducats")
    assert table.play(A, "use_estate", estate="abbey").of("ducats") == before


def test_r26_no_second_bull_pays_for_natives() -> None:
    table = acting("conquistador", rows=down_from(4), players={A: {"bulls": 2}})
    table.play(A, "common_loan", with_bull=True)
    table.play(A, "conquistador_explore").turn_up(NATIVES)
    refused = table.refused(A, "capture_natives", payment="bull")
    assert refused == "bull_already_used_this_turn"


# Characters

RICH = {A: {"ducats": 5}}
ACTIONS: list[tuple[str, Json, Json, Json]] = [
    ("admiral_trade", {}, {}, {"trade": 2, "ducats": 1}),
    ("admiral_trade", {}, {"players": {A: {"trade": 12}}}, {"trade": 2, "ducats": 1}),
    ("merchant_title", {"tier": 1}, {"players": RICH}, {"ducats": -2, "pg": 1}),
    ("merchant_title", {"tier": 2}, {"players": RICH}, {"ducats": -3, "pg": 2}),
    ("merchant_title", {"tier": 3}, {"players": RICH}, {"ducats": -4, "pg": 3}),
    ("constable_recruit", {"state": "active"}, {}, {"active": 1, "supply": -1}),
    ("constable_recruit", {"state": "tired"}, {}, {"tired": 1, "supply": -1}),
    ("conquistador_haul", {"row": 1}, {"rows": {1: GOLD}}, {"ducats": 2}),
    ("pirate_idle", {}, {"rows": {2: GOLD}, "settlements": {1: (2, [])}}, {"ducats": 2}),
    ("secretary_patronage", {"reward": "rosette"}, {}, {"ducats": -1, "rosettes_ready": 1}),
    ("secretary_patronage", {"reward": "house"}, {},
     {"ducats": -1, "reserve": 1, "house_supply": -1}),
    ("secretary_patronage", {"reward": "magellan"}, {}, {"ducats": -1, "magellan": 1}),
    ("viceroy_settle", {"settlement_space": 2}, {"settlements": {1: (4, []), 2: (2, [B])}},
     {"ducats": -1, "reserve": -1}),
    ("viceroy_capture", {"row": 1, "payment": "ducats"}, {"rows": {1: NATIVES}},
     {"ducats": -1, "active": -1, "tired": 1, "natives": 1}),
    ("viceroy_capture", {"row": 1, "payment": "ducats"}, {"rows": {1: NATIVES}, "crown": 0},
     {"ducats": -2, "active": -1, "tired": 1, "natives": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "params", "given", "gained"), ACTIONS)
def test_what_a_character_brings(type_: str, params: Json, given: Json, gained: Json) -> None:
    assert gains(acting(type_.split("_", maxsplit=1)[0], **given), type_, **params) == gained


def test_goods_are_hauled_to_the_top_of_the_surplus() -> None:
    table = acting("conquistador", rows={3: GOLD}, surplus=[SILVER, SPICES], market=[GEMS])
    table.play(A, "conquistador_haul", row=3)
    assert (table["surplus"], table["market"]) == ([SILVER, SPICES, GOLD], [GEMS])
    assert table.row(3) is None


def test_a_house_is_placed_in_the_settlement_that_was_chosen() -> None:
    table = acting("viceroy", settlements={1: (4, []), 2: (2, [B])})
    table.play(A, "viceroy_settle", settlement_space=2)
    assert [table.settlement(space) for space in (1, 2)] == [(4, []), (2, [B, A])]


def test_natives_are_captured_and_the_crown_pays_its_share() -> None:
    table = acting("viceroy", rows={1: NATIVES}, crown=3)
    table.play(A, "viceroy_capture", row=1, payment="ducats")
    assert (table.row(1), table["crown"]) == (None, 2)


def test_another_player_is_set_back_in_sea_trade() -> None:
    table = acting("pirate", players={A: {"trade": 4}, C: {"trade": 3}})
    table.play(A, "pirate_raid_trade", target=C)
    assert (table.of("trade"), table.of("ducats")) == ([4, 0, 2, 0], [4, 2, 2, 2])


def test_a_pirate_is_not_idle_beside_a_good_in_reach() -> None:
    table = acting("pirate", rows={2: GOLD}, settlements={1: (2, []), 2: (4, [])})
    assert table.refused(A, "pirate_idle") == "raid_possible"


def test_r41_a_face_down_tile_drives_out_no_house_and_produces_nothing() -> None:
    settlements = {1: (3, [A]), 2: (2, [A]), 3: (4, [B])}
    table = last_activation(rows=down_from(2), settlements=settlements, turn=3, set_aside="king")
    unseen = table["unseen"]
    table.end(B)
    assert [table.settlement(space)[1] for space in (1, 2, 3)] == [[A], [A], [B]]
    assert table["rows"][1:] == [DOWN] * 6
    assert (table["market"], table["surplus"], table["unseen"]) == ([], [], unseen)


@pytest.mark.parametrize(
    ("type_", "params", "code"),
    [
        ("admiral_ship", {"destination": "market"}, "no_good_in_row"),
        ("conquistador_haul", {}, "no_good_in_row"),
        ("pirate_raid_goods", {}, "no_good_in_row"),
        ("viceroy_capture", {"payment": "ducats"}, "no_natives_in_row"),
    ],
)
def test_r41_a_face_down_tile_cannot_be_taken(type_: str, params: Json, code: str) -> None:
    table = acting(type_.split("_", maxsplit=1)[0], rows=down_from(2))
    assert table.refused(A, type_, row=7, **params) == code


# Common actions


@pytest.mark.parametrize(
    ("type_", "params", "gained"),
    [
        ("common_painter", {}, {"ducats": -4, "pg": 2}),
        ("common_recruit", {"state": "active"}, {"ducats": -2, "active": 1, "supply": -1}),
        ("common_recruit", {"state": "tired"}, {"ducats": -2, "tired": 1, "supply": -1}),
        ("common_trade_route", {}, {"ducats": -2, "trade": 1}),
        ("common_mission", {"settlement_space": 1}, {"ducats": -2, "reserve": -1}),
        ("common_workshops", {"reward": "rosette"}, {"ducats": -2, "rosettes_ready": 1}),
        ("common_workshops", {"reward": "house"},
         {"ducats": -2, "reserve": 1, "house_supply": -1}),
    ],
)  # fmt: skip
def test_what_a_common_action_brings(type_: str, params: Json, gained: Json) -> None:
    table = Table(players={A: {"ducats": 5}}, settlements={1: (2, [])})
    assert gains(table, type_, **params) == gained


@pytest.mark.parametrize(("type_", "price"), [("secretary_estate", 2), ("common_estate", 4)])
def test_what_an_estate_costs(type_: str, price: int) -> None:
    poor = acting("secretary", players={A: {"ducats": price - 1}})
    assert poor.refused(A, type_) == "insufficient_ducats"
    table = acting("secretary", players={A: {"ducats": price}}).play(A, type_)
    table.take_estate("manor")
    assert (table.player(A)["ducats"], table["estates"][A]) == (0, ["manor"])
    assert table["estate_stack"] == 5


# Estates


@pytest.mark.parametrize(
    ("estate", "pg", "gained"),
    [
        ("castle", 4, None),
        ("palace", 3, None),
        ("vineyard", 2, {"ducats": 2}),
        ("trading_house", 2, {"trade": 1}),
        ("manor", 1, {"reserve": 1, "house_supply": -1}),
        ("glass_workshop", 1, {"rosettes_ready": 1}),
        ("abbey", 1, {"bulls": 1}),
        ("shipyard", 1, {"trade": 2}),
        ("banking_house", 1, {"ducats": 3}),
    ],
)
def test_an_estate_is_worth_pg_or_what_it_gives(estate: str, pg: int, gained: Json | None) -> None:
    table = Table(players={A: {"estates": [estate]}})
    assert categories(table.state, A)["estates"] == pg
    if gained is None:
        assert table.refused(A, "use_estate", estate=estate) == "estate_without_resource"
    else:
        assert gains(table, "use_estate", estate=estate) == gained


@pytest.mark.parametrize(
    ("estate", "state", "players", "code"),
    [
        ("manor", None, {A: {"reserve": 5}}, "house_supply_empty"),
        ("glass_workshop", None, {B: {"rosettes_ready": 7}}, "rosette_supply_empty"),
        ("barracks", "tired", {A: {"active": 5}}, "tercio_supply_empty"),
        ("abbey", None, {B: {"bulls": 5}}, "bull_supply_empty"),
        ("shipyard", None, {A: {"trade": 15}}, "sea_trade_full"),
        ("trading_house", None, {A: {"trade": 15}}, "sea_trade_full"),
    ],
)
def test_r50_an_estate_is_not_used_for_nothing(
    estate: str, state: str | None, players: Mapping[Seat, Json], code: str
) -> None:
    owned = {A: {**players.get(A, {}), "estates": [estate]}}
    table = Table(players={**players, **owned})
    assert table.refused(A, "use_estate", estate=estate, state=state) == code


@pytest.mark.parametrize(
    ("tile", "phase", "poor", "rich"),
    [
        (NATIVES, "conquistador_natives", {"leave_natives"}, {"leave_natives", "capture_natives"}),
        ("settlement_4", "conquistador_settlement", {"decline_settlement"},
         {"decline_settlement", "build_in_new_settlement"}),
    ],
)  # fmt: skip
def test_r48_an_estate_pays_for_what_the_explorer_found(
    tile: str, phase: str, poor: set[str], rich: set[str]
) -> None:
    table = acting(
        "conquistador", rows=down_from(2),
        players={A: {"ducats": 0, "estates": ["vineyard", "shipyard"]}},
    ).play(A, "conquistador_explore").turn_up(tile)  # fmt: skip
    assert table.types() == {*poor, "use_estate"}
    table.play(A, "use_estate", estate="vineyard")
    assert table.asked() == (phase, A)
    assert table.types() == {*rich, "use_estate"}


def test_r48_an_estate_is_used_by_its_owner_alone_and_when_he_is_active() -> None:
    table = Table(characters={A: ("king", "pirate")}, players={B: {"estates": ["vineyard"]}})
    assert table.refused(B, "use_estate", estate="vineyard") == "not_your_decision"
    table.play(A, "king_levy")
    assert table.refused(B, "use_estate", estate="vineyard") == "wrong_phase"
