"""The move that is played when nobody answers."""

from collections.abc import Callable

from rules.kernel.contract import Move
from rules.plus_ultra import data, play
from rules.plus_ultra.data import Character
from rules.plus_ultra.moves import activation, characters, turn
from rules.plus_ultra.state import DRAFT, TERCIO_BIDS, State


def default_move(state: State, seat: int) -> Move[State]:
    """Return the move for a seat that does not answer."""
    return _DEFAULTS[state.phase](state, seat)


def _in_activation(state: State, seat: int) -> Move[State]:
    if state.acted != data.NO_CHARACTER:
        return activation.EndActivation()
    unused = [c for c in state.characters[seat] if c not in state.used[seat]]
    return characters.ForfeitCharacter(_first(unused))


def _first(among: list[Character]) -> Character:
    """Return the first by the alphabet of ids."""
    return min(among, key=data.CHARACTERS.__getitem__)


_DEFAULTS: dict[str, Callable[[State, int], Move[State]]] = {
    play.REACTIVATION: lambda _state, _seat: turn.DeclineReactivation(),
    DRAFT: lambda state, _seat: turn.DraftCharacter(_first(state.pack)),
    play.BUY_BULLS: lambda _state, _seat: turn.DeclineBull(),
    TERCIO_BIDS: lambda _state, _seat: turn.BidTercios(0),
    play.ACTIVATION: _in_activation,
    play.CONQUISTADOR_NATIVES: lambda _state, _seat: activation.LeaveNatives(),
    play.CONQUISTADOR_SETTLEMENT: lambda _state, _seat: activation.DeclineSettlement(),
    play.KING_LEVY: lambda _state, _seat: activation.LevyPayDucat(),
    play.PIRATE_RAID: lambda _state, _seat: activation.RaidPayDucat(),
}
