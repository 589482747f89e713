"""The ruleset: its entry in the catalogue, its options and its default moves."""

from collections.abc import Mapping
from typing import ClassVar

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import (
    BadOptions,
    Flag,
    GeneralChecks,
    Move,
    Option,
    Ruleset,
    RulesetInfo,
    Seat,
    moves_of,
)
from rules.ragusa import data, grid, moves, play, scoring
from rules.ragusa.errors import Error
from rules.ragusa.state import State

_CORNERS = len(grid.CORNERS[grid.CITY[0]])
_ACTIVATIONS = _CORNERS * (_CORNERS + 1) // 2
"""Maximum number of actions of houses in one hex in a game: the k-th house there activates k
houses.
"""
_WINDOWS = _CORNERS * (_CORNERS - 1) // 2
"""The number of these actions that older houses make. The owner of an older house may exchange fish
before its action.
"""
_EXCHANGES = sum(gains.count(data.FISH) for gains in grid.GAINS) // data.FISH_PER_EXCHANGE
"""Maximum number of exchanges: each takes two of the fish that the board gives."""
_PLACEMENTS = max(seats * houses for seats, houses in data.HOUSES.items())
_MAX_DECISIONS = (
    data.MAX_SEATS  # choices of bonus cards
    + _PLACEMENTS
    + sum(map(len, grid.ACTIVATES))  # choices of the next hex
    + len(grid.PRODUCTION) * _WINDOWS  # refusals to exchange before a production
    + 4 * _ACTIVATIONS  # actions at mason, architect, market and dock
    + _CORNERS  # choices of a card at the palace
    + _EXCHANGES
    + data.MAX_SEATS  # refusals of the final exchange
)
_MAX_EVENTS = (
    _MAX_DECISIONS
    + 3  # draws in the set-up
    + _ACTIVATIONS  # draws of ships
    + _CORNERS  # draws at the palace
    + 2 * data.ROUNDS  # turns of the automata
    + 1  # the draw of their bonus cards
    + data.MAX_SEATS  # resignations
)

_NEUTRAL_HOUSES = Option(
    "two_player_neutral_houses",
    default=False,
    kind=Flag(),
    doc="With two players only: six neutral houses block spaces of the city, drawn at random.",
)


class Ragusa(Ruleset[State], package=__package__):
    """Build houses; in the city, all houses round a hex act together."""

    info: ClassVar = RulesetInfo.of(
        data.EDITION,
        id="ragusa",
        version="1.0.0",
        plays=("1.0.0",),
        max_decisions=_MAX_DECISIONS,
        max_events=_MAX_EVENTS,
        options=(_NEUTRAL_HOUSES,),
    )
    move_types: ClassVar = moves_of(moves)
    hidden_errors: ClassVar = (Error.UNKNOWN_BONUS_CARD,)
    end_reasons: ClassVar = (scoring.HOUSES_PLACED,)
    general_checks: ClassVar = GeneralChecks(
        order=("over", "unknown", "malformed", "seat", "phase")
    )

    def parse_options(self, seats: int, given: Mapping[str, object]) -> JsonObject:
        options = super().parse_options(seats, given)
        name = _NEUTRAL_HOUSES.name
        if options[name] and seats != 2:
            raise BadOptions(name, f"neutral houses are for two players, not {seats}")
        return options

    def initial(self, seats: int, options: JsonObject) -> State:
        state = State.start(seats, neutral=options[_NEUTRAL_HOUSES.name])
        play.set_up(state)
        return state

    def asked_together(self, state: State) -> tuple[Seat, ...]:
        return play.choosing(state)

    def default_move(self, state: State, seat: Seat) -> Move[State]:
        """Decline, or play the first move that keeps all fish: exchanges are voluntary (R1)."""
        legal = self.legal_moves(state, seat)
        if isinstance(legal[-1], moves.Decline):
            return legal[-1]
        return next(move for move in legal if not isinstance(move, moves.ExchangeFish))
