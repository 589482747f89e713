"""The automaton Patrician: its turns, its cards and its decisions."""

from collections.abc import Mapping, Sequence

import pytest

from rules.ragusa import RULESET
from rules.ragusa.data import PATRICIANS, SHIPS
from tests.rules.playing import Json
from tests.rules.ragusa.table import CHEAP, P0, Table, start
from tests.rules.ragusa.test_examples import nature

Owners = Mapping[str, int | str]
BOT = 1
"""The side of bot_a."""
CARDS: list[Json] = RULESET.data.tables["solo"]["patrician_cards"]


def bots_turn(
    card: str,
    *,
    built: int = 0,
    houses: Owners | None = None,
    towers: Owners | None = None,
    walls: Sequence[str] = (),
    row: Sequence[str] = CHEAP[:5],
    market: Mapping[str, int] | None = None,
    sides: Mapping[int, Json] | None = None,
) -> Table:
    """bot_a builds on ``card``, with ``built`` of its spaces built already; all markers are at 2.

    By default, the position is the one before its first turn.
    """
    table = before_turn(card)
    data = table.json
    spaces = next(row["spaces"] for row in CARDS if row["id"] == card)
    data["houses"].update(dict.fromkeys(spaces[:built], "bot_a"), **(houses or {}))
    data["towers"].update(towers or {})
    data["walls"] = list(walls)
    data["ship_row"] = list(row)
    data["ship_deck"] = [ship for ship in SHIPS if ship not in row]
    data["market"] = {**dict.fromkeys(data["market"], 2), **(market or {})}
    for side, changes in (sides or {}).items():
        for name, amounts in changes.items():
            data["sides"][side][name].update(amounts)
    table.state = RULESET.from_json(data)
    table.log.clear()
    return table.draw(0, 0 if built else table["patricians"].index(card))


def before_turn(card: str = "patrician_01") -> Table:
    """The first turn of bot_a in a solo game with this card."""
    table = Table()
    table.state = start(1)
    in_play = [PATRICIANS.index(card), 0, 0, 0, 0, 0]
    nature(table, {"setup/patricians": in_play}, "patrician/bot_a")
    return table


def with_stock(**stock: int) -> dict[int, Json]:
    return {BOT: {"stock": dict.fromkeys(("wine", "oil", "silver"), 0) | stock}}


# Turns and cards


def test_bot_a_bot_b_and_the_human_take_turns() -> None:
    table = before_turn()
    for turn in (1, 2):
        for bot in ("bot_a", "bot_b"):
            assert table.asked() == (f"patrician/{bot}", turn)
            table.draw(0, 0)
        assert table.asked() == ("place_house", P0)
        table.place(P0, "r04" if turn == 1 else "r09")


@pytest.mark.parametrize(("built", "space"), [(0, "b05"), (1, "b15"), (2, "i04")])
def test_a_card_is_built_in_the_order_in_which_it_is_printed(built: int, space: str) -> None:
    table = bots_turn("patrician_04", built=built)
    assert list(table.effects("house_placed")) == [{"side": "bot_a", "space": space}]


@pytest.mark.parametrize(
    ("card", "hexes"),
    [
        ("patrician_01", ["winery", "silversmith", "rectors_palace"]),
        ("patrician_02", ["winery", "architect", "market"]),
        ("patrician_03", ["silversmith", "mason", "rectors_palace"]),
        ("patrician_04", ["winery", "market", "rectors_palace"]),
        ("patrician_05", ["architect", "market", "dock"]),
        ("patrician_06", ["oil_press", "mason", "rectors_palace"]),
        ("patrician_07", ["market", "rectors_palace"]),
        ("patrician_08", ["market", "dock", "fishmonger"]),
        ("patrician_09", ["oil_press", "rectors_palace"]),
        ("patrician_10", ["market", "fishmonger"]),
    ],
)
def test_an_automaton_activates_in_a_fixed_order(card: str, hexes: list[str]) -> None:
    table = bots_turn(card, built=2)
    nature(table, {}, "patrician/bot_b")
    assert [row["hex"] for row in table.effects("hex_activated")] == hexes


# Decisions


@pytest.mark.parametrize(
    ("towers", "walls", "built"),
    [
        ({}, [], "w09"),
        ({}, ["w09"], "w10"),
        ({"b21": "bot_a"}, [], "w20"),
        ({"b21": "bot_a", "b11": "bot_a"}, [], "w10"),
        ({"b21": P0, "b22": "bot_b"}, [], "w09"),
    ],
    ids=["lowest", "lowest free", "most VP", "lowest of most VP", "own pieces only"],
)
def test_an_automaton_builds_the_wall_with_most_vp(
    towers: Owners, walls: list[str], built: str
) -> None:
    """The automaton has houses at b10, and at b20 beside the mason."""
    table = bots_turn("patrician_09", built=1, towers=towers, walls=walls)
    assert [row["wall"] for row in table.effects("wall_built")] == [built]


@pytest.mark.parametrize(
    ("towers", "walls", "space"),
    [
        ({}, [], "b01"),
        ({}, ["w05"], "b06"),
        ({}, ["w04", "w05"], "b05"),
        ({}, ["w22"], "b01"),
        ({"b01": P0}, ["w22"], "b22"),
    ],
    ids=["lowest", "no own house", "most walls", "lowest of most walls", "free"],
)
def test_an_automaton_builds_its_tower_beside_most_walls(
    towers: Owners, walls: list[str], space: str
) -> None:
    """The automaton has a house at b05."""
    table = bots_turn("patrician_04", towers=towers, walls=walls)
    assert [row["space"] for row in table.effects("tower_built")] == [space]


SALT, SILK, PEARLS = ("ship_01", "ship_02", "ship_03", "ship_04", "ship_05"), "ship_13", "ship_19"


@pytest.mark.parametrize(
    ("stock", "row", "slot"),
    [
        ({"wine": 2, "oil": 2, "silver": 1}, [SILK, *SALT[:4]], 1),
        ({"oil": 2, "silver": 1}, [SILK, *SALT[:4]], 3),
        ({"wine": 2, "oil": 2, "silver": 1}, [*SALT[:4], PEARLS], 5),
        ({"wine": 2, "oil": 2, "silver": 1}, SALT, 3),
        ({"wine": 2, "oil": 2}, SALT, 4),
        ({"oil": 2}, SALT, 5),
        ({"wine": 2, "silver": 1}, [PEARLS, *SALT[:2], "ship_20", SALT[2]], 4),
        ({"wine": 1, "oil": 1, "silver": 2}, [*SALT[:2], "ship_20", PEARLS, "ship_21"], 3),
    ],
    ids=[
        "stars",
        "affordable",
        "extra cost",
        "units",
        "slot",
        "oil",
        "units of many",
        "same units",
    ],
)
def test_an_automaton_buys_the_ship_with_most_stars(
    stock: dict[str, int], row: Sequence[str], slot: int
) -> None:
    table = bots_turn("patrician_07", built=2, row=row, sides=with_stock(**stock))
    assert [bought["slot"] for bought in table.effects("ship_bought")] == [slot]


@pytest.mark.parametrize(
    ("stock", "market", "sold"),
    [
        ({"wine": 3, "oil": 3, "silver": 1}, {"silver": 3}, "silver"),
        ({"wine": 1, "oil": 1}, {"silver": 11, "oil": 3}, "oil"),
        ({"wine": 1, "oil": 2}, {}, "oil"),
        ({"wine": 1, "oil": 1, "silver": 1}, {}, "wine"),
        ({"oil": 1, "silver": 1}, {}, "oil"),
        ({"wine": 2, "silver": 1}, {"wine": 0}, "wine"),
    ],
    ids=["dearest", "in stock", "largest stock", "wine first", "oil second", "same price"],
)
def test_an_automaton_sells_its_dearest_commodity(
    stock: dict[str, int], market: dict[str, int], sold: str
) -> None:
    """Its house at b07 touches the dock."""
    table = bots_turn("patrician_06", market=market, sides=with_stock(**stock))
    assert [row["commodity"] for row in table.effects("commodity_sold")] == [sold]


def test_an_automaton_keeps_a_card_of_two_and_lays_the_other_under_the_deck() -> None:
    table = before_turn("patrician_03")
    before = RULESET.view(table.state, P0)["bonus_deck"]
    table = bots_turn("patrician_03", built=2)
    assert list(table.effects("bonus_kept")) == [{"side": "bot_a", "deck": before - 1}]
    assert RULESET.view(table.state, P0)["sides"][BOT]["bonus_cards"] == [None, None]


# Fish


def test_r51_the_human_has_a_window_in_the_turn_of_an_automaton() -> None:
    table = bots_turn(
        "patrician_02", houses={"b04": P0}, sides={P0: {"access": {"fish": 2, "grapes": 1}}}
    )
    assert table.asked() == ("production_exchange", P0)
    table.play(P0, "exchange_fish", resource="grapes")
    assert (table.stock(P0, "wine"), table.access(P0, "fish")) == (2, 0)
    assert table.stock(BOT, "wine") == 2, "b03 brought it a second grape"
    assert table.asked() == ("patrician/bot_b", 1)


def test_r51_an_automaton_never_exchanges() -> None:
    fishy = {"access": {"fish": 8, "grapes": 1}}
    table = bots_turn("patrician_02", houses={"b04": "bot_b"}, sides={BOT: fishy, 2: fishy})
    assert table.asked() == ("patrician/bot_b", 1), "and no window opens for the other one"
    assert (table.access(BOT, "fish"), table.access(2, "fish")) == (8, 8)


def test_an_automaton_has_no_part_in_the_final_exchange() -> None:
    table = before_turn()
    data = table.json
    data.update(phase="place_house", decider=P0, active=P0)
    for number, side in enumerate(data["sides"]):
        side["houses_left"] = int(number == P0)
        side["access"]["fish"] = 0 if number == P0 else 8
    table.state = RULESET.from_json(data)
    table.place(P0, "r04")
    assert table.asked() == ("reveal/bonus_cards", 1)


def test_what_an_automaton_lacks_does_not_stop_it() -> None:
    nothing = {"access": dict.fromkeys(("fish", "wood", "stone", "grapes"), 0)}
    table = bots_turn("patrician_01", sides={BOT: nothing})
    assert table["houses"]["b02"] == "bot_a"
    assert table.access(BOT, "fish") == 0
