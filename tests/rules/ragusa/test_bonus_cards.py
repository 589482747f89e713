"""Bonus cards: the deck that the palace draws from, and what a seat can guess of it."""

import random

from rules.kernel.chance import Chance
from rules.ragusa import RULESET
from rules.ragusa.data import BONUS_CARDS
from tests.rules.ragusa.table import P0, P1, Table

# The palace

PALACE_SPACES = ("i01", "i04", "i07", "i09", "i06", "i03")
PLENTY = {"wood": 8, "stone": 8, "silver_ore": 8, "grapes": 8, "olives": 8}
WINE = {"wine": 1}


def draw_the_last(table: Table) -> None:
    """Draw from the end of the list: nothing that seat 0 was offered, as long as there is more."""
    turn = RULESET.turn(table.state)
    assert isinstance(turn, Chance)
    table.draw(*[size - 1 for size in turn.sizes])


def let_the_turn_pass(table: Table, seat: int) -> None:
    """Answer by default until somebody else is to place a house."""
    while table["active"] == seat:
        if isinstance(turn := RULESET.turn(table.state), Chance):
            table.draw(*([0] * len(turn.sizes)))
        else:
            move = RULESET.default_move(table.state, table["decider"]).to_json()
            table.play(table["decider"], move.pop("type"), **move)


def test_r53_who_draws_again_what_it_laid_back_guesses_no_card_twice() -> None:
    """With five players the sixth house draws the last unseen card and the first laid back."""
    dealt = [BONUS_CARDS[3 * seat : 3 * seat + 3] for seat in range(5)]
    table = Table(
        5, houses={"r02": 1, "r03": 2, "r04": 3, "r05": 4},
        access=dict.fromkeys(range(5), PLENTY), stock=dict.fromkeys(range(5), WINE),
        kept=[cards[0] for cards in dealt],
        sides={seat: {"offered": list(cards)} for seat, cards in enumerate(dealt)},
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


def test_a_card_that_is_offered_twice_is_noticed() -> None:
    complaint = "a bonus card was offered twice"
    offered = {"offered": ["bonus_silk"]}
    assert complaint in RULESET.violations(Table(sides={P0: offered, P1: offered}).state)
    assert complaint not in RULESET.violations(Table(sides={P0: offered}).state)
