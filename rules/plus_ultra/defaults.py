"""The move that is played when nobody answers."""

from rules.kernel.contract import Move
from rules.plus_ultra import data, play
from rules.plus_ultra.data import Character
from rules.plus_ultra.moves import characters, turn
from rules.plus_ultra.state import DRAFT, TERCIO_BIDS, State

_DEFAULTS: dict[str, Move[State]] = {
    play.REACTIVATION: turn.DeclineReactivation(),
    play.BUY_BULLS: turn.DeclineBull(),
    TERCIO_BIDS: turn.BidTercios(0),
    play.CONQUISTADOR_NATIVES: turn.LeaveNatives(),
    play.CONQUISTADOR_SETTLEMENT: turn.DeclineSettlement(),
    play.KING_LEVY: turn.LevyPayDucat(),
    play.PIRATE_RAID: turn.RaidPayDucat(),
}


def default_move(state: State, seat: int) -> Move[State]:
    """Return the move for a seat that does not answer."""
    if state.phase == DRAFT:
        return turn.DraftCharacter(_first(state.pack))
    if state.phase == play.ACTIVATION and state.acted == data.NO_CHARACTER:
        unused = [c for c in state.characters[seat] if c not in state.used[seat]]
        return characters.ForfeitCharacter(_first(unused))
    return _DEFAULTS.get(state.phase, turn.EndActivation())


def _first(among: list[Character]) -> Character:
    """Return the first by the alphabet of ids."""
    return min(among, key=data.CHARACTERS.__getitem__)
