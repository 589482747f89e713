"""The ruleset: its entry in the catalogue, its options and its default moves."""

from collections.abc import Mapping
from typing import ClassVar

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import (
    BadOptions,
    Choice,
    Either,
    Integer,
    Maybe,
    Move,
    Option,
    Permutation,
    Ruleset,
    RulesetInfo,
    Seat,
)
from rules.santiago_de_cuba import data, fields, moves, play, uses
from rules.santiago_de_cuba.effects import END_REASONS
from rules.santiago_de_cuba.moves import ChooseDemand, GiveTribute
from rules.santiago_de_cuba.state import State, set_up

_TURN_LIMIT = 400
_HIGHEST_TURN_LIMIT = 1_000_000
"""The greatest value of the option ``turn_limit``; the rulebook has no limit."""
_MAX_LOADS = 3 + 3 + 3 + 4
"""Maximum number of goods in a loading round: the sum of the four highest faces on a ship."""
_MAX_DECISIONS = _TURN_LIMIT * (_MAX_LOADS + data.MAX_SEATS + 2) + data.SHIPS + 1
"""Maximum number of decisions. In each turn: driving, loads, passes, and a choice of dice. In the
whole game: choices of dice for the first ship and for ships without demand.
"""
_MAX_EVENTS = _MAX_DECISIONS + 3 + data.SHIPS + data.MAX_SEATS
"""Maximum number of events: the decisions, the draws of the set-up, a roll for each ship, and a
resignation of each seat.
"""

_OPTIONS = (
    Option(
        "start_player",
        "random",
        Either((Choice(("random",)), Integer(0, data.MAX_SEATS - 1))),
        "Who takes the first turn: drawn at random, or a seat.",
    ),
    Option(
        "holdings_visibility",
        "hidden",
        Choice(("hidden", "open")),
        "Whether pesos, VP and goods stand behind screens until the end, or are shown to all.",
    ),
    Option(
        "citizen_order",
        None,
        Maybe(Permutation(data.CITIZENS)),
        "The citizens of stops 1 to 9; null shuffles them.",
    ),
    Option(
        "building_order",
        None,
        Maybe(Permutation(data.BUILDINGS)),
        "The buildings of spaces 1 to 12, three under each flower; null shuffles them.",
    ),
    Option(
        "turn_limit",
        _TURN_LIMIT,
        Integer(0, _HIGHEST_TURN_LIMIT),
        "The game ends after so many turns of all players together,"
        f" at most {_HIGHEST_TURN_LIMIT:,}; 0 never ends it so."
        " The bounds on decisions and events hold for the default.",
    ),
)


class SantiagoDeCuba(Ruleset[State], package=__package__):
    """Drive the car, visit citizens and buildings, load the ship."""

    info: ClassVar = RulesetInfo.of(
        data.EDITION,
        id="santiago_de_cuba",
        version="1.0.0",
        plays=("1.0.0",),
        max_decisions=_MAX_DECISIONS,
        max_events=_MAX_EVENTS,
        options=_OPTIONS,
    )
    move_types: ClassVar = moves.MOVE_TYPES
    end_reasons: ClassVar = END_REASONS

    def parse_options(self, seats: int, given: Mapping[str, object]) -> JsonObject:
        options = super().parse_options(seats, given)
        start = options["start_player"]
        if start != "random" and start >= seats:
            raise BadOptions("start_player", f"there is no seat {start} among {seats}")
        return options

    def initial(self, seats: int, options: JsonObject) -> State:
        state = set_up(seats, options)
        play.continue_setup(state)
        return state

    def spelled_out(self, state: State, seat: Seat, data: JsonObject) -> JsonObject:
        return uses.spelled_out(data, state.pawn[seat])

    def default_move(self, state: State, seat: Seat) -> Move[State]:
        """Return the move for a seat that does not answer (R56)."""
        legal = self.legal_moves(state, seat)
        match state.phase:
            case play.CHOOSE_DEMAND:
                return ChooseDemand(min(fields.DIE.values(), key=state.roll.__getitem__))
            case play.TRIBUTE:
                gifts = [gift for gift in legal if isinstance(gift, GiveTribute)]
                order = (GiveTribute.PESO, GiveTribute.GOOD, GiveTribute.VP)
                return min(gifts, key=lambda gift: order.index(gift.kind))
            case play.LOADING_ROUND | play.ALONSO | play.USE_BUILDING:
                return legal[-1]  # the last of the legal moves passes, declines or skips
        return legal[0]
