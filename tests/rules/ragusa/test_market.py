"""The market at the ends of its tracks: R27 and R28."""

from typing import Any

import pytest

from rules.ragusa import RULESET
from rules.ragusa.data import BACKS, COMMODITIES, SHIP_BACKS, SHIPS
from tests.rules.playing import Json
from tests.rules.ragusa.table import CHEAP, P0, Table

ROW = list(CHEAP[:5])
RICH = {"wine": 4, "oil": 4, "silver": 4}


def paying_with(stock: Json, **given: Any) -> Table:
    table = Table(access={P0: {"wood": 1, "stone": 2}}, stock={P0: stock}, **given)
    return table.place(P0, "i05").activate(P0, "market")


@pytest.mark.parametrize("ship", ["ship_19", "ship_23"], ids=["pearls", "gems"])
@pytest.mark.parametrize(
    ("slot", "price"),
    [
        (1, {"wine": 2, "silver": 1}),
        (2, {"oil": 2, "silver": 1}),
        (3, {"silver": 2}),
        (4, {"wine": 1, "silver": 1}),
        (5, {"oil": 1, "silver": 1}),
    ],
)
def test_r27_pearls_and_gems_cost_a_silver_more_in_every_slot(
    ship: str, slot: int, price: dict[str, int]
) -> None:
    row = [*ROW[: slot - 1], ship, *ROW[slot:]]
    exact = paying_with(price, ship_row=row)
    assert {"slot": slot} in exact.legal("buy_ship")
    exact.play(P0, "buy_ship", slot=slot)
    assert not any(exact.side(P0)["stock"].values())
    short = paying_with({**price, "silver": price["silver"] - 1, "oil": 3}, ship_row=row)
    assert {"slot": slot} not in short.legal("buy_ship")
    assert short.refused(P0, "buy_ship", slot=slot) == "cannot_afford_ship"


def last_ship(ship: str, **given: Any) -> Table:
    commodity, arrows = BACKS[SHIP_BACKS[SHIPS.index(ship)]]
    back = {"commodity": COMMODITIES[commodity], "arrows": arrows}
    return paying_with(RICH, ship_deck=[ship], top_back=back, **given)


def test_r28_the_last_ship_leaves_no_back_to_see() -> None:
    table = last_ship("ship_26").play(P0, "buy_ship", slot=2)
    turn: Any = RULESET.turn(table.state)
    assert (turn.label, turn.n, turn.sizes) == ("ships/next", 21, (1,))
    table.draw(0)
    assert table["ship_row"] == [ROW[0], *ROW[2:], "ship_26"]
    assert (table["ship_deck"], table["top_back"]) == ([], None)
    assert table["market"] == {"wine": 2, "oil": 1, "silver": 4}


def test_r28_without_a_deck_the_row_shrinks_from_the_right() -> None:
    table = paying_with(RICH, ship_deck=[], top_back=None, houses={"i08": P0})
    table.play(P0, "buy_ship", slot=2)
    assert table.asked() == ("buy_ship", P0), "no ship is drawn"
    assert table["ship_row"] == [ROW[0], *ROW[2:]]
    assert table["market"] == {"wine": 2, "oil": 1, "silver": 2}
    assert table.legal("buy_ship") == [{"slot": slot} for slot in (1, 2, 3, 4)]
    assert table.refused(P0, "buy_ship", slot=5) == "empty_ship_slot"


def test_r28_an_empty_market_asks_nobody() -> None:
    table = paying_with(RICH, ship_deck=[], top_back=None, ship_row=[])
    assert table.asked() != ("buy_ship", P0)
    idle = {"side": P0, "space": "i05", "hex": "market"}
    assert list(table.effects("house_idle")) == [idle]
