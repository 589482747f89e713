"""Twins for the secrets of ``sealed``: a tile, the sunk card, a card in hand, a bid."""

from collections.abc import Iterator

from laws.games import RulesEvent
from laws.tables import Table
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.ruleset import ChanceEvent, MoveEvent
from rules.kernel.contract.seats import Seat
from tests.contract.twins import Position, Twins, twins
from tests.sealed import RULESET, TURN_AFTER, Bid

TABLE = Table(RULESET, 3, RULESET.parse_options(3, {}), "sealed-3")

Pair = tuple[RulesEvent, RulesEvent]


def _other_pick(label: str, position: Position, event: RulesEvent) -> Pair | None:
    """Make the first draw of this label differ; all other draws give the same cards."""
    turn = RULESET.turn(position[0])
    if not isinstance(event, ChanceEvent) or not isinstance(turn, Chance):
        return None
    pick, n = event.picks[0], event.n
    if (event.label, n) == (label, 1):
        return event, ChanceEvent(label, n, [(pick + 1) % turn.sizes[0]])
    if event.label == "card":
        rests = [state["pile"].rest for state in position]
        card = next(card for card in rests[0] if card in rests[1])
        one, other = (ChanceEvent(event.label, n, [rest.index(card)]) for rest in rests)
        return one, other
    return None


def _other_bid(_position: Position, event: RulesEvent) -> Pair | None:
    if isinstance(event, MoveEvent) and isinstance(event.move, Bid) and event.seat == 1:
        return MoveEvent(Seat(1), Bid(0)), MoveEvent(Seat(1), Bid(4))
    return None


def every() -> Iterator[Twins]:
    """Yield a pair for each secret."""
    for label, blind in (("tile", (1, 2, None)), ("sunk", (0, 1, 2, None)), ("card", (1, 2, None))):
        yield twins(
            f"the first {label}",
            TABLE,
            lambda position, event, label=label: _other_pick(label, position, event),  # type: ignore[misc]
            blind,
            until=lambda position: position[0]["round"] == TURN_AFTER,
        )
    yield twins(
        "a bid",
        TABLE,
        _other_bid,
        (0, 2, None),
        until=lambda position: (
            [b is None for b in position[0]["bids"]].count(True) == 1
            and position[0]["bids"][1] is not None
        ),
        opens_next=True,
    )
