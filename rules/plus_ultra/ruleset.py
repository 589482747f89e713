"""The ruleset: its entry in the catalogue, its options and its default moves."""

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import (
    Choice,
    GeneralChecks,
    Move,
    Option,
    Ruleset,
    RulesetInfo,
    Seat,
    by_seat,
)
from rules.plus_ultra import data, moves, play
from rules.plus_ultra.errors import Error
from rules.plus_ultra.moves import characters, turn
from rules.plus_ultra.state import DRAFT, TERCIO_BIDS, State

# Bounds on the length of a game. An activation has an action of a character, a common action, a
# third action for a bull, and its end. The character may act twice, and each time there may be a
# levy or a raid, in which all players decide.

_ACTIVATION = 4 + 2 * data.MAX_SEATS
_TURN = data.MAX_SEATS * (3 + data.PICKS_EACH + data.ROUNDS * _ACTIVATION)
"""Maximum number of decisions in a turn: reactivations, bulls and bids; the draft; the
activations.
"""
_MAX_DECISIONS = data.TURNS * _TURN + data.ESTATES_IN_PLAY
_DRAWS = 2 + data.TURNS * (2 + data.ROWS) + data.ROWS + data.ESTATES_IN_PLAY
"""Maximum number of draws.

These are the draws of the set-up; in each turn the draws of dice, of a character and of tiles; the
draws for explorations; and the draws of estates.
"""


@cache
def _types(common: bool, *able: data.Character) -> tuple[type[Move[State]], ...]:  # noqa: FBT001 - cached
    """Return the types of move in an activation, given the characters that can act."""
    others = set(() if common else data.COMMON)
    others |= {action for action, character in data.ACTOR.items() if character not in able}
    named = [type_ for type_ in play.PHASES[play.ACTIVATION].moves if type_ not in others]
    return tuple(type_ for type_ in moves.MOVE_TYPES if type_.type in named)


_DEFAULTS: dict[str, Move[State]] = {
    play.REACTIVATION: turn.DeclineReactivation(),
    play.BUY_BULLS: turn.DeclineBull(),
    TERCIO_BIDS: turn.BidTercios(0),
    play.CONQUISTADOR_NATIVES: turn.LeaveNatives(),
    play.CONQUISTADOR_SETTLEMENT: turn.DeclineSettlement(),
    play.KING_LEVY: turn.LevyPayDucat(),
    play.PIRATE_RAID: turn.RaidPayDucat(),
}
_id = data.CHARACTERS.__getitem__  # characters are ordered by their ids


class PlusUltra(Ruleset[State], package=__package__):
    """Draft characters, bid soldiers, and serve the crown, the church and yourself."""

    info: ClassVar = RulesetInfo.of(
        data.EDITION,
        id="plus_ultra",
        version="1.0.0",
        plays=("1.0.0",),
        max_decisions=_MAX_DECISIONS,
        max_events=_MAX_DECISIONS + _DRAWS + data.MAX_SEATS,
        options=(
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
        ),
    )
    end_reasons: ClassVar = (data.SEVEN_TURNS,)
    move_types: ClassVar = moves.MOVE_TYPES
    hidden_errors: ClassVar = (Error.CHARACTER_NOT_IN_PACK, Error.ESTATE_NOT_OWNED)
    general_checks: ClassVar = GeneralChecks(
        unknown=Error.INVALID_PARAMETER,
        malformed=Error.INVALID_PARAMETER,
        order=("over", "seat", "unknown", "phase", "malformed"),
    )

    def initial(self, seats: int, options: JsonObject) -> State:
        state = State.start(seats, options)
        state.wait(play.START_ORDER)
        return state

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move[State]]:
        if state.phase != play.ACTIVATION or seat != state.decider:
            return super().legal_moves(state, seat)
        # If all 31 types were checked, random play would be 1.8 times slower.
        bull, held = not state.lacks_bull(seat), state.characters[seat]
        if state.acted == data.NO_CHARACTER:
            used = state.used[seat]
            able = [character for character in held if character not in used]
        else:
            able = [state.current] if bull and state.current in held else []
        legal: list[Move[State]] = []
        for type_ in _types(bull or not state.common_used[seat], *able):
            if found := type_.legal(state, seat):
                legal += found
        return legal

    def asked_together(self, state: State) -> tuple[Seat, ...]:
        if state.phase != TERCIO_BIDS:
            return ()
        return tuple([seat for seat, bid in by_seat(state.bids) if bid == data.NONE])

    def may_address(self, state: State, seat: Seat) -> bool:
        if state.phase == TERCIO_BIDS:  # a second bid is refused with an error of its own
            return 0 <= seat < state.seats and state.active[seat] > 0
        return self.is_asked(state, seat)

    def default_move(self, state: State, seat: Seat) -> Move[State]:
        if state.phase == DRAFT:
            return turn.DraftCharacter(min(state.pack, key=_id))
        if state.phase == play.ACTIVATION and state.acted == data.NO_CHARACTER:
            unused = [c for c in state.characters[seat] if c not in state.used[seat]]
            return characters.ForfeitCharacter(min(unused, key=_id))
        return _DEFAULTS.get(state.phase, turn.EndActivation())
