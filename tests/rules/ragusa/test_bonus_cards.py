"""Bonus cards: their scores, and the deck of the palace."""

import copy
import random

import pytest

from rules.kernel.contract.chance import Chance
from rules.kernel.contract.seats import all_seats, by_seat
from rules.ragusa import RULESET
from rules.ragusa.data import CARDS
from tests.rules.ragusa.table import P0, P1, Table
from tests.rules.ragusa.test_examples import final
from tests.rules.ragusa.test_fish import ALL_AT_EIGHT

# Scores

ACCESS = {"fish": 2, "wood": 3, "stone": 4, "silver_ore": 5, "grapes": 1, "olives": 6}
FLEET = ["ship_01", "ship_07", "ship_08", "ship_13", "ship_14", "ship_15", "ship_19", "ship_23",
         "ship_24"]  # fmt: skip
"""A ship with salt, two with spices, three with silk, one with pearls, two with gems."""


@pytest.mark.parametrize(
    ("card", "vp"),
    [
        ("bonus_wood", 3), ("bonus_stone", 4), ("bonus_fish", 2 * 2),
        ("bonus_silver_ore", 2 * 5), ("bonus_grapes", 2 * 1), ("bonus_olives", 2 * 6),
        ("bonus_salt", 3 * 1), ("bonus_spices", 3 * 2), ("bonus_silk", 3 * 3),
        ("bonus_pearls", 4 * 1), ("bonus_gems", 4 * 2), ("bonus_fleet", 2 * 5),
        ("bonus_towers", 2), ("bonus_gates", 1), ("bonus_districts", 4), ("bonus_warehouse", 3),
    ],
)  # fmt: skip
def test_what_each_card_scores(card: str, vp: int) -> None:
    given = final()
    given["sides"][P0].update(access=ACCESS, ships=FLEET)
    table = Table(
        first=True, houses={"b03": P0, "i07": P0}, towers={"b01": P0, "b02": P0},
        stock={P0: {"wine": 3, "oil": 2, "silver": 5}},
        kept=(card, "bonus_silk", "bonus_gems"), **given,
    ).play(P0, "decline")  # fmt: skip
    assert RULESET.result(table.state).standings[P0].breakdown["bonus"] == vp


# The palace

PALACE_SPACES = ("i01", "i04", "i07", "i09", "i06", "i03")
WINE = {"wine": 1}


def draw_the_last(table: Table) -> None:
    """Draw from the end of the list, so no cards offered to seat 0 as long as there are others."""
    turn = RULESET.turn(table.state)
    assert isinstance(turn, Chance)
    table.draw(*[size - 1 for size in turn.sizes])


def let_the_turn_pass(table: Table, seat: int) -> None:
    """Play default moves until another player is to place a house."""
    while table["active"] == seat:
        if isinstance(turn := RULESET.turn(table.state), Chance):
            table.draw(*([0] * len(turn.sizes)))
        else:
            move = RULESET.default_move(table.state, table["decider"]).to_json()
            table.play(table["decider"], move.pop("type"), **move)


def test_r53_who_draws_again_what_it_laid_back_guesses_no_card_twice() -> None:
    """With five players, the sixth house draws the last unseen card and the first returned one."""
    dealt = [CARDS[3 * seat : 3 * seat + 3] for seat in range(5)]
    table = Table(
        5, houses={"r02": 1, "r03": 2, "r04": 3, "r05": 4},
        access=dict.fromkeys(all_seats(5), ALL_AT_EIGHT), stock=dict.fromkeys(all_seats(5), WINE),
        kept=[cards[0] for cards in dealt],
        sides={seat: {"offered": list(cards)} for seat, cards in by_seat(dealt)},
    )  # fmt: skip
    for seat, space in zip((0, 1, 2, 3, 4, 0), PALACE_SPACES, strict=True):
        table.place(seat, space).activate(seat, "rectors_palace")
        draw_the_last(table)
        if space != PALACE_SPACES[-1]:
            let_the_turn_pass(table, seat)
    first, *_others, last = [draw["cards"] for draw in table["palace_draws"]]
    assert first[1] == last[1], "what seat 0 laid back comes to it again"
    information = RULESET.information(table.state, P0)
    for seed in range(20):
        guess = RULESET.determinize(information, random.Random(seed))
        assert RULESET.information(guess, P0) == information
        offered = [card for side in RULESET.to_json(guess)["sides"] for card in side["offered"]]
        assert len(set(offered)) == 15
    # If seat 1 had drawn first, seat 0 would know the card that seat 1 put back.
    other = copy.deepcopy(table.json)
    one, two = other["palace_draws"][:2]
    one["side"], two["side"] = P1, P0
    own, others = other["sides"][P0]["kept"], other["sides"][P1]["kept"]
    own[1], others[1] = others[1], own[1]
    information = RULESET.information(RULESET.from_json(other), P0)
    assert information["state"]["palace_draws"][0]["cards"] == [last[1], None]
    for seed in range(20):
        guess = RULESET.determinize(information, random.Random(seed))
        assert RULESET.information(guess, P0) == information


def test_a_card_that_is_offered_twice_is_noticed() -> None:
    complaint = "a bonus card was offered twice"
    offered = {"offered": ["bonus_silk"]}
    assert complaint in RULESET.violations(Table(sides={P0: offered, P1: offered}).state)
    assert complaint not in RULESET.violations(Table(sides={P0: offered}).state)


def at_palace(*deck: str) -> Table:
    """P0 activates the palace, with a deck of these cards."""
    table = Table(
        access={P0: {"stone": 1, "grapes": 1}}, bonus_deck={"rest": list(deck), "bottom": []}
    )
    return table.place(P0, "i04").activate(P0, "rectors_palace")


def test_r16_the_only_card_left_is_kept() -> None:
    table = at_palace("bonus_silk").draw(0)
    assert table.side(P0)["kept"] == ["bonus_wood", "bonus_silk"]
    assert table["palace_draws"] == [{"side": P0, "cards": ["bonus_silk"]}]
    assert table["bonus_deck"] == {"rest": [], "bottom": []}
    assert table.asked() == ("choose_hex", P0)


def test_r16_without_a_card_the_palace_does_nothing() -> None:
    table = at_palace()
    assert table.side(P0)["kept"] == ["bonus_wood"]
    idle = {"side": P0, "space": "i04", "hex": "rectors_palace"}
    assert list(table.effects("house_idle")) == [idle]
    assert table.asked() == ("choose_hex", P0)
