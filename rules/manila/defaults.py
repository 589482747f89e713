"""The move that is played when nobody answers (R61)."""

from rules.kernel.contract import Move
from rules.manila import data, play
from rules.manila.moves import accomplices, auction, pilots_and_pirates
from rules.manila.state import State

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


def default_move(state: State) -> Move[State]:
    """Return the move for a seat that does not answer."""
    if state.phase == play.PLACE_PUNTS:
        starts = zip(play.loaded(state), _STARTS, strict=True)
        return auction.PlacePunts(tuple(starts))
    if state.phase == play.ARRIVAL_ORDER:
        return auction.ChooseArrivalOrder(tuple(state.arrivals))
    if state.phase == play.PLUNDER:
        return pilots_and_pirates.SendPlundered(state.plunder_queue[0], data.PORT)
    return _DEFAULTS[state.phase]
