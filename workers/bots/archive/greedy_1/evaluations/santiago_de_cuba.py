"""How good a state looked for a seat to ``greedy@1``.

Everything is counted in VP. The numbers are experience, not rules.
"""

from collections.abc import Callable, Sequence
from itertools import permutations

from rules.kernel.contract import Seat, all_seats
from rules.santiago_de_cuba import data, fields, play
from rules.santiago_de_cuba.data import NONE, Building, Good
from rules.santiago_de_cuba.scoring import final_vp
from rules.santiago_de_cuba.state import State

_PESO = 0.4
_PESO_AT_THE_END = 0.15
_TIE_BREAKING_PESO = 1e-6
"""Pesos never run out, and no number of them may outweigh a good."""
_MANY_PESOS = 6
_DEMANDED = 0.7
"""What counts of a demanded good's VP: somebody else may load first."""
_NEXT_SHIP = 1.0
_KEPT = 1 / 3
_OWNED_PER_SHIP = 0.5
_GIFT = 0.6
_CHOICE_OF_GOODS = 1.2
_LAWYER = 1.6
_THREAT = 0.35
"""What counts of all that the next player can load at once."""


def look(state: State, seat: Seat) -> float:
    """What ``seat`` has and is about to get, less what the others have on average."""
    others = [s for s in all_seats(state.seats) if s != seat]
    if state.phase == play.GAME_OVER:
        return _final(state, seat) - max(_final(state, s) for s in others)
    lead = _wealth(state, seat) - sum(_wealth(state, s) for s in others) / len(others)
    return lead + _prospects(state, seat)


def _final(state: State, seat: Seat) -> float:
    goods = sum(state.goods[seat])
    return 10 * final_vp(state, seat) + goods / 10 + state.pesos[seat] * _TIE_BREAKING_PESO  # R47


def _wealth(state: State, seat: Seat) -> float:
    """Everything in front of and behind a player's screen."""
    ships_to_come = data.SHIPS - state.ship_number
    pesos = state.pesos[seat]
    peso = _PESO if ships_to_come else _PESO_AT_THE_END
    return (
        state.vp[seat]
        + peso * min(pesos, _MANY_PESOS)
        + peso / 2 * max(pesos - _MANY_PESOS, 0)
        + _OWNED_PER_SHIP * (ships_to_come + 1) * state.owner.count(seat)
        + _goods_value(state, state.goods[seat])
    )


def _goods_value(state: State, goods: Sequence[int]) -> float:
    later = _NEXT_SHIP if state.ship_number < data.SHIPS else _KEPT
    flag = data.FLAG_VALUES[min(state.value_index, data.CHEQUERED_FLAG - 1)] * _DEMANDED
    value = 0.0
    for die in range(data.WOOD):
        wanted = min(goods[die], state.demand[die]) if state.demand else 0
        left = goods[die] - wanted
        value += wanted * max(flag, later) + min(left, 2) * later + max(left - 2, 0) * _KEPT
    wood = goods[data.WOOD]
    return value + min(wood, 2) * max(data.WOOD_VP * _DEMANDED, _KEPT) + max(wood - 2, 0) * _KEPT


def _prospects(state: State, seat: Seat) -> float:
    """What the present phase promises ``seat``, or threatens."""
    phase = state.phase
    if phase == play.DRIVE_CAR:
        return -_threat(state, seat)
    if phase == play.LOADING_ROUND:
        if state.passed[seat]:
            return 0.0  # R36
        share = 1.0 if state.decider == seat else 0.5
        return share * (1 - _DEMANDED) * _loadable(state, seat)
    if state.active != seat:
        return 0.0
    if phase == play.TAKE_GOOD:
        return _CHOICE_OF_GOODS + _best_use(state, seat)
    if phase == play.TRIBUTE:
        return _GIFT * len(state.tribute_queue) + _use_value(state, seat, state.pawn[seat])
    if phase == play.ALONSO:
        return _LAWYER + _best_use(state, seat)
    if phase == play.MOVE_PAWN:
        return _best_use(state, seat)
    return _use_value(state, seat, state.pawn[seat]) if phase == play.USE_BUILDING else 0.0


def _threat(state: State, seat: Seat) -> float:
    """What the next player gets if the harbour is within reach of his pesos."""
    driver = state.decider
    if driver == seat:
        return 0.0
    steps = (data.HARBOUR - state.car) % data.STOPS or data.STOPS
    if steps - 1 > state.pesos[driver]:
        return 0.0
    return _THREAT * _loadable(state, driver)


def _loadable(state: State, seat: Seat) -> float:
    flag = data.FLAG_VALUES[min(state.value_index, data.CHEQUERED_FLAG - 1)]
    own = state.goods[seat]
    return float(
        sum(min(wanted, own[die]) * flag for die, wanted in enumerate(state.demand))
        + min(own[data.WOOD], sum(state.demand)) * data.WOOD_VP
    )


def _best_use(state: State, seat: Seat) -> float:
    free = [b for b in play.district(state) if b not in state.pawn]
    if not free:
        return _use_value(state, seat, state.pawn[seat])
    return max(_use_value(state, seat, building) for building in free)


def _use_value(state: State, seat: Seat, building: Building) -> float:
    """What a visit to a building is worth, less the owner's bonus."""
    if building == NONE:
        return 0.0
    bonus = state.owner[building] not in (NONE, seat)
    return max(_USE_VALUES[building](state, seat), 0.0) - bonus


def _exchange(state: State, seat: Seat, give: Good, take: Good, most: int) -> float:
    """What it is worth to turn up to ``most`` of a good into another from the supply."""
    before = state.goods[seat]
    amounts = range(1, min(most, before[give], state.supply[take]) + 1)
    now, best = _goods_value(state, before) if amounts else 0.0, 0.0
    for amount in amounts:
        after = before[:]
        after[give] -= amount
        after[take] += amount
        best = max(best, _goods_value(state, after) - now)
    return best


def _convert(give: Good, take: Good) -> Callable[[State, Seat], float]:
    return lambda state, seat: _exchange(state, seat, give, take, data.GOOD_TOTALS[give])


def _swap(state: State, seat: Seat) -> float:
    swaps = permutations(fields.DIE.values(), 2)
    return max(_exchange(state, seat, give, take, 1) for give, take in swaps)


def _deliver(state: State, seat: Seat) -> float:
    own = state.goods[seat]
    can = any(wanted and own[die] for die, wanted in enumerate(state.demand))
    return 2 - data.FLAG_VALUES[min(state.value_index, 2)] * _DEMANDED if can else 0.0


_BY_ID: dict[str, Callable[[State, Seat], float]] = {
    "casino": lambda state, seat: (state.pesos[seat] // 3) * 0.1 + 0.1,
    "bank": lambda _state, _seat: 2 * _PESO,
    "church": lambda _state, _seat: 1.0,
    "port_office": lambda state, seat: 0.3 + 0.15 * _loadable(state, seat) / 2,
    "distillery": _convert(data.SUGAR, data.RUM),
    "tobacco_factory": _convert(data.TOBACCO, data.CIGARS),
    "office": _deliver,
    "black_market": _swap,
    "sawmill": lambda state, seat: 0.7 if state.goods[seat][data.WOOD] else 0.0,
    "newspaper": lambda _state, _seat: _PESO,
    "cafe": lambda state, seat: (
        (2 - _NEXT_SHIP)
        * (bool(state.goods[seat][data.RUM]) + bool(state.goods[seat][data.CIGARS]))
    ),
    "customs": lambda _state, _seat: 0.3,
}
_USE_VALUES = [_BY_ID[id_] for id_ in data.BUILDINGS]
