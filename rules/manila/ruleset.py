"""The ruleset: its entry in the catalogue, its options and its default moves."""

from typing import ClassVar

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import (
    Choice,
    Flag,
    GeneralChecks,
    Integer,
    Move,
    Option,
    Ruleset,
    RulesetInfo,
    Seat,
)
from rules.manila import data, moves, play
from rules.manila.errors import Error
from rules.manila.moves import accomplices, auction, pilots_and_pirates
from rules.manila.state import State

_VOYAGE_LIMIT = 60

# Bounds on the length of a game. Every bid raises the price by at least a peso, and the last bid is
# paid. Every loan except the first on each share follows a redemption, and both together cost 3
# pesos. So the players' total possible income pays for all bids and loans of a game, except one
# loan on each share.

_SHARES = data.SHARES_PER_WARE * len(data.WARES)
_VOYAGE_INCOME = (
    sum(sorted(data.PROFITS)[-data.LANES :]) + sum(data.PAYOUTS[data.PORT]) + data.PREMIUM
)
"""The maximum income of all players in a voyage: the profits of the punts, and the payments of
three ports or shipyards, which pay the same.
"""
_RAISED = data.START_CASH * data.MAX_SEATS + data.LOAN * _SHARES + _VOYAGE_INCOME * _VOYAGE_LIMIT
_VOYAGE_DECISIONS = data.MAX_SEATS + 3 + 3 * data.MAX_SEATS + 2 + 2 + data.LANES
"""The maximum number of decisions in a voyage: passes, the duties of the harbour master,
placements, pilots, pirates, and one for each punt that arrives or is plundered.
"""
_MAX_DECISIONS = _RAISED + _SHARES + _VOYAGE_DECISIONS * _VOYAGE_LIMIT
_MAX_EVENTS = _MAX_DECISIONS + 2 + data.MOVEMENTS * _VOYAGE_LIMIT + data.MAX_SEATS
"""Maximum number of events: the decisions, the draws of the set-up, three rolls in each voyage, and
a resignation of each seat.
"""

_OPTIONS = (
    Option(
        "pirates_displace",
        default=False,
        kind=Flag(),
        doc="Whether pirates may throw an accomplice off a punt that has no empty seat.",
    ),
    Option(
        "first_starter",
        "random",
        Choice(("random", "seat_0")),
        "Who opens the first auction: drawn at random, or seat 0.",
    ),
    Option(
        "arrival_order",
        "harbour_master",
        Choice(("harbour_master", "automatic")),
        "Whether the harbour master says in which order punts that arrive together dock, or they"
        " dock in the order of their lanes. No payment depends on it.",
    ),
    Option(
        "initial_pool",
        "three_per_ware",
        Choice(tuple(data.POOLS)),
        "From how many shares of each ware the opening hands are dealt.",
    ),
    Option(
        "voyage_limit",
        _VOYAGE_LIMIT,
        Integer(0, 1_000_000),
        "The game ends after so many voyages; 0 never ends it so."
        " The bounds on decisions and events hold for the default.",
    ),
)

_STARTS = (4, 3, 2)
_DEFAULTS: dict[str, Move[State]] = {
    play.AUCTION: auction.PassAuction(),
    play.BUY_SHARE: auction.SkipShare(),
    play.LOAD_WARES: auction.LoadWares(data.ALL_WARES[-1]),
    play.PLACEMENT: accomplices.Abstain(),
    play.SMALL_PILOT: pilots_and_pirates.PilotSkip(),
    play.BIG_PILOT: pilots_and_pirates.PilotSkip(),
    play.PIRATE_BOARDING: pilots_and_pirates.StayOnPirateBoat(),
}


class Manila(Ruleset[State], package=__package__):
    """Buy the harbour master's office, bet on punts, speculate with shares."""

    info: ClassVar = RulesetInfo.of(
        data.EDITION,
        id="manila",
        version="1.0.0",
        plays=("1.0.0",),
        max_decisions=_MAX_DECISIONS,
        max_events=_MAX_EVENTS,
        options=_OPTIONS,
    )
    end_reasons: ClassVar = data.END_REASONS
    move_types: ClassVar = moves.MOVE_TYPES
    hidden_errors: ClassVar = (Error.NO_SHARE_IN_SUPPLY.value,)
    general_checks: ClassVar = GeneralChecks(
        unknown=Error.MALFORMED_ACTION,
        malformed=Error.MALFORMED_ACTION,
        seat=Error.NOT_YOUR_TURN,
        order=("over", "seat", "unknown", "phase", "malformed"),
        types=True,
    )

    def initial(self, seats: int, options: JsonObject) -> State:
        state = State.start(seats, options)
        play.continue_setup(state)
        return state

    def default_move(self, state: State, seat: Seat) -> Move[State]:
        """Return the default move of R61: decline, if that is possible."""
        match state.phase:
            case play.PLACE_PUNTS:
                starts = zip(play.loaded(state), _STARTS, strict=True)
                return auction.PlacePunts(tuple(starts))
            case play.ARRIVAL_ORDER:
                return auction.ChooseArrivalOrder(tuple(state.arrivals))
            case play.PLUNDER:
                return pilots_and_pirates.SendPlundered(state.plunder_queue[0], data.PORT)
        return _DEFAULTS[state.phase]
