"""The ruleset: what the catalogue says, and which part answers which question."""

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from rules.kernel.canonical import JsonObject, encode_known
from rules.kernel.contract.chance import Random
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.fields import Choice
from rules.kernel.contract.labels import Labels, load_labels
from rules.kernel.contract.move import Move
from rules.kernel.contract.phases import moves_in
from rules.kernel.contract.ruleset import (
    Chanced,
    Decision,
    Finished,
    GeneralChecks,
    Option,
    Result,
    Ruleset,
    RulesetInfo,
    Turn,
)
from rules.kernel.toolbox.pieces import written
from rules.plus_ultra import (
    chance,
    characters,
    common,
    defaults,
    errors,
    moves,
    play,
    scoring,
    views,
)
from rules.plus_ultra.aids import board, heuristic, invariants
from rules.plus_ultra.data import (
    EDITION,
    ESTATES_IN_PLAY,
    MAX_SEATS,
    MIN_SEATS,
    NONE,
    PICKS_EACH,
    ROUNDS,
    ROWS,
    TURNS,
)
from rules.plus_ultra.state import TERCIO_BIDS, State

# Bounds. In an activation there are a character, a common action, one bull for a third action, and
# its end. The character may act twice, each time with a levy or a raid that asks everybody.

_ACTIVATION = 4 + 2 * MAX_SEATS
_TURN = 3 * MAX_SEATS + PICKS_EACH * MAX_SEATS + ROUNDS * MAX_SEATS * _ACTIVATION
"""Reactivations, bulls and bids; the draft; the activations."""
_MAX_DECISIONS = TURNS * _TURN + ESTATES_IN_PLAY
_DRAWS = 2 + TURNS * (2 + ROWS) + ROWS + ESTATES_IN_PLAY
"""The set-up; dice, character and refill of each turn; explorations; estates."""
_MAX_EVENTS = _MAX_DECISIONS + _DRAWS + MAX_SEATS

_OPTIONS = (
    Option(
        "start_order",
        "random",
        Choice(("random", "clockwise")),
        "The first peer order: drawn at random, or seat order from a random first player.",
    ),
    Option(
        "ducat_supply",
        "limited",
        Choice(("limited", "unlimited")),
        "Whether gains are cut short when the bank has run out of ducats.",
    ),
    Option(
        "merchant_market_slot",
        "slot_1",
        Choice(("slot_1", "last_occupied")),
        "Which good the Merchant sells from the market: the first, or the last.",
    ),
)

_FINISHED = Finished()
_DECISIONS = {
    phase: tuple(Decision(phase, (seat,)) for seat in range(MAX_SEATS))
    for phase, row in play.PHASES.items()
    if row.moves and phase != TERCIO_BIDS
}
_MOVES = moves_in(play.PHASES, moves.MOVE_TYPES)
_OF_CHARACTER = [
    tuple(type_ for type_ in characters.MOVE_TYPES if type_.character == character)  # type: ignore[attr-defined]
    for character in range(len(EDITION.tables["characters"]))
]
_LAST = (moves.UseEstate, moves.EndActivation)


@cache
def _bidding(seats: tuple[int, ...]) -> Decision:
    return Decision(TERCIO_BIDS, seats)


class PlusUltra(Ruleset[State]):
    """Draft characters, bid soldiers, and serve the crown, the church and yourself."""

    info: ClassVar = RulesetInfo(
        id="plus_ultra",
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
        "peers_ordered",
        "tile_turned_up",
        "settlement_placed",
        "turn_begun",
        "tercios_reactivated",
        "reactivation_declined",
        "war_rolled",
        "pack_passed",
        "character_drafted",
        "characters_revealed",
        "bull_gained",
        "bull_declined",
        "bid_committed",
        "bids_opened",
        "tercio_placed",
        "tercio_relieved",
        "tercios_tired",
        "character_acted",
        "character_forfeited",
        "common_space_taken",
        "bull_spent",
        "order_changed",
        "good_shipped",
        "good_donated",
        "rosette_used",
        "church_completed",
        "good_sold",
        "good_hauled",
        "good_plundered",
        "trade_advanced",
        "trade_raided",
        "magellan_joined",
        "magellan_completed",
        "estate_taken",
        "own_estate_taken",
        "estate_used",
        "house_gained",
        "rosette_gained",
        "tercio_gained",
        "house_placed",
        "settlement_declined",
        "natives_captured",
        "natives_left",
        "activation_ended",
        "ducats_gained",
        "ducats_paid",
        "pg_gained",
        "pg_lost",
        "crown_paid",
        "crown_gained",
        "war_ended",
        "house_lost",
        "good_produced",
        "goods_confiscated",
        "estates_revealed",
        "game_ended",
    )
    error_codes: ClassVar = errors.CODES
    hidden_errors: ClassVar = (errors.CHARACTER_NOT_IN_PACK, errors.ESTATE_NOT_OWNED)
    end_reasons: ClassVar = scoring.END_REASONS
    general_checks: ClassVar = GeneralChecks(
        over=errors.GAME_OVER,
        unknown=errors.INVALID_PARAMETER,
        malformed=errors.INVALID_PARAMETER,
        phase=errors.WRONG_PHASE,
        seat=errors.NOT_YOUR_DECISION,
        order=("over", "seat", "unknown", "phase", "malformed"),
    )

    # Setting up

    def initial(self, seats: int, options: JsonObject) -> State:
        state = State(
            seats,
            clockwise=options["start_order"] == "clockwise",
            limited=options["ducat_supply"] == "limited",
            sells_last=options["merchant_market_slot"] == "last_occupied",
        )
        play.wait_for_nature(state, play.START_ORDER)
        return state

    # Playing

    def turn(self, state: State) -> Turn:
        decisions = _DECISIONS.get(state.phase)
        if decisions:
            return decisions[state.decider]
        if state.phase == TERCIO_BIDS:
            return _bidding(tuple([s for s, bid in enumerate(state.bids) if bid == NONE]))
        return chance.pending(state) or _FINISHED

    def moves_now(self, state: State) -> tuple[type[Move[State]], ...]:
        return _MOVES[state.phase]

    def legal_moves(self, state: State, seat: int) -> Sequence[Move[State]]:
        if not self.is_asked(state, seat):
            return ()
        legal: list[Move[State]] = []
        if state.phase != play.ACTIVATION:
            for type_ in _MOVES[state.phase]:
                legal += type_.legal(state, seat)
            return legal
        for character in sorted(state.characters[seat]):
            for type_ in _OF_CHARACTER[character]:
                legal += type_.legal(state, seat)
        legal += moves.ForfeitCharacter.legal(state, seat)
        if not state.common_used[seat] or (state.bulls[seat] and not state.bull_used[seat]):
            for type_ in common.MOVE_TYPES:
                legal += type_.legal(state, seat)
        for type_ in _LAST:
            legal += type_.legal(state, seat)
        return legal

    def is_asked(self, state: State, seat: int) -> bool:
        if state.phase == TERCIO_BIDS:
            return 0 <= seat < state.seats and state.bids[seat] == NONE
        return seat == state.decider and seat >= 0

    def may_address(self, state: State, seat: int) -> bool:
        if state.phase == TERCIO_BIDS:  # who has bid hears that a bid cannot be changed
            return 0 <= seat < state.seats and state.active[seat] > 0
        return self.is_asked(state, seat)

    def default_move(self, state: State, seat: int) -> Move[State]:
        return defaults.default_move(state, seat)

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
