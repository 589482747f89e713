"""Piles, compared with a model that has a real order of cards."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rules.kernel.canonical import encode
from rules.kernel.toolbox.pile import Pile

PICKS = st.integers(0, 1000)


class NaivePile:
    """Cards in three heaps, each from top to bottom, drawn like real cards."""

    def __init__(self, cards: list[int]) -> None:
        self.faced: list[int] = []
        self.unknown = set(cards)
        self.laid: list[int] = []

    def take(self, pick: int) -> int:
        if self.faced:
            return self.faced.pop()
        if self.unknown:
            card = sorted(self.unknown)[pick]
            self.unknown.remove(card)
            return card
        return self.laid.pop(0)


class PileMachine(RuleBasedStateMachine):
    @initialize(cards=st.sets(st.integers(0, 50), max_size=8))
    def start(self, cards: set[int]) -> None:
        self.pile = Pile(cards)
        self.model = NaivePile(sorted(cards))
        self.hand: list[int] = []

    @precondition(lambda self: len(self.pile) > 0)
    @rule(pick=PICKS)
    def draw(self, pick: int) -> None:
        pick %= self.pile.size
        card = self.pile.draw(pick)
        assert card == self.model.take(pick)
        self.hand.append(card)

    @precondition(lambda self: len(self.pile) > 0)
    @rule(pick=PICKS)
    def open_top(self, pick: int) -> None:
        pick %= self.pile.size
        card = self.pile.open_top(pick)
        assert card == self.model.take(pick)
        self.model.faced.append(card)

    @precondition(lambda self: len(self.hand) > 0)
    @rule()
    def put_under(self) -> None:
        card = self.hand.pop(0)
        self.pile.put_under(card)
        self.model.laid.append(card)

    @rule()
    def copy_shares_nothing(self) -> None:
        old, before = self.pile, encode(self.pile.to_json())
        self.pile = old.copy()
        assert encode(self.pile.to_json()) == before
        old.put_under(99)
        if len(old) > 1:
            old.draw(0)
        assert encode(self.pile.to_json()) == before

    @rule()
    def read_back(self) -> None:
        data = self.pile.to_json()
        self.pile = Pile.from_json(data)
        assert encode(self.pile.to_json()) == encode(data)

    @invariant()
    def agrees(self) -> None:
        model = self.model
        assert len(self.pile) == len(model.faced) + len(model.unknown) + len(model.laid)
        assert self.pile.rest == sorted(model.unknown)
        assert self.pile.bottom == model.laid
        assert self.pile.top == (model.faced[0] if model.faced else None)
        assert self.pile.size == (len(model.unknown) if model.unknown and not model.faced else 1)


TestPile = PileMachine.TestCase


def test_equal_piles_have_equal_bytes() -> None:
    assert encode(Pile([3, 1, 2]).to_json()) == encode(Pile([2, 3, 1]).to_json())


def test_an_empty_pile_gives_nothing() -> None:
    with pytest.raises(IndexError):
        Pile([]).draw(0)
    with pytest.raises(IndexError):
        Pile([1, 2]).draw(2)


def test_laid_cards_come_last_in_the_order_they_were_laid() -> None:
    pile = Pile([5], bottom=[9])
    pile.put_under(7)
    assert [pile.draw(0) for _ in range(3)] == [5, 9, 7]
