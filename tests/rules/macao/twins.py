"""Twins for the only secret of Macao: chosen dice while all seats choose at the same time."""

from collections.abc import Iterator

from laws.games import RulesEvent
from laws.tables import Table
from rules.kernel.contract.ruleset import MoveEvent
from rules.kernel.contract.seats import all_seats
from rules.macao import RULESET
from rules.macao.moves import ChooseDiceSecretly
from tests.contract.twins import Position, Twins, twins
from tests.rules.macao.table import B

CHOOSER = B
DICE = (["red", "blue"], ["gray", "violet"])


def every() -> Iterator[Twins]:
    """Yield a pair for each number of seats: seat 1 has chosen, and one other seat has not."""
    for seats in range(RULESET.info.min_seats, RULESET.info.max_seats + 1):
        options = RULESET.parse_options(seats, {"simultaneous_dice": True})
        yield twins(
            f"the dice chosen by one of {seats}",
            Table(RULESET, seats, options, f"macao-{seats}"),
            _other_dice,
            (*(seat for seat in all_seats(seats) if seat != CHOOSER), None),
            until=_last_to_choose,
            opens_next=True,
        )


def _other_dice(position: Position, event: RulesEvent) -> tuple[RulesEvent, RulesEvent] | None:
    """Let seat 1 choose first, and differently in the two games."""
    if position[0].picked[CHOOSER] or not isinstance(event, MoveEvent):
        return None
    if not isinstance(event.move, ChooseDiceSecretly):
        return None
    one, other = (
        MoveEvent(CHOOSER, RULESET.recorded_move({"type": ChooseDiceSecretly.type, "colors": pair}))
        for pair in DICE
    )
    return one, other


def _last_to_choose(position: Position) -> bool:
    return all(bool(state.picked[CHOOSER]) and len(state.queue) == 1 for state in position)
