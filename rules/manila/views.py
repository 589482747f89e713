"""Views, and the information of a seat that remembers everything.

Everything is open except the wares of the dealt shares: only their owner sees them until the game
is over. The sum of the dealt shares by ware is public, because the supply is.
"""

from collections.abc import Iterator

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Random, Seat, by_seat
from rules.kernel.toolbox.unseen import dealt, shown
from rules.manila import data, play
from rules.manila.data import INSURANCE, NONE, PILOT_BIG, PILOT_SMALL, PIRATE, SLOTS, WARES, Ware
from rules.manila.state import State, by_ware

_AS_IN_THE_STATE = (
    "pirates_displace", "arrival_order", "initial_pool", "voyage_limit", "phase", "decider",
    "finance_direction", "end_reason", "voyage", "harbour_master", "market", "supply", "box",
    "left_out", "abstained", "arrivals", "plunder_queue",
)  # fmt: skip
_AUCTION = ("starter", "high", "high_bidder", "passed")


def view(state: State, viewer: Seat | None) -> JsonObject:
    """Return the view of ``viewer``."""
    public = state.public_json()
    bidding = state.phase == play.AUCTION
    return {
        "viewer": viewer,
        **{name: public[name] for name in _AS_IN_THE_STATE},
        "placement_round": play.rounds_begun(state, data.PLACEMENT_ROUND),
        "movement_round": play.rounds_begun(state, data.MOVEMENT_ROUND),
        "auction": {name: public[name] for name in _AUCTION} if bidding else None,
        "punts": list(_punts(state)),
        "ports": _berths(state, data.PORT, state.docked),
        "shipyards": _berths(state, data.SHIPYARD, state.wrecked),
        "pirates": {"captain": state.owner(PIRATE), "second": state.owner(PIRATE, 1)},
        "pilots": {"small": state.owner(PILOT_SMALL), "big": state.owner(PILOT_BIG)},
        "insurance": state.owner(INSURANCE),
        "pirates_to_board": state.to_board,
        "boarded": [{"ware": WARES[ware], "seat": place} for ware, place in state.boarded],
        "players": [_player(state, seat, dealt) for seat, dealt in by_seat(_dealt(state, viewer))],
    }


def _punts(state: State) -> Iterator[JsonObject]:
    """Yield the punts in the order of the lanes; ``seats`` has the owner of each place aboard."""
    if state.step == NONE:
        return
    for lane, ware in enumerate(play.loaded(state), 1):
        status, slot = _whereabouts(state, ware)
        yield {
            "ware": WARES[ware],
            "lane": lane,
            "position": state.position[ware],
            "status": status,
            "slot": slot,
            "seats": [state.owner(ware, place) for place in range(data.CAPACITY[ware])],
            "plundered": ware in state.plundered,
        }


def _whereabouts(state: State, ware: Ware) -> tuple[str, str | None]:
    for status, punts in (("in_port", state.docked), ("in_shipyard", state.wrecked)):
        if ware in punts:
            return status, SLOTS[punts.index(ware)]
    return "at_sea", None


def _berths(state: State, berth: str, punts: list[Ware]) -> JsonObject:
    return {
        slot: {
            "accomplice": state.owner(data.BERTH_SPACES[berth][number]),
            "punt": WARES[punts[number]] if number < len(punts) else None,
        }
        for number, slot in enumerate(SLOTS)
    }


def _player(state: State, seat: Seat, dealt: JsonObject | None) -> JsonObject:
    return {
        "seat": seat,
        "color": data.COLOURS[seat],
        "cash": state.cash[seat],
        "funds": play.funds(state, seat),
        "shares": state.free[seat] + state.pledged[seat],
        "pledged": state.pledged[seat],
        "accomplices_in_hand": state.in_hand[seat],
        "bought": by_ware(*state.bought[seat]),
        "dealt": dealt,
    }


def _dealt(state: State, viewer: Seat | None) -> list[JsonObject | None]:
    hands = [by_ware(*shares) for shares in state.dealt]
    return shown(hands, viewer, opened=state.phase == play.GAME_OVER)


def information(state: State, seat: Seat) -> JsonObject:
    """Return the information of ``seat``: everything except the shares dealt to others."""
    return {"seat": seat, "state": state.public_json(), "dealt": _dealt(state, seat)}


def determinize(known: JsonObject, rng: Random) -> State:
    """Return a state with this information, in which the shares of others are dealt anew."""
    hidden, public = known["dealt"], known["state"]
    seen = [public["supply"], *(player["bought"] for player in public["players"])]
    seen += filter(None, hidden)
    left = {ware: data.SHARES_PER_WARE - sum(shares[ware] for shares in seen) for ware in WARES}
    unseen = _wares(left)
    each = len(unseen) // max(hidden.count(None), 1)
    hands = [shares and _wares(shares) for shares in hidden]
    guess = dealt(hands, [each] * len(hands), unseen, rng)
    as_counts = [{ware: hand.count(ware) for ware in WARES} for hand in guess]
    return State.from_json({**public, "dealt": as_counts})


def _wares(counts: JsonObject) -> list[str]:
    return [ware for ware in WARES for _ in range(counts[ware])]
