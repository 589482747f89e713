"""How good a state looks for a seat.

Everything is counted in VP. The numbers are experience, not rules.
"""

from collections.abc import Callable, Sequence

from rules.santiago_de_cuba.data import (
    BUILDING,
    CHEQUERED_FLAG,
    CIGARS,
    FLAG_VALUES,
    HARBOUR,
    NONE,
    RUM,
    SHIPS,
    STOPS,
    SUGAR,
    TOBACCO,
    WOOD,
    WOOD_VP,
)
from rules.santiago_de_cuba.play import (
    ALONSO,
    DRIVE_CAR,
    GAME_OVER,
    LOADING_ROUND,
    MOVE_PAWN,
    TAKE_GOOD,
    TRIBUTE,
    USE_BUILDING,
    district,
)
from rules.santiago_de_cuba.scoring import final_vp
from rules.santiago_de_cuba.state import State

_PESO = 0.4
_PESO_AT_THE_END = 0.15
_TIE_BREAKING_PESO = 1e-6
"""Pesos never run out, and no number of them may outweigh a good."""
_MANY_PESOS = 6
_DEMANDED = 0.7
"""Of a demanded good's VP: somebody else may load first."""
_NEXT_SHIP = 1.0
_KEPT = 1 / 3
_OWNED_PER_SHIP = 0.5
_GIFT = 0.6
_CHOICE_OF_GOODS = 1.2
_LAWYER = 1.6
_THREAT = 0.35
"""Of what the next player can load at once."""


def evaluate(state: State, seat: int) -> float:
    """What ``seat`` has and is about to get, less what the others have on average."""
    others = [s for s in range(state.seats) if s != seat]
    if state.phase == GAME_OVER:
        return _final(state, seat) - max(_final(state, s) for s in others)
    lead = _wealth(state, seat) - sum(_wealth(state, s) for s in others) / len(others)
    return lead + _prospects(state, seat)


def _final(state: State, seat: int) -> float:
    goods = sum(state.goods[seat])
    return 10 * final_vp(state, seat) + goods / 10 + state.pesos[seat] * _TIE_BREAKING_PESO  # R47


def _wealth(state: State, seat: int) -> float:
    """Everything in front of and behind a player's screen."""
    ships_to_come = SHIPS - state.ship_number
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
    later = _NEXT_SHIP if state.ship_number < SHIPS else _KEPT
    flag = FLAG_VALUES[min(state.value_index, CHEQUERED_FLAG - 1)] * _DEMANDED
    value = 0.0
    for die in range(WOOD):
        wanted = min(goods[die], state.demand[die]) if state.demand else 0
        left = goods[die] - wanted
        value += wanted * max(flag, later) + min(left, 2) * later + max(left - 2, 0) * _KEPT
    wood = goods[WOOD]
    return value + min(wood, 2) * max(WOOD_VP * _DEMANDED, _KEPT) + max(wood - 2, 0) * _KEPT


def _prospects(state: State, seat: int) -> float:
    """What the present phase promises ``seat``, or threatens."""
    phase = state.phase
    if phase == DRIVE_CAR:
        return -_threat(state, seat)
    if phase == LOADING_ROUND:
        if state.passed[seat]:
            return 0.0  # R36
        share = 1.0 if state.decider == seat else 0.5
        return share * (1 - _DEMANDED) * _loadable(state, seat)
    if state.active != seat:
        return 0.0
    if phase == TAKE_GOOD:
        return _CHOICE_OF_GOODS + _best_use(state, seat)
    if phase == TRIBUTE:
        return _GIFT * len(state.tribute_queue) + _use_value(state, seat, state.pawn[seat])
    if phase == ALONSO:
        return _LAWYER + _best_use(state, seat)
    if phase == MOVE_PAWN:
        return _best_use(state, seat)
    return _use_value(state, seat, state.pawn[seat]) if phase == USE_BUILDING else 0.0


def _threat(state: State, seat: int) -> float:
    """What the next player gets if the harbour is within reach of his pesos."""
    driver = state.decider
    if driver == seat:
        return 0.0
    steps = (HARBOUR - state.car) % STOPS or STOPS
    if steps - 1 > state.pesos[driver]:
        return 0.0
    return _THREAT * _loadable(state, driver)


def _loadable(state: State, seat: int) -> float:
    flag = FLAG_VALUES[min(state.value_index, CHEQUERED_FLAG - 1)]
    own = state.goods[seat]
    return float(
        sum(min(wanted, own[die]) * flag for die, wanted in enumerate(state.demand))
        + min(own[WOOD], sum(state.demand)) * WOOD_VP
    )


def _best_use(state: State, seat: int) -> float:
    free = [b for b in district(state) if b not in state.pawn]
    if not free:
        return _use_value(state, seat, state.pawn[seat])
    return max(_use_value(state, seat, building) for building in free)


def _use_value(state: State, seat: int, building: int) -> float:
    """What a visit to a building is worth, the owner's bonus deducted."""
    if building == NONE:
        return 0.0
    bonus = state.owner[building] not in (NONE, seat)
    return max(_USE_VALUES[building](state, seat), 0.0) - bonus


def _convert(state: State, seat: int, material: int, product: int) -> float:
    before = state.goods[seat]
    amount = min(before[material], state.supply[product])
    best = 0.0
    for some in range(1, amount + 1):
        after = before[:]
        after[material] -= some
        after[product] += some
        best = max(best, _goods_value(state, after) - _goods_value(state, before))
    return best


def _swap(state: State, seat: int) -> float:
    before = state.goods[seat]
    now = _goods_value(state, before)
    best = 0.0
    for give in range(WOOD):
        for take in range(WOOD):
            if give != take and before[give] and state.supply[take]:
                after = before[:]
                after[give] -= 1
                after[take] += 1
                best = max(best, _goods_value(state, after) - now)
    return best


def _deliver(state: State, seat: int) -> float:
    own = state.goods[seat]
    can = any(wanted and own[die] for die, wanted in enumerate(state.demand))
    return 2 - FLAG_VALUES[min(state.value_index, 2)] * _DEMANDED if can else 0.0


_USE_VALUES: dict[int, Callable[[State, int], float]] = {
    BUILDING["casino"]: lambda state, seat: (state.pesos[seat] // 3) * 0.1 + 0.1,
    BUILDING["bank"]: lambda _state, _seat: 2 * _PESO,
    BUILDING["church"]: lambda _state, _seat: 1.0,
    BUILDING["port_office"]: lambda state, seat: 0.3 + 0.15 * _loadable(state, seat) / 2,
    BUILDING["distillery"]: lambda state, seat: _convert(state, seat, SUGAR, RUM),
    BUILDING["tobacco_factory"]: lambda state, seat: _convert(state, seat, TOBACCO, CIGARS),
    BUILDING["office"]: _deliver,
    BUILDING["black_market"]: _swap,
    BUILDING["sawmill"]: lambda state, seat: 0.7 if state.goods[seat][WOOD] else 0.0,
    BUILDING["newspaper"]: lambda _state, _seat: _PESO,
    BUILDING["cafe"]: lambda state, seat: sum(
        2 - _NEXT_SHIP for good in (RUM, CIGARS) if state.goods[seat][good]
    ),
    BUILDING["customs"]: lambda _state, _seat: 0.3,
}
