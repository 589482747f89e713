"""The worked examples of the rules, by their numbers."""

from typing import Any

import pytest

from rules.kernel.contract.chance import Chance
from rules.ragusa import RULESET
from rules.ragusa.data import BACKS, COMMODITIES, PATRICIANS, PRICES, SHIP_BACKS, SHIPS
from tests.rules.playing import Json
from tests.rules.ragusa.table import P0, P1, P2, Table, start


def test_example_01_the_winery_produces_for_both_houses() -> None:
    table = Table(houses={"i01": P0}, access={P0: {"wood": 1, "stone": 1, "grapes": 2}})
    table.place(P0, "b03")
    assert (table.access(P0, "stone"), table.access(P0, "grapes")) == (2, 3)
    assert table.stock(P0, "wine") == 6


def test_example_02_a_first_house_at_the_oil_press() -> None:
    table = Table(access={P0: {"wood": 1}}).place(P0, "b16")
    assert (table.access(P0, "stone"), table.access(P0, "olives")) == (1, 1)
    assert table.stock(P0, "oil") == 1


def silver() -> Table:
    table = Table(
        houses={"i01": P0, "i03": P0}, access={P0: {"wood": 1, "stone": 3, "silver_ore": 3}}
    ).place(P0, "b21")
    assert table.access(P0, "wood") == 2
    assert table.asked() == ("choose_hex", P0)
    assert {move["hex_id"] for move in table.legal("activate_hex")} == {"silversmith", "mason"}
    return table.activate(P0, "silversmith")


def test_example_03_the_silversmith_produces_for_three() -> None:
    assert silver().stock(P0, "silver") == 9


def test_example_04_the_last_hex_starts_by_itself() -> None:
    table = silver()
    assert table.asked() == ("build_wall", P0)
    assert table["activation_queue"] == ["b21", "i03"]
    table.play(P0, "build_wall", wall_id="w20").play(P0, "build_wall", wall_id="w21")
    assert table.vp(P0) == 4
    assert table.asked() == ("place_house", P1)


def test_example_05_the_fishmonger_pays_for_pairs_of_fish() -> None:
    table = Table(houses={"b12": P0}, access={P0: {"fish": 3, "stone": 2}}).place(P0, "b11")
    assert table.access(P0, "fish") == 5
    assert table.asked() == ("choose_hex", P0)
    table.activate(P0, "fishmonger")
    assert (table.vp(P0), table.access(P0, "fish")) == (4, 5)


@pytest.mark.parametrize(
    ("wood", "stone", "fish", "outcome"),
    [
        (3, 1, 0, (3, 1, 0)),
        (2, 1, 0, "not_enough_wood"),
        (2, 1, 1, "not_enough_wood"),
        (3, 0, 0, "not_enough_stone"),
        (2, 1, 2, (3, 1, 0)),
        (1, 0, 6, (3, 1, 0)),
    ],
)
def test_example_06_fish_cover_what_is_missing(
    wood: int, stone: int, fish: int, outcome: Any
) -> None:
    table = Table(
        houses={"r14": P0, "r17": P0, "r18": P0}, first=True,
        access={P0: {"wood": wood, "stone": stone, "fish": fish}},
    )  # fmt: skip
    if isinstance(outcome, str):
        assert table.refused(P0, "place_house", space_id="b19") == outcome
        return
    table.place(P0, "b19")
    assert tuple(table.access(P0, name) for name in ("wood", "stone", "fish")) == outcome


def test_example_07_backs_move_the_market() -> None:
    table = Table()
    table.state = start(3)
    wanted = ("wine", 2)
    ship = next(s for s, back in enumerate(SHIP_BACKS) if _back(back) == wanted)
    others = [s for s in range(len(SHIPS)) if _back(SHIP_BACKS[s])[0] == "oil"][:4]
    picks, left = [], list(range(len(SHIPS)))
    for card in (ship, *others):
        picks.append(left.index(card))
        left.remove(card)
    table.draw(*picks, 0)
    assert table["market"]["wine"] == 4
    assert [PRICES[index] for index in (4, 2, 6)] == [2, 1, 3]


def _back(back: int) -> tuple[str, int]:
    commodity, arrows = BACKS[back]
    return COMMODITIES[commodity], arrows


def test_example_09_houses_act_clockwise() -> None:
    table = Table(
        houses={"i08": P1, "i04": P2}, access={P0: {"wood": 1, "stone": 1}},
        stock={P0: {"wine": 2, "silver": 1}, P1: {"wine": 1}, P2: {"oil": 2}},
    ).place(P0, "i05")  # fmt: skip
    hexes = {move["hex_id"] for move in table.legal("activate_hex")}
    assert hexes == {"architect", "market", "dock"}
    table.activate(P0, "market")
    assert table["activation_queue"] == ["i05", "i08", "i04"]
    for seat, slots in ((P0, [1, 3, 4]), (P1, [4]), (P2, [2, 5])):
        assert table.asked() == ("buy_ship", seat)
        assert [move["slot"] for move in table.legal("buy_ship")] == slots
        table.play(seat, "decline")


@pytest.mark.parametrize(
    ("market", "top", "after"),
    [
        ({"wine": 0}, ("oil", 1), {"wine": 0, "oil": 3}),
        ({"oil": 11}, ("oil", 2), {"oil": 11, "wine": 1}),
        ({"oil": 10}, ("oil", 2), {"oil": 11, "wine": 1}),
    ],
)
def test_example_11_markers_stay_on_the_track(
    market: Json, top: tuple[str, int], after: Json
) -> None:
    indices = {"wine": 2, "oil": 2, "silver": 2, **market}
    table = Table(
        access={P0: {"wood": 1, "stone": 1}}, stock={P0: {"wine": 2}}, market=indices,
        top_back={"commodity": top[0], "arrows": top[1]},
    ).place(P0, "i05").activate(P0, "market")  # fmt: skip
    table.play(P0, "buy_ship", slot=1)
    turn = RULESET.turn(table.state)
    assert isinstance(turn, Chance)
    table.draw(*([0] * len(turn.sizes)))
    assert {name: table["market"][name] for name in after} == after
    assert len(table["ship_row"]) == 5


def test_example_12_the_stock_has_a_limit() -> None:
    table = Table(
        access={P0: {"grapes": 2, "wood": 1, "stone": 1}}, stock={P0: {"wine": 11}}
    ).place(P0, "b03")
    assert (table.access(P0, "grapes"), table.stock(P0, "wine")) == (3, 12)


def test_example_13_new_fish_pay_at_once() -> None:
    table = Table(houses={"r11": P0}, access={P0: {"wood": 1, "fish": 2}}, first=True)
    assert table.refused(P0, "place_house", space_id="b10") == "commodity_required"
    assert "b11" in table.spaces()
    table.place(P0, "b06")
    assert [table.access(P0, name) for name in ("wood", "stone", "fish")] == [2, 1, 1]
    assert table.asked() == ("build_tower", P0)


@pytest.mark.parametrize(
    ("fish", "stone", "code"), [(0, 1, ""), (1, 0, "fish_required"), (2, 0, "")]
)
def test_example_14_the_fishmonger_needs_two_fish(fish: int, stone: int, code: str) -> None:
    table = Table(access={P0: {"fish": fish, "stone": stone}})
    if code:
        assert table.refused(P0, "place_house", space_id="b11") == code
    else:
        assert "b11" in table.spaces()
    table = Table(access={P0: {"stone": 1, "fish": 2}})
    assert table.refused(P0, "place_house", space_id="i10") == "commodity_required"


def test_example_15_the_first_house() -> None:
    table = Table(first=True)
    rows = [*range(1, 6), *range(7, 16), *range(17, 21), 22, 23]
    assert set(table.spaces()) == {"b05", *(f"r{number:02}" for number in rows)}
    assert len(table.spaces()) == 21
    for space, code in (
        ("r21", "first_house_needs_wood_hex"),
        ("r06", "first_house_needs_wood_hex"),
        ("b06", "not_enough_stone"),
        ("b20", "not_enough_stone"),
    ):
        assert table.refused(P0, "place_house", space_id=space) == code


def test_example_17_several_houses_of_one_owner() -> None:
    table = Table(
        houses={"i01": P1, "b02": P1}, access={P0: {"wood": 1, "stone": 1}, P1: {"grapes": 2}}
    ).place(P0, "b03")
    assert table.access(P0, "grapes") == 1
    assert (table.stock(P0, "wine"), table.stock(P1, "wine")) == (1, 4)


def test_example_18_a_production_hex_serves_the_market() -> None:
    assert "i04" in Table(access={P0: {"stone": 1, "grapes": 1}}).spaces()
    table = Table(access={P0: {"stone": 1}})
    assert table.refused(P0, "place_house", space_id="i04") == "grapes_required"
    assert table.refused(P0, "place_house", space_id="i07") == "commodity_required"


def test_example_19_the_fishmonger_pays_others_too() -> None:
    table = Table(houses={"b12": P1, "b13": P1}, access={P0: {"stone": 1}, P1: {"fish": 3}})
    table.place(P0, "b11")
    if table.asked() == ("choose_hex", P0):
        table.activate(P0, "fishmonger")
    assert (table.access(P0, "fish"), table.vp(P0), table.vp(P1)) == (2, 1, 2)


def chains(**towers: int) -> list[int]:
    table = Table(
        houses={"b03": P0, "b05": P0, "b04": P1}, first=True,
        walls=["w02", "w03", "w04", "w05"], towers=towers, **final(),
    )  # fmt: skip
    table.play(P0, "decline")
    standings = RULESET.result(table.state).standings
    return [row.breakdown["chain"] for row in standings]


def final(**sides: Json) -> Json:
    """The position in which the last exchange of the game is declined."""
    return {
        "phase": "final_exchange", "decider": P0, "final_queue": [P0], "active": None,
        "sides": {P0: {"houses_left": 0, "access": {**NONE, "fish": 2}},
                  P1: {"houses_left": 0}, P2: {"houses_left": 0}},
    }  # fmt: skip


NONE = dict.fromkeys(("fish", "wood", "stone", "silver_ore", "grapes", "olives"), 0)


def test_example_21_the_wall_chain() -> None:
    assert chains() == [3, 3, 0]
    assert chains(b04=P0)[P0] == 7


def test_example_24_the_palace() -> None:
    table = Table(
        access={P0: {"stone": 1, "grapes": 1}}, kept=("bonus_stone", "bonus_fish", "bonus_towers")
    ).place(P0, "i04")
    hexes = {move["hex_id"] for move in table.legal("activate_hex")}
    assert "rectors_palace" in hexes
    table.activate(P0, "rectors_palace").draw_bonus("bonus_silk", "bonus_gems")
    assert table.asked() == ("keep_bonus", P0)
    assert {m["card_id"] for m in table.legal("keep_bonus")} == {"bonus_silk", "bonus_gems"}
    table.play(P0, "keep_bonus", card_id="bonus_silk")
    assert table.side(P0)["kept"] == ["bonus_stone", "bonus_silk"]
    assert table["bonus_deck"]["bottom"] == ["bonus_gems"]
    assert "bonus_wood" in table["bonus_deck"]["rest"]


def test_example_25_without_towers_nobody_is_asked() -> None:
    table = Table(
        houses={"r11": P0}, access={P0: {"wood": 1, "stone": 1}}, sides={P0: {"towers_left": 0}},
        first=True,
    )  # fmt: skip
    table.place(P0, "b06")
    assert table.asked() == ("place_house", P1)


@pytest.mark.parametrize(("goods", "ranks"), [((4, 2), [1, 2, 3]), ((4, 4), [1, 1, 3])])
def test_example_26_ties_go_to_the_fuller_stock(goods: tuple[int, int], ranks: list[int]) -> None:
    given = final()
    vp = dict.fromkeys(Table().side(P0)["vp"], 0)
    for side, points in ((P0, 60), (P1, 60), (P2, 58)):
        given["sides"][side]["vp"] = {**vp, "ships": points}
    table = Table(
        first=True, stock={P0: {"wine": goods[0]}, P1: {"wine": goods[1]}},
        kept=("bonus_salt", "bonus_spices", "bonus_silk"), **given,
    )  # fmt: skip
    table.play(P0, "decline")
    assert [row.rank for row in RULESET.result(table.state).standings] == ranks


def test_example_28_an_automaton_builds() -> None:
    table = Table()
    table.state = start(1)
    used = [PATRICIANS.index("patrician_04"), 0, 0, 0, 0, 0]
    nature(table, {"setup/patricians": used}, "patrician/bot_a")
    table.draw(0, table["patricians"].index("patrician_04"))
    assert table["houses"]["b05"] == "bot_a"
    bot = table.side(1)
    assert (bot["access"]["wood"], bot["access"]["stone"]) == (4, 4)
    assert table["towers"]["b01"] == "bot_a"
    nature(table, {}, None)
    assert table.asked() == ("place_house", P0)
    for space in ("b15", "i04"):
        assert table.refused(P0, "place_house", space_id=space) == "space_reserved"


def nature(table: Table, wanted: dict[str, list[int]], until: str | None) -> None:
    """Make draws up to the draw ``until``: always the first item, except the wanted ones."""
    while isinstance(turn := RULESET.turn(table.state), Chance) and turn.label != until:
        table.draw(*wanted.get(turn.label, [0] * len(turn.sizes)))
