"""Twins for the only secret of Manila: the wares of the shares dealt to others."""

from collections.abc import Iterator

from laws.games import RulesEvent
from laws.tables import Table
from rules.kernel.contract.ruleset import ChanceEvent
from rules.kernel.contract.seats import all_seats
from rules.manila import RULESET
from tests.contract.twins import Position, Twins, twins
from tests.rules.manila.table import HANDS, deal_picks

LAST_VOYAGE = 3
"""The first voyage that can be the last: before, no ware reaches the end of the market."""


def every() -> Iterator[Twins]:
    """Yield a pair for each number of seats: the last two seats have swapped hands."""
    for seats in range(RULESET.info.min_seats, RULESET.info.max_seats + 1):
        options = RULESET.parse_options(
            seats, {"pirates_displace": seats == RULESET.info.max_seats}
        )
        yield twins(
            f"the shares dealt to two of {seats}",
            Table(RULESET, seats, options, f"manila-{seats}"),
            lambda _position, event, seats=seats: _swapped_deal(seats, event),  # type: ignore[misc]  # bound now
            (*all_seats(seats - 2), None),
            until=_in_the_last_voyage,
        )


def _swapped_deal(seats: int, event: RulesEvent) -> tuple[RulesEvent, RulesEvent] | None:
    if not isinstance(event, ChanceEvent) or event.label != "setup/shares":
        return None
    *others, one, other = HANDS[:seats]
    deals = ([*others, one, other], [*others, other, one])
    first, second = (ChanceEvent(event.label, event.n, deal_picks(hands)) for hands in deals)
    return first, second


def _in_the_last_voyage(position: Position) -> bool:
    return all(state.voyage == LAST_VOYAGE for state in position)
