"""Twins for the secrets of Plus Ultra: bids, drafted and set-aside characters, estates."""

from collections.abc import Callable, Iterator

from laws.games import RulesEvent
from laws.tables import Table
from rules.kernel.contract.ruleset import ChanceEvent, MoveEvent
from rules.kernel.contract.seats import Seat
from rules.plus_ultra import RULESET
from rules.plus_ultra.data import CHARACTER, ESTATES
from rules.plus_ultra.moves.turn import BidTercios, DraftCharacter
from rules.plus_ultra.state import DRAFT, TERCIO_BIDS
from tests.contract.twins import Position, Twins, twins
from tests.rules.plus_ultra.table import A, B, C, D

TABLE = Table(RULESET, 4, RULESET.parse_options(4, {}), "plus_ultra-4")

Pair = tuple[RulesEvent, RulesEvent]


def every() -> Iterator[Twins]:
    """Yield a pair for each secret."""
    yield twins(
        "a bid", TABLE, _other_bid, (A, C, D, None), until=_all_but_one_have_bid, opens_next=True
    )
    yield twins("drafted characters", TABLE, _other_draft, (C, D, None), until=_picks(2))
    yield twins(
        "the character set aside", TABLE, _other_set_aside, (B, C, D, None), until=_picks(1)
    )
    yield twins("an estate", TABLE, _other_estate, (B, C, D, None), until=_estate_is_owned)


def _in_order(event: RulesEvent) -> Pair | None:
    """Let the seats play in order, so that everybody knows when each seat picks."""
    if isinstance(event, ChanceEvent) and event.label == "setup/peer_order":
        ordered = ChanceEvent(event.label, event.n, [3, 2, 1])
        return ordered, ordered
    return None


def _other_bid(position: Position, event: RulesEvent) -> Pair | None:
    """B bids nothing, or a tercio; the others wait for it."""
    if isinstance(event, MoveEvent) and isinstance(event.move, BidTercios):
        if position[0].bids[B] < 0:
            return MoveEvent(B, BidTercios(0)), MoveEvent(B, BidTercios(1))
        return None
    return _in_order(event)


def _all_but_one_have_bid(position: Position) -> bool:
    bids: list[int] = position[0].bids
    bidding: bool = position[0].phase == TERCIO_BIDS
    return bidding and bids.count(-1) == 1 and bids[B] >= 0


def _other_draft(_position: Position, event: RulesEvent) -> Pair | None:
    """A and B take the Admiral and the Cardinal, or the other way round."""
    if isinstance(event, ChanceEvent) and event.label == "characters/set_aside":
        aside = ChanceEvent(event.label, event.n, [CHARACTER.read("king")])
        return aside, aside
    if (
        isinstance(event, MoveEvent)
        and isinstance(event.move, DraftCharacter)
        and event.seat in (A, B)
    ):
        characters = ("admiral", "cardinal")
        one, other = (_draft(event.seat, c) for c in _turned(characters, event.seat))
        return one, other
    return _in_order(event)


def _draft(seat: Seat, character: str) -> RulesEvent:
    return MoveEvent(seat, DraftCharacter(CHARACTER.read(character)))


def _turned(pair: tuple[str, str], seat: Seat) -> tuple[str, str]:
    return (pair[0], pair[1]) if seat == A else (pair[1], pair[0])


def _other_set_aside(_position: Position, event: RulesEvent) -> Pair | None:
    """The King is set aside and A takes the Pirate, or the other way round."""
    if isinstance(event, ChanceEvent) and event.label == "characters/set_aside":
        one, other = (
            ChanceEvent(event.label, event.n, [CHARACTER.read(c)]) for c in ("king", "pirate")
        )
        return one, other
    if isinstance(event, MoveEvent) and isinstance(event.move, DraftCharacter) and event.seat == A:
        return _draft(A, "pirate"), _draft(A, "king")
    return _in_order(event)


def _picks(number: int) -> Callable[[Position], bool]:
    return lambda position: position[0].phase == DRAFT and position[0].picks == number


def _other_estate(position: Position, event: RulesEvent) -> Pair | None:
    """The first estate is the Castle or the Palace: neither can be used."""
    if isinstance(event, ChanceEvent) and event.label == "estates/estate" and event.n == 1:
        one, other = (ChanceEvent(event.label, 1, [ESTATES.index(e)]) for e in ("castle", "palace"))
        return one, other
    if isinstance(event, MoveEvent) and event.seat != A:
        return _dull(position, event)
    return _in_order(event) or _buying(position, event)


def _buying(position: Position, event: RulesEvent) -> Pair | None:
    """A borrows and buys an estate as soon as it can."""
    if not isinstance(event, MoveEvent) or position[0].estates[A]:
        return None
    legal = RULESET.legal_moves(position[0], event.seat)
    for type_ in ("common_estate", "secretary_estate", "common_loan"):
        for move in legal:
            if move.type == type_:
                return MoveEvent(event.seat, move), MoveEvent(event.seat, move)
    return None


def _dull(position: Position, event: MoveEvent) -> Pair:  # type: ignore[type-arg]  # of this game
    """The other seats pass, so that they take no estate."""
    move = RULESET.default_move(position[0], event.seat)
    return MoveEvent(event.seat, move), MoveEvent(event.seat, move)


def _estate_is_owned(position: Position) -> bool:
    state = position[0]
    return bool(state.estates[A]) and state.turn > 1 and state.phase == "activation"
