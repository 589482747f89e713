"""The default moves."""

from collections.abc import Callable

import pytest

from tests.rules.playing import Json
from tests.rules.ragusa.table import P0, Table
from tests.rules.ragusa.test_errors import at_architect, at_dock, at_market, choosing, with_fish
from tests.rules.ragusa.test_examples import final, silver
from tests.rules.ragusa.test_fish import blocked, window


def with_two_hexes() -> Table:
    return Table(access={P0: {"stone": 1, "silver_ore": 1, "fish": 2}}).place(P0, "b21")


def before_the_end() -> Table:
    return Table(first=True, **final())


@pytest.mark.parametrize("make", [blocked, with_two_hexes, window, before_the_end])
def test_nobody_gives_fish_away_who_does_not_answer(make: Callable[[], Table]) -> None:
    table = make()
    assert table.legal("exchange_fish")
    assert table.default()["type"] != "exchange_fish"


def test_example_05_comes_out_by_itself() -> None:
    table = Table(houses={"b12": P0}, access={P0: {"fish": 3, "stone": 2}}).place(P0, "b11")
    assert table.default() == {"type": "activate_hex", "hex_id": "fishmonger"}


def at_palace() -> Table:
    table = Table(access={P0: {"stone": 1, "grapes": 1}}).place(P0, "i04")
    return table.activate(P0, "rectors_palace").draw_bonus("bonus_silk", "bonus_gems")


@pytest.mark.parametrize(
    ("make", "move"),
    [
        (with_fish, {"type": "place_house", "space_id": "b03"}),
        (blocked, {"type": "forfeit_house"}),
        (with_two_hexes, {"type": "activate_hex", "hex_id": "silversmith"}),
        (window, {"type": "decline"}),
        (silver, {"type": "build_wall", "wall_id": "w01"}),
        (at_architect, {"type": "build_tower", "space_id": "b02"}),
        (at_market, {"type": "decline"}),
        (at_dock, {"type": "decline"}),
        (at_palace, {"type": "keep_bonus", "card_id": "bonus_silk"}),
        (before_the_end, {"type": "decline"}),
    ],
)
def test_who_does_not_answer_declines_or_takes_the_first(
    make: Callable[[], Table], move: Json
) -> None:
    assert make().default() == move


def test_who_does_not_choose_keeps_the_first_card_dealt() -> None:
    table = choosing()
    assert table.default() == {"type": "choose_bonus", "card_id": table.side(P0)["offered"][0]}
