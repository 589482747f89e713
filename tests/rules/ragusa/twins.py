"""Twins for the only secret of Ragusa: the bonus cards of other players."""

from collections.abc import Iterator

from laws.games import RulesEvent
from laws.tables import Table
from rules.kernel.contract.ruleset import ChanceEvent, MoveEvent
from rules.ragusa import RULESET
from rules.ragusa.moves import ChooseBonus, KeepBonus
from tests.contract.twins import Position, Twins, twins

TABLE = Table(RULESET, 4, RULESET.parse_options(4, {}), "ragusa-4")
Pair = tuple[RulesEvent, RulesEvent]


def every() -> Iterator[Twins]:
    """Yield a pair for each kind of difference."""
    blind = (1, 2, 3, None)
    yield twins("the cards dealt", TABLE, _other_deal, (2, 3, None), until=_late)
    yield twins("the card chosen", TABLE, _other_choice, blind, until=_late)
    yield twins("the card kept at the palace", TABLE, _other_keep, blind, until=_late, seed=2)


def _late(position: Position) -> bool:
    houses_left: list[int] = position[0].houses_left
    return bool(position[0].phase == "place_house") and min(houses_left) == 1


def _other_deal(position: Position, event: RulesEvent) -> Pair | None:
    """Seats 0 and 1 swap their three dealt cards; both keep the first."""
    if isinstance(event, ChanceEvent) and event.label == "setup/bonus_cards":
        swapped = [3, 3, 3, 0, 0, 0, *event.picks[6:]]
        straight = [0, 0, 0, 0, 0, 0, *event.picks[6:]]
        return ChanceEvent(event.label, 1, straight), ChanceEvent(event.label, 1, swapped)
    return _the_same_for_others(position, event)


def _other_choice(position: Position, event: RulesEvent) -> Pair | None:
    """Seat 0 keeps the first or the second of the offered cards."""
    if isinstance(event, MoveEvent) and isinstance(event.move, ChooseBonus) and event.seat == 0:
        one, two, *_rest = RULESET.legal_moves(position[0], event.seat)
        return MoveEvent(event.seat, one), MoveEvent(event.seat, two)
    return _the_same_for_others(position, event)


def _other_keep(position: Position, event: RulesEvent) -> Pair | None:
    """Seat 0 keeps one or the other of the cards that it draws at the palace."""
    if isinstance(event, MoveEvent) and isinstance(event.move, KeepBonus) and event.seat == 0:
        one, two = RULESET.legal_moves(position[0], event.seat)
        return MoveEvent(event.seat, one), MoveEvent(event.seat, two)
    return None


def _the_same_for_others(position: Position, event: RulesEvent) -> Pair | None:
    """Every seat that chooses among hidden cards takes the first, in both games."""
    if isinstance(event, MoveEvent) and isinstance(event.move, ChooseBonus):
        one, other = (RULESET.legal_moves(state, event.seat)[0] for state in position)
        return MoveEvent(event.seat, one), MoveEvent(event.seat, other)
    if isinstance(event, ChanceEvent) and event.label == "palace/cards":
        first, second = _common_cards(position, event)
        return ChanceEvent(event.label, event.n, first), ChanceEvent(event.label, event.n, second)
    return None


def _common_cards(position: Position, event: ChanceEvent) -> Iterator[list[int]]:
    """The picks that draw the same cards from two decks, which lack different cards."""
    rests = [list(state.pile.rest) for state in position]
    common = [card for card in rests[0] if card in rests[1]]
    for rest in rests:
        picks = []
        for card in common[: len(event.picks)]:
            picks.append(rest.index(card))
            rest.remove(card)
        yield picks
