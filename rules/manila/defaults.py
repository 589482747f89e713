"""The move that is played when nobody answers (R61)."""

from rules.kernel.contract.move import Move
from rules.manila import play
from rules.manila.data import WARES
from rules.manila.moves import (
    Abstain,
    ChooseArrivalOrder,
    LoadWares,
    PassAuction,
    PilotSkip,
    PlacePunts,
    SendPlundered,
    SkipShare,
    StayOnPirateBoat,
)
from rules.manila.state import State, ware_ids

_STARTS = (4, 3, 2)


def default_move(state: State) -> Move[State]:
    """Return the move for a seat that does not answer."""
    if state.phase == play.PLACE_PUNTS:
        loaded = [ware for ware in WARES if ware != WARES[state.left_out]]
        return PlacePunts(tuple(zip(loaded, _STARTS, strict=True)))
    if state.phase == play.ARRIVAL_ORDER:
        return ChooseArrivalOrder(tuple(ware_ids(state.arrivals)))
    if state.phase == play.PLUNDER:
        return SendPlundered(WARES[state.plunder_queue[0]], play.PORT)
    return _DEFAULTS[state.phase]


_DEFAULTS: dict[str, Move[State]] = {
    play.AUCTION: PassAuction(),
    play.BUY_SHARE: SkipShare(),
    play.LOAD_WARES: LoadWares(WARES[-1]),
    play.PLACEMENT: Abstain(),
    play.SMALL_PILOT: PilotSkip(),
    play.BIG_PILOT: PilotSkip(),
    play.PIRATE_BOARDING: StayOnPirateBoat(),
}
