"""The ruleset: what the catalogue says, and which part answers which question."""

from collections.abc import Sequence
from typing import ClassVar

from rules.kernel.canonical import JsonObject, encode_known
from rules.kernel.contract.chance import Random
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.fields import Choice, Flag, Integer
from rules.kernel.contract.labels import Labels, load_labels
from rules.kernel.contract.move import Move
from rules.kernel.contract.phases import decisions, moves_in
from rules.kernel.contract.ruleset import (
    Chanced,
    Finished,
    GeneralChecks,
    Option,
    Result,
    Ruleset,
    RulesetInfo,
    Turn,
)
from rules.kernel.toolbox.pieces import written
from rules.manila import chance, defaults, errors, moves, play, scoring, views
from rules.manila.aids import board, heuristic, invariants
from rules.manila.data import (
    EDITION,
    LANES,
    LOAN,
    MAX_SEATS,
    MIN_SEATS,
    MOVEMENTS,
    POOLS,
    PORT_PAYOUTS,
    PREMIUM,
    PROFITS,
    SHARES_PER_WARE,
    START_CASH,
    WARES,
)
from rules.manila.state import State

_VOYAGE_LIMIT = 60

# Bounds. Every bid raises the price by at least a peso, and the last one is paid; every loan but
# the first of each share follows a redemption, and the two cost 3 pesos. So all bids and loans of
# a game are paid out of what its players can ever raise, but for one loan on each share.

_SHARES = SHARES_PER_WARE * len(WARES)
_VOYAGE_INCOME = sum(sorted(PROFITS)[-LANES:]) + sum(PORT_PAYOUTS) + PREMIUM
"""The punts pay their profits and as much as three ports; shipyards are like ports."""
_RAISED = START_CASH * MAX_SEATS + LOAN * _SHARES + _VOYAGE_INCOME * _VOYAGE_LIMIT
_PLACEMENTS = 3 * MAX_SEATS
_VOYAGE_DECISIONS = MAX_SEATS + 3 + _PLACEMENTS + 2 + 2 + LANES
"""Passes, the master's duties, placements, pilots, boarding; a punt arrives or is plundered."""
_MAX_DECISIONS = _RAISED + _SHARES + _VOYAGE_DECISIONS * _VOYAGE_LIMIT
_MAX_EVENTS = _MAX_DECISIONS + 2 + MOVEMENTS * _VOYAGE_LIMIT + MAX_SEATS
"""Besides the moves: the set-up, three rolls a voyage, a resignation of each seat."""

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
        Choice(tuple(POOLS)),
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

_FINISHED = Finished()
_DECISIONS = decisions(play.PHASES, MAX_SEATS)
_MOVES = moves_in(play.PHASES, moves.MOVE_TYPES)


class Manila(Ruleset[State]):
    """Buy the harbour master's office, bet on punts, speculate with shares."""

    info: ClassVar = RulesetInfo(
        id="manila",
        version="1.0.0",
        plays=("1.0.0",),
        title=EDITION.tables["name"],
        designer=EDITION.tables["designer"],
        year=EDITION.tables["year"],
        min_seats=MIN_SEATS,
        max_seats=MAX_SEATS,
        max_decisions=_MAX_DECISIONS,
        max_events=_MAX_EVENTS,
        options=_OPTIONS,
    )
    data: ClassVar = EDITION
    labels: ClassVar = Labels(load_labels(__package__))
    move_types: ClassVar = moves.MOVE_TYPES
    effect_types: ClassVar = (
        "own_shares_dealt",
        "shares_dealt",
        "starting_player_drawn",
        "bid_placed",
        "auction_passed",
        "office_awarded",
        "loan_taken",
        "share_redeemed",
        "share_bought",
        "share_skipped",
        "wares_loaded",
        "punts_placed",
        "accomplice_placed",
        "premium_received",
        "abstained",
        "pilot_moved",
        "pilot_skipped",
        "dice_rolled",
        "punt_moved",
        "punt_docked",
        "pirate_boarded",
        "pirate_stayed",
        "punt_plundered",
        "loot_paid",
        "cargo_paid",
        "port_paid",
        "shipyard_paid",
        "repairs_paid",
        "market_raised",
        "voyage_ended",
        "shares_revealed",
        "game_ended",
    )
    error_codes: ClassVar = errors.CODES
    hidden_errors: ClassVar = (errors.NO_SHARE_IN_SUPPLY,)
    end_reasons: ClassVar = scoring.END_REASONS
    general_checks: ClassVar = GeneralChecks(
        over=errors.GAME_OVER,
        unknown=errors.MALFORMED_ACTION,
        malformed=errors.MALFORMED_ACTION,
        phase=errors.WRONG_PHASE,
        seat=errors.NOT_YOUR_TURN,
        order=("over", "seat", "unknown", "phase", "malformed"),
    )

    # Setting up

    def initial(self, seats: int, options: JsonObject) -> State:
        state = State(
            seats,
            pirates_displace=options["pirates_displace"],
            asks_arrival_order=options["arrival_order"] == "harbour_master",
            initial_pool=options["initial_pool"],
            voyage_limit=options["voyage_limit"],
        )
        if options["first_starter"] == "seat_0":
            state.starter = 0
        play.continue_setup(state)
        return state

    # Playing

    def turn(self, state: State) -> Turn:
        decisions = _DECISIONS.get(state.phase)
        if decisions:
            return decisions[state.decider]
        return chance.pending(state) or _FINISHED

    def moves_now(self, state: State) -> tuple[type[Move[State]], ...]:
        return _MOVES[state.phase]

    def legal_moves(self, state: State, seat: int) -> Sequence[Move[State]]:
        if seat != state.decider or seat < 0:
            return ()
        legal: list[Move[State]] = []
        for type_ in _MOVES[state.phase]:
            legal += type_.legal(state, seat)
        return legal

    def is_asked(self, state: State, seat: int) -> bool:
        return seat == state.decider and seat >= 0

    def default_move(self, state: State, seat: int) -> Move[State]:
        return defaults.default_move(state)

    def chance(self, state: State, event: Chanced, log: EffectLog | None) -> None:
        chance.apply(state, event.picks, log)

    # Copies and codecs

    def copy(self, state: State) -> State:
        return state.copy()

    def to_json(self, state: State) -> JsonObject:
        return state.to_json()

    def to_bytes(self, state: State) -> bytes:
        return encode_known(state.to_json(written))

    def from_json(self, data: JsonObject) -> State:
        return State.from_json(data)

    # What each viewer knows

    def view(self, state: State, viewer: int | None) -> JsonObject:
        return views.view(state, viewer)

    def information(self, state: State, seat: int) -> JsonObject:
        return views.information(state, seat)

    def determinize(self, information: JsonObject, rng: Random) -> State:
        return views.determinize(information, rng)

    # Ending and judging

    def result(self, state: State) -> Result:
        return scoring.result(state)

    def heuristic(self, state: State, seat: int) -> float:
        return heuristic.evaluate(state, seat)

    def violations(self, state: State) -> list[str]:
        return invariants.violations(state)

    def draw_board(self, view: JsonObject, language: str) -> str:
        return board.draw(view, self.labels, language)
