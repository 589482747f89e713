"""The move that is played when nobody answers."""

from collections.abc import Callable

from rules.kernel.contract.move import Move
from rules.plus_ultra import play
from rules.plus_ultra.data import CHARACTERS, NONE
from rules.plus_ultra.moves import (
    BidTercios,
    DeclineBull,
    DeclineReactivation,
    DeclineSettlement,
    DraftCharacter,
    EndActivation,
    ForfeitCharacter,
    LeaveNatives,
    LevyPayDucat,
    RaidPayDucat,
)
from rules.plus_ultra.state import DRAFT, TERCIO_BIDS, State


def default_move(state: State, seat: int) -> Move[State]:
    """Return the move for a seat that does not answer."""
    return _DEFAULTS[state.phase](state, seat)


def _in_activation(state: State, seat: int) -> Move[State]:
    if state.acted != NONE:
        return EndActivation.pool[0]
    unused = [c for c in state.characters[seat] if c not in state.used[seat]]
    return ForfeitCharacter.pool[min(unused, key=CHARACTERS.__getitem__)]


_DEFAULTS: dict[str, Callable[[State, int], Move[State]]] = {
    play.REACTIVATION: lambda _state, _seat: DeclineReactivation.pool[0],
    DRAFT: lambda state, _seat: DraftCharacter.pool[min(state.pack, key=CHARACTERS.__getitem__)],
    play.BUY_BULLS: lambda _state, _seat: DeclineBull.pool[0],
    TERCIO_BIDS: lambda _state, _seat: BidTercios.pool[0],
    play.ACTIVATION: _in_activation,
    play.CONQUISTADOR_NATIVES: lambda _state, _seat: LeaveNatives.pool[0],
    play.CONQUISTADOR_SETTLEMENT: lambda _state, _seat: DeclineSettlement.pool[0],
    play.KING_LEVY: lambda _state, _seat: LevyPayDucat.pool[0],
    play.PIRATE_RAID: lambda _state, _seat: RaidPayDucat.pool[0],
}
