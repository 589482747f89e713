"""Evaluates a state for each seat (``Ruleset.heuristic``).

Values are in thousandths of a VP; the weights are in ``heuristic_weights``.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import permutations
from operator import getitem

from rules.kernel.contract import Seat, all_seats, by_seat
from rules.santiago_de_cuba import data, fields, play
from rules.santiago_de_cuba.aids.heuristic_weights import WEIGHTS, Weights
from rules.santiago_de_cuba.data import NONE, Building, Good
from rules.santiago_de_cuba.scoring import final_vp
from rules.santiago_de_cuba.state import State

_VP = 1000
_MANY_PESOS = 6
_Worths = Sequence[Sequence[int]]
"""For each good, a list of the value of 0, 1, 2, … units."""


def heuristic(state: State, w: Weights = WEIGHTS) -> list[int]:
    """Return the value of each seat's property and prospects, less the average of the others."""
    seats = state.seats
    if state.phase == play.GAME_OVER:
        finals = [_final(state, seat) for seat in all_seats(seats)]
        *_, second, first = sorted(finals)
        return [final - (second if final == first else first) for final in finals]
    worths = _worths(state, w)
    ships_to_come = data.SHIPS - state.ship_number
    peso = w.peso if ships_to_come else w.peso_at_the_end
    owned, owner = w.owned_per_ship * (ships_to_come + 1), state.owner
    wealth = [
        _VP * state.vp[seat]
        + owned * owner.count(seat)
        + (peso * pesos if pesos <= _MANY_PESOS else peso * (pesos + _MANY_PESOS) // 2)
        + sum(map(getitem, worths, goods))
        for (seat, pesos), goods in zip(by_seat(state.pesos), state.goods, strict=True)
    ]
    total, others = sum(wealth), seats - 1
    leads = [(seats * own - total) // others for own in wealth]
    _add_prospects(state, worths, leads, w)
    return leads


def _final(state: State, seat: Seat) -> int:
    """Return a value that orders the seats as the result does: by VP, goods, then pesos (R47)."""
    goods, pesos = sum(state.goods[seat]), min(state.pesos[seat], _VP // 10 - 1)
    return 10 * _VP * final_vp(state, seat) + _VP // 10 * goods + pesos


def _worths(state: State, w: Weights) -> _Worths:
    """Return the value of goods while the present ship is loaded."""
    later = w.next_ship if state.ship_number < data.SHIPS else w.kept
    best = max(_flag(state) * _VP * w.demanded // 100, later)
    return _by_good(tuple(state.demand), best, later, w)


@lru_cache(maxsize=4096)
def _by_good(demand: tuple[int, ...], best: int, later: int, w: Weights) -> _Worths:
    demand = demand or _NO_DEMAND
    goods = [_worth(die, best, later, wanted, w.kept) for die, wanted in enumerate(demand)]
    return [*goods, _wood(w)]


_NO_DEMAND = (0,) * data.WOOD


def _worth(die: int, best: int, later: int, demand: int, kept: int) -> Sequence[int]:
    """Return the value of 0, 1, 2, … units of a good.

    The first ``demand`` units are worth ``best`` each. The next two units are worth ``later`` each,
    and all further units are worth ``kept`` each.
    """
    worths = []
    for units in range(data.GOOD_TOTALS[die] + 1):
        left = units - min(units, demand)
        worths.append((units - left) * best + min(left, 2) * later + max(left - 2, 0) * kept)
    return tuple(worths)


def _wood(w: Weights) -> Sequence[int]:
    """Return the value of 0, 1, 2, … units of wood."""
    loaded = data.WOOD_VP * _VP * w.demanded // 100
    most = data.GOOD_TOTALS[data.WOOD]
    return [min(units, 2) * loaded + max(units - 2, 0) * w.kept for units in range(most + 1)]


def _flag(state: State) -> int:
    """Return the VP for each unit of a good that is loaded on the present ship.

    The value marker's flag sets these VP. Wood has its own VP.
    """
    return data.FLAG_VALUES[min(state.value_index, data.CHEQUERED_FLAG - 1)]


def _add_prospects(state: State, worths: _Worths, leads: list[int], w: Weights) -> None:
    """Add the gains and losses that each seat can expect in the present phase."""
    phase, seat = state.phase, state.active
    if phase == play.DRIVE_CAR:
        if threat := _threat(state, w):
            for other in all_seats(state.seats):
                leads[other] -= threat * (other != state.decider)
    elif phase == play.LOADING_ROUND:
        for loader in all_seats(state.seats):
            if not state.passed[loader]:  # R36
                share = w.own_loading if loader == state.decider else w.loading
                leads[loader] += share * _VP * _loadable(state, loader) // 100
    elif phase == play.TAKE_GOOD:
        leads[seat] += w.choice_of_goods + _best_use(state, seat, worths, w)
    elif phase == play.TRIBUTE:
        use = _use_value(state, seat, state.pawn[seat], worths, w)
        leads[seat] += w.gift * len(state.tribute_queue) + use
    elif phase == play.ALONSO:
        leads[seat] += w.lawyer + _best_use(state, seat, worths, w)
    elif phase == play.MOVE_PAWN:
        leads[seat] += _best_use(state, seat, worths, w)
    elif phase == play.USE_BUILDING:
        leads[seat] += _use_value(state, seat, state.pawn[seat], worths, w)


def _threat(state: State, w: Weights) -> int:
    """Return what the next driver could load, if he can pay for the way to the harbour."""
    driver = state.decider
    steps = (data.HARBOUR - state.car) % data.STOPS or data.STOPS
    if steps - 1 > state.pesos[driver]:
        return 0
    return w.threat * _VP * _loadable(state, driver) // 100


def _loadable(state: State, seat: Seat) -> int:
    """Return the VP of everything that a seat could load now."""
    own, demand = state.goods[seat], state.demand
    goods = sum(map(min, demand, own))
    return goods * _flag(state) + min(own[data.WOOD], sum(demand)) * data.WOOD_VP


def _best_use(state: State, seat: Seat, worths: _Worths, w: Weights) -> int:
    pawns = state.pawn
    free = [b for b in play.district(state) if b not in pawns]
    if not free:
        return _use_value(state, seat, pawns[seat], worths, w)
    return max([_use_value(state, seat, building, worths, w) for building in free])


def _use_value(state: State, seat: Seat, building: Building, worths: _Worths, w: Weights) -> int:
    """Return the value of a visit to a building, less the owner's bonus."""
    if building == NONE:
        return 0
    value = max(_USE_VALUES[building](state, seat, worths, w), 0)
    owner = state.owner[building]
    return value if owner in (NONE, seat) else value - _VP


def _exchange(state: State, seat: Seat, worths: _Worths, give: Good, take: Good, most: int) -> int:
    """Return the value of exchanging units of one good for equally many units of another good.

    At most ``most`` units are exchanged.
    """
    given, taken = state.goods[seat][give], state.goods[seat][take]
    loses, gains = worths[give], worths[take]
    best = now = loses[given] + gains[taken]
    for amount in range(1, min(most, given, state.supply[take]) + 1):
        best = max(best, loses[given - amount] + gains[taken + amount])
    return best - now


_Use = Callable[[State, Seat, _Worths, Weights], int]


def _convert(give: Good, take: Good) -> _Use:
    most = data.GOOD_TOTALS[give]
    return lambda state, seat, worths, _: _exchange(state, seat, worths, give, take, most)


def _swap(state: State, seat: Seat, worths: _Worths, _w: Weights) -> int:
    own, supply = state.goods[seat], state.supply
    return max(
        [
            worths[take][own[take] + 1] - worths[take][own[take]]
            + worths[give][own[give] - 1] - worths[give][own[give]]
            for give, take in _SWAPS
            if own[give] and supply[take]
        ],
        default=0,
    )  # fmt: skip


_SWAPS = tuple(permutations(fields.DIE.values(), 2))


def _deliver(state: State, seat: Seat, _worths: _Worths, w: Weights) -> int:
    own = state.goods[seat]
    can = any(wanted and own[die] for die, wanted in enumerate(state.demand))
    flag = data.FLAG_VALUES[min(state.value_index, 2)]
    return 2 * _VP - flag * _VP * w.demanded // 100 if can else 0


_BY_ID: dict[str, _Use] = {
    "casino": lambda state, seat, _, w: (state.pesos[seat] // 3 + 1) * w.casino,
    "bank": lambda _state, _seat, _, w: 2 * w.peso,
    "church": lambda _state, _seat, _, _w: _VP,
    "port_office": lambda state, seat, _, w: (
        w.port_office + w.port_office_goods * _loadable(state, seat)
    ),
    "distillery": _convert(data.SUGAR, data.RUM),
    "tobacco_factory": _convert(data.TOBACCO, data.CIGARS),
    "office": _deliver,
    "black_market": _swap,
    "sawmill": lambda state, seat, _, w: w.sawmill if state.goods[seat][data.WOOD] else 0,
    "newspaper": lambda _state, _seat, _, w: w.peso,
    "cafe": lambda state, seat, _, w: (
        (2 * _VP - w.next_ship)
        * (bool(state.goods[seat][data.RUM]) + bool(state.goods[seat][data.CIGARS]))
    ),
    "customs": lambda _state, _seat, _, w: w.customs,
}
_USE_VALUES = [_BY_ID[id_] for id_ in data.BUILDINGS]
