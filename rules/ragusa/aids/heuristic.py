"""Evaluates a state for each side (``Ruleset.heuristic``).

Values are in thousandths of a VP; the weights are in ``heuristic_weights``.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import compress
from operator import add, getitem, itemgetter, le, mul, not_, sub

from rules.kernel.contract import Seat, all_seats
from rules.ragusa import data, grid, play, scoring
from rules.ragusa.aids.heuristic_weights import WEIGHTS, Weights
from rules.ragusa.data import NEUTRAL, NONE, Ints, Ship
from rules.ragusa.state import State

_VP = 1000
_MOST_HOUSES = 12
_ONCE = 10_000
"""The unit of expected numbers of actions: this int stands for one action."""
_MANY_UNITS = 5
"""From this unit of a commodity on, each unit counts half."""
_REMEMBERED = 1 << 12
"""Size of the caches for hands and boundaries; a move changes at most one of these. An entry takes
about 700 bytes for a hand, and half of that for a boundary.
"""

_ACTIONS = (
    grid.DOCK, grid.MARKET, *grid.PRODUCTION, grid.FISHMONGER, grid.MASON, grid.ARCHITECT,
)  # fmt: skip
"""The hexes whose actions have a value for each house there; those whose actions use units come
first. Lists that are said to be *by action* have this order.
"""
_PLACES = {hex_: place for place, hex_ in enumerate(_ACTIONS)}
_DOCK, _MARKET = _PLACES[grid.DOCK], _PLACES[grid.MARKET]
_ROUND: Callable[[Sequence[int]], Ints] = itemgetter(*_ACTIONS)
"""Selects the values by action from a list by hex."""
_SPACES_ROUND = _ROUND([*map(len, grid.SPACES_ROUND)])
_CITY_SPACES_ROUND = tuple(
    (space, tuple(int(hex_ in grid.SPACE_HEXES[space]) for hex_ in _ACTIONS))
    for space in grid.CITY_SPACES
)
"""The spaces where neutral houses may stand, each with a flag for each action: whether the space
borders on the action's hex.
"""


def heuristic(state: State, w: Weights = WEIGHTS) -> list[int]:
    """Return the value of each seat's position.

    It is the value of the seat's property and prospects, less a part of the same value of the
    seat's best opponent.
    """
    return _looks(state, all_seats(state.seats), w)


def look(state: State, seat: Seat, w: Weights = WEIGHTS) -> int:
    """Return the value for ``seat``, as ``heuristic`` does for all seats."""
    return _looks(state, (seat,), w)[0]


def _looks(state: State, seats: Sequence[Seat], w: Weights) -> list[int]:
    if state.phase == play.GAME_OVER:  # R35
        both = zip(state.vp, state.stock, strict=True)
        wealth = [_VP * sum(vp) + sum(stock) for vp, stock in both]
        leads = _leads(state, wealth, 100)
        return [leads[seat] for seat in seats]
    leads = _leads(state, _wealth(state, w), w.others)
    return [leads[seat] + _bonuses(state, seat, w) for seat in seats]


def _bonuses(state: State, seat: Seat, w: Weights) -> int:
    """Return the present value of a seat's bonus cards.

    For each card after the first, the value of the seat's property includes an average
    (``Weights.card``). Here the VP of these cards count instead, so ``Weights.known`` is subtracted
    for each of them.
    """
    cards = [scoring.bonus_vp(state, seat, card) for card in state.kept[seat]]
    return _VP * w.bonus_now * sum(cards) // 100 - w.known * (len(cards) - 1)


def _leads(state: State, wealth: list[int], percent: int) -> list[int]:
    """Return the lead of each seat.

    A lead is the seat's wealth, less ``percent`` percent of the wealth of the seat's best opponent.
    """
    *_, second, first = sorted(wealth)
    return [
        own - percent * (second if own == first else first) // 100 for own in wealth[: state.seats]
    ]


def _wealth(state: State, w: Weights) -> list[int]:
    """Return the value of each side's property, and of its expectations in the rest of the game."""
    rounds = [*map(_ROUND, state.houses_round)]
    to_come = _to_come(state, rounds)
    times = [w.later * houses // 100 for houses in to_come]
    soon = [_PLACES[hex_] for hex_ in state.pending if hex_ in _PLACES]
    for place in soon:
        times[place] += _ONCE
    row, market, walls = tuple(state.row), tuple(state.market), state.walls
    free_tower = NONE in state.tower_at
    wealth, acts = [], []
    for everywhere, houses, own, access, stock, vp, kept, left, towers_left in zip(
        state.houses_round, rounds, state.pieces, state.access, state.stock, state.vp, state.kept,
        state.houses_left, state.towers_left, strict=True,
    ):  # fmt: skip
        at_cathedral = everywhere[grid.CATHEDRAL]
        land, sold, rest, by_hand = _hand(w, (*access,), (*stock,), at_cathedral, row, market)
        chain, wall = _boundary(w, walls, own)
        does = (*by_hand, wall, w.new_tower if free_tower and towers_left else 0)
        acts.append(does)
        wealth.append(
            _VP * sum(vp)
            + chain
            + w.fish_kept * access[data.FISH]
            + (land + w.tower * (data.TOWERS - towers_left)) * left // _MOST_HOUSES
            + sum(map(mul, map(mul, times, houses), does)) // _ONCE
            + w.card * (len(kept) - 1)
            + sold
            + (rest and _rest(rest, to_come, soon, houses, left, w))
        )
    if state.queue and state.hex in _PLACES:
        place = _PLACES[state.hex]
        for space in state.queue:
            side = state.house_at[space]
            wealth[side] += acts[side][place]
    if grid.PALACE in state.pending or state.hex == grid.PALACE:
        wealth[state.active] += w.card
    return wealth


def _to_come(state: State, rounds: Iterable[Ints]) -> list[int]:
    """Return for each action how many more houses will probably be built round its hexes.

    The numbers are integers, and one house counts as ``_ONCE``: half a house is ``_ONCE`` / 2.
    """
    free: Sequence[int] = _SPACES_ROUND
    for houses in rounds:
        free = [*map(sub, free, houses)]
    if state.neutral:
        for space, taken in _CITY_SPACES_ROUND:
            if state.house_at[space] == NEUTRAL:
                free = [*map(sub, free, taken)]
    share = _ONCE * sum(state.houses_left) // max(state.house_at.count(NONE), 1)
    share = min(share, _ONCE)  # the share of the free spaces that will be built on
    return [share * spaces for spaces in free]


def _rest(
    units: int, to_come: Sequence[int], soon: Sequence[int], houses: Ints, left: int, w: Weights
) -> int:
    """Return the value of units that can be sold at the dock, or spent on ships.

    A house at the dock sells one unit, and a house at the market spends two.
    """
    (dock, market, *_), (docks, markets, *_) = to_come, houses
    half = 1 if left else 0  # units for each house that is still to be built there
    outlets = dock * (2 * docks + half) // 2 + market * (2 * markets + half)
    if _DOCK in soon:
        outlets += _ONCE * docks
    if _MARKET in soon:
        outlets += 2 * _ONCE * markets
    used = min(units * _ONCE, outlets)
    return units * w.spare_unit + used * (w.unit - w.spare_unit) // _ONCE


# Values that a move changes for few sides


@lru_cache(_REMEMBERED)
def _hand(
    w: Weights, access: Ints, stock: Ints, at_cathedral: int, row: tuple[Ship, ...], market: Ints
) -> tuple[int, int, int, Ints]:
    """Return four values of a seat, in thousandths of a VP unless something else is said.

    1. The value of the seat's access to resources.
    2. The value of the units that the seat can sell at the cathedral.
    3. The number of units that the seat cannot sell there.
    4. A tuple with the value of each action if one house activates it. The actions of the mason
       and of the architect are left out.
    """
    worths = w.fish, w.wood, w.stone, w.silver_ore, w.grapes, w.olives
    prices = [_VP * data.PRICES[index] for index in market]
    sold = [min(units, at_cathedral) for units in stock]
    dearest = max(compress(prices, stock), default=0)
    made = []
    for resource, commodity in grid.PRODUCTION.values():
        held = stock[commodity]
        worth = w.unit if held < _MANY_UNITS else w.unit // 2
        made.append(worth * min(access[resource], data.COMMODITY_MAX - held))
    return (
        sum(map(getitem, worths, access)),
        sum(map(mul, sold, prices)),
        sum(stock) - sum(sold),
        (
            dearest - w.sold if dearest else 0,
            _ship(w, stock, row, prices),
            *made,
            _VP * (access[data.FISH] // data.FISH_PER_VP),
        ),
    )


def _ship(w: Weights, stock: Ints, row: tuple[Ship, ...], prices: Sequence[int]) -> int:
    """Return the value of the best affordable ship, less its cost; 0 if there is none."""
    best = 0
    for slot, ship in enumerate(row):
        price = data.SHIP_PRICES[ship][slot]
        if all(map(le, price, stock)):
            cost = sum(map(mul, price, prices))
            best = max(best, _VP * data.SHIP_STARS[ship] - w.ship_cost * cost // 100)
    return best


@lru_cache(_REMEMBERED)
def _boundary(w: Weights, walls: bytes, own: bytes) -> tuple[int, int]:
    """Return the value of the chain, and the value of building one more wall."""
    ends = map(add, own, own[1:] + own[:1])
    best = max(compress(ends, map(not_, walls)), default=-1)
    chain, _walls = scoring.best_run(walls, own)
    return w.chain * _VP * chain // 100, _VP * (1 + best) + w.wall_end
