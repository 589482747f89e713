"""Exchanges of fish, and turns without a legal building: R36, R37, R49 to R51."""

from collections.abc import Mapping
from typing import Any

import pytest

from rules.kernel.contract.seats import Seat
from rules.ragusa import RULESET
from rules.ragusa.data import RESOURCES
from tests.rules.playing import Json
from tests.rules.ragusa.table import P0, P1, P2, Table

TWO_FISH = {"fish": 2}
EXCHANGED = RESOURCES[1:]
ALL_AT_EIGHT = dict.fromkeys(EXCHANGED, 8)


def blocked(access: Mapping[Seat, Json] | None = None, **given: Any) -> Table:
    """All spaces on which P0 could build are occupied; without ``access`` it has 2 fish."""
    access = access or {P0: TWO_FISH}
    houses = dict.fromkeys(Table(access=access).spaces(), P1)
    return Table(houses=houses, access=access, **given)


def last_turn(access: Mapping[Seat, Json], start_player: Seat = P0) -> Table:
    """P0 cannot build its house, the last house of the game."""
    houses_left = {side: {"houses_left": int(side == P0)} for side in (P0, P1, P2)}
    return blocked(access, sides=houses_left, start_player=start_player)


def window(
    fish: int = 2, grapes: int = 1, wine: int = 0, houses: Mapping[str, int] | None = None
) -> Table:
    """P0 activates the winery, where P1 has a house at i01."""
    return Table(
        houses={"i01": P1, **(houses or {})},
        access={P0: {"wood": 1, "stone": 1}, P1: {"fish": fish, "grapes": grapes}},
        stock={P1: {"wine": wine}},
    ).place(P0, "b03")


# No legal space


def test_r36_a_forfeited_house_leaves_the_game_and_nobody_compensates() -> None:
    table = blocked()
    before = table.json["sides"]
    table.play(P0, "forfeit_house")
    before[P0]["houses_left"] -= 1
    before[P0]["forfeited"] += 1
    assert table["sides"] == before
    assert list(table.effects("house_forfeited")) == [{"side": P0}]


def test_r37_a_forfeit_uses_the_turn() -> None:
    table = blocked().play(P0, "forfeit_house")
    assert table.asked() == ("place_house", P1)


@pytest.mark.parametrize(("fish", "asked"), [(1, None), (2, ("final_exchange", P0))])
def test_r37_the_game_ends_when_the_last_house_is_forfeited(
    fish: int, asked: tuple[str, int] | None
) -> None:
    table = last_turn({P0: {"fish": fish}}).play(P0, "forfeit_house")
    assert table.asked() == asked
    assert (table.side(P0)["houses_left"], table.side(P0)["forfeited"]) == (0, 1)


@pytest.mark.parametrize("resource", EXCHANGED)
def test_r49_an_exchange_before_a_forfeit_makes_no_space_legal(resource: str) -> None:
    table = blocked()
    assert {move["type"] for move in table.legal()} == {"forfeit_house", "exchange_fish"}
    table.play(P0, "exchange_fish", resource=resource)
    assert (table.access(P0, resource), table.access(P0, "fish")) == (1, 0)
    assert table.asked() == ("place_house", P0)
    assert table.legal() == [{"type": "forfeit_house"}]


# The final exchange


@pytest.mark.parametrize(
    ("start_player", "order"), [(P0, [P0, P1, P2]), (P1, [P1, P2, P0]), (P2, [P2, P0, P1])]
)
def test_the_final_exchange_goes_clockwise_from_the_start_player(
    start_player: Seat, order: list[Seat]
) -> None:
    table = last_turn(dict.fromkeys((P0, P1, P2), TWO_FISH), start_player)
    table.play(P0, "forfeit_house")
    for seat in order:
        assert table.asked() == ("final_exchange", seat)
        table.play(seat, "decline")
    assert table.asked() is None


def test_who_cannot_exchange_is_skipped_at_the_end() -> None:
    access = {P0: {"fish": 1}, P1: {**ALL_AT_EIGHT, "fish": 8}, P2: {"fish": 2}}
    table = last_turn(access).play(P0, "forfeit_house")
    assert table.asked() == ("final_exchange", P2)
    assert table["final_queue"] == [P2]


def test_the_final_exchange_lasts_until_nothing_can_be_exchanged() -> None:
    table = last_turn({P0: {"fish": 5}, P1: {**ALL_AT_EIGHT, "wood": 7, "fish": 8}})
    table.play(P0, "forfeit_house")
    for resource in ("wood", "olives"):
        assert table.asked() == ("final_exchange", P0)
        table.play(P0, "exchange_fish", resource=resource)
    assert (table.access(P0, "wood"), table.access(P0, "olives")) == (1, 1)
    assert table.asked() == ("final_exchange", P1), "1 fish is too few"
    table.play(P1, "exchange_fish", resource="wood")
    assert table.asked() is None, "all other resources are at 8"


def test_r50_bonus_cards_count_what_the_final_exchange_left() -> None:
    table = last_turn({P0: {"fish": 2}}).play(P0, "forfeit_house")
    table.play(P0, "exchange_fish", resource="wood")
    assert RULESET.result(table.state).standings[P0].breakdown["bonus"] == 1


# Windows before production


@pytest.mark.parametrize(
    ("fish", "grapes", "wine", "opens"),
    [
        (2, 1, 0, True),
        (1, 1, 0, False),
        (2, 7, 0, True),
        (2, 8, 0, False),
        (2, 1, 11, True),
        (2, 1, 12, False),
    ],
)
def test_r51_a_window_opens_if_an_exchange_can_add_to_the_stock(
    fish: int,
    grapes: int,
    wine: int,
    opens: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    table = window(fish, grapes, wine)
    assert table.asked() == (("production_exchange" if opens else "place_house"), P1)
    if not opens:
        assert table.stock(P1, "wine") == min(wine + grapes, 12)


def test_r51_who_declines_produces_with_what_there_is() -> None:
    table = window(fish=2, grapes=1).play(P1, "decline")
    assert (table.stock(P1, "wine"), table.access(P1, "fish")) == (1, 2)
    assert list(table.effects("declined")) == [{"side": P1, "what": "production_exchange"}]
    assert table.asked() == ("place_house", P1)


def test_r51_a_window_stays_open_while_fish_last() -> None:
    table = window(fish=4, grapes=1).play(P1, "exchange_fish", resource="grapes")
    assert table.asked() == ("production_exchange", P1)
    assert table.stock(P1, "wine") == 0
    table.play(P1, "decline")
    assert (table.stock(P1, "wine"), table.access(P1, "fish")) == (2, 2)


def test_r51_a_window_closes_when_the_resource_is_at_its_limit() -> None:
    table = window(fish=4, grapes=7).play(P1, "exchange_fish", resource="grapes")
    assert (table.stock(P1, "wine"), table.access(P1, "fish")) == (8, 2)
    assert table.asked() == ("place_house", P1)


def test_r51_one_window_is_for_all_houses_of_its_owner() -> None:
    table = window(fish=2, grapes=1, houses={"b02": P1, "i04": P1, "i02": P2}).play(P1, "decline")
    assert table.asked() == ("place_house", P1)
    assert (table.stock(P1, "wine"), table.access(P1, "fish")) == (3, 2)


def test_r51_each_owner_has_a_window() -> None:
    table = Table(
        houses={"i01": P1, "i04": P2},
        access={P0: {"wood": 1, "stone": 1}, P1: TWO_FISH, P2: TWO_FISH},
    ).place(P0, "b03")  # fmt: skip
    for seat in (P2, P1):
        assert table.asked() == ("production_exchange", seat), "clockwise from b03"
        table.play(seat, "decline")
    assert table.asked() == ("place_house", P1)


def test_r51_every_activation_opens_windows_again() -> None:
    table = Table(
        houses={"i01": P1},
        access={P0: {"wood": 1, "stone": 1, "silver_ore": 1}, P1: TWO_FISH},
    ).place(P0, "b02")  # fmt: skip
    table.activate(P0, "winery").play(P1, "decline")
    assert table.asked() == ("production_exchange", P1)
    assert table["current_hex"] == "silversmith"
    assert table.legal("exchange_fish") == [{"resource": "silver_ore"}]


def test_r51_the_active_player_exchanges_before_the_hex() -> None:
    table = Table(houses={"b04": P0}, access={P0: {"wood": 2, "stone": 2, "fish": 2}})
    table.place(P0, "b03")
    assert table.asked() == ("choose_hex", P0)
    table.activate(P0, "winery")
    assert table.stock(P0, "wine") == 2
    assert table.asked() == ("place_house", P1)
