"""What each viewer is shown, and what a seat with a perfect memory knows.

Everything is open but the wares of the dealt shares, which only their owner sees until the game is
over. Their sum by ware is open too, because the supply is.
"""

from collections.abc import Iterator

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Random
from rules.manila.data import (
    ALL_WARES,
    CAPACITY,
    COLOURS,
    INSURANCE,
    MARKET,
    MOVEMENT_ROUND,
    NONE,
    PILOT_BIG,
    PILOT_SMALL,
    PIRATE,
    PLACEMENT_ROUND,
    PORT_A,
    SHARES_PER_WARE,
    SHIPYARD_A,
    SLOTS,
    WARES,
)
from rules.manila.play import AUCTION, GAME_OVER, funds, rounds_begun
from rules.manila.state import FINANCE_DIRECTIONS, State, by_ware, flagged, known, ware_ids


def view(state: State, viewer: int | None) -> JsonObject:
    """Return all that is drawn for ``viewer``, and nothing else."""
    return {
        "viewer": viewer,
        "pirates_displace": state.pirates_displace,
        "arrival_order": "harbour_master" if state.asks_arrival_order else "automatic",
        "initial_pool": state.initial_pool,
        "voyage_limit": state.voyage_limit,
        "phase": state.phase,
        "decider": known(state.decider),
        "finance_direction": FINANCE_DIRECTIONS[state.finance],
        "end_reason": state.end_reason,
        "voyage": state.voyage,
        "placement_round": rounds_begun(state, PLACEMENT_ROUND),
        "movement_round": rounds_begun(state, MOVEMENT_ROUND),
        "harbour_master": known(state.harbour_master),
        "auction": _auction(state),
        "market": by_ware([MARKET[step] for step in state.market]),
        "supply": by_ware(state.supply),
        "box": state.box,
        "left_out": None if state.left_out == NONE else WARES[state.left_out],
        "punts": list(_punts(state)),
        "ports": _berths(state, PORT_A, state.docked),
        "shipyards": _berths(state, SHIPYARD_A, state.wrecked),
        "pirates": {"captain": _owner(state, PIRATE), "second": _owner(state, PIRATE, 1)},
        "pilots": {"small": _owner(state, PILOT_SMALL), "big": _owner(state, PILOT_BIG)},
        "insurance": _owner(state, INSURANCE),
        "abstained": flagged(state.abstained),
        "arrivals": ware_ids(state.arrivals),
        "pirates_to_board": state.to_board,
        "boarded": [{"ware": WARES[ware], "seat": place} for ware, place in state.boarded],
        "plunder_queue": ware_ids(state.plunder_queue),
        "players": [_player(state, seat, viewer) for seat in range(state.seats)],
    }


def _auction(state: State) -> JsonObject | None:
    if state.phase != AUCTION:
        return None
    return {
        "starter": state.starter,
        "high": state.high,
        "high_bidder": known(state.high_bidder),
        "passed": flagged(state.passed),
    }


def _punts(state: State) -> Iterator[JsonObject]:
    """The punts in the order of the lanes; ``seats`` has the owner of each place aboard."""
    placed = [ware for ware in ALL_WARES if state.position[ware] != NONE]
    for lane, ware in enumerate(placed, 1):
        crew = state.crews[ware]
        status, slot = _whereabouts(state, ware)
        yield {
            "ware": WARES[ware],
            "lane": lane,
            "position": state.position[ware],
            "status": status,
            "slot": slot,
            "seats": [*crew, *[None] * (CAPACITY[ware] - len(crew))],
            "plundered": ware in state.plundered,
        }


def _whereabouts(state: State, ware: int) -> tuple[str, str | None]:
    if ware in state.docked:
        return "in_port", SLOTS[state.docked.index(ware)]
    if ware in state.wrecked:
        return "in_shipyard", SLOTS[state.wrecked.index(ware)]
    return "at_sea", None


def _berths(state: State, first: int, punts: list[int]) -> JsonObject:
    return {
        slot: {
            "accomplice": _owner(state, first + number),
            "punt": WARES[punts[number]] if number < len(punts) else None,
        }
        for number, slot in enumerate(SLOTS)
    }


def _owner(state: State, space: int, place: int = 0) -> int | None:
    crew = state.crews[space]
    return crew[place] if place < len(crew) else None


def _player(state: State, seat: int, viewer: int | None) -> JsonObject:
    seen = _sees_dealt(state, seat, viewer)
    return {
        "seat": seat,
        "color": COLOURS[seat],
        "cash": state.cash[seat],
        "funds": funds(state, seat),
        "shares": state.free[seat] + state.pledged[seat],
        "pledged": state.pledged[seat],
        "accomplices_in_hand": state.in_hand[seat],
        "bought": by_ware(state.bought[seat]),
        "dealt": by_ware(state.dealt[seat]) if seen else None,
    }


def _sees_dealt(state: State, seat: int, viewer: int | None) -> bool:
    return seat == viewer or state.phase == GAME_OVER


def information(state: State, seat: int) -> JsonObject:
    """Return all that ``seat`` can have learnt: everything but what was dealt to others."""
    dealt = [
        by_ware(shares) if _sees_dealt(state, owner, seat) else None
        for owner, shares in enumerate(state.dealt)
    ]
    return {"seat": seat, "state": state.public_json(), "dealt": dealt}


def determinize(known: JsonObject, rng: Random) -> State:
    """Return some state with this information: others' shares shuffled among them.

    Any way to spread the shares that the seat misses over the others is equally likely.
    """
    dealt, public = known["dealt"], known["state"]
    unseen = _unseen(public, dealt)
    each = len(unseen) // max(dealt.count(None), 1)
    guess = []
    for shares in dealt:
        if shares is None:
            wares = [unseen.pop(rng.randrange(len(unseen))) for _ in range(each)]
            guess.append(by_ware([wares.count(ware) for ware in ALL_WARES]))
        else:
            guess.append(shares)
    return State.from_json({**public, "dealt": guess})


def _unseen(public: JsonObject, dealt: list[JsonObject | None]) -> list[int]:
    """The shares that are neither in the supply nor bought nor dealt to somebody seen."""
    seen = [public["supply"], *(player["bought"] for player in public["players"])]
    seen += [shares for shares in dealt if shares is not None]
    return [
        ware
        for ware in ALL_WARES
        for _ in range(SHARES_PER_WARE - sum(shares[WARES[ware]] for shares in seen))
    ]
