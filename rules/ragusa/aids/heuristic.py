"""How good a state looks for each seat.

Everything is counted in thousandths of a VP. The numbers are in ``heuristic_weights``.
"""

from collections.abc import Callable, Sequence
from itertools import compress
from operator import add, mul, not_, sub

from rules.kernel.contract import all_seats
from rules.ragusa import data, grid, play, scoring
from rules.ragusa.aids.heuristic_weights import WEIGHTS, Weights
from rules.ragusa.data import NEUTRAL, NONE, Commodity, Resource, Side
from rules.ragusa.grid import Hex
from rules.ragusa.state import State

_VP = 1000
_MOST_HOUSES = 12
_ONCE = 10_000
"""How fine it is counted how often something will be had."""
_OUTLETS = ((grid.DOCK, 1), (grid.MARKET, 2))
"""Where units are of use, and how many for each house."""
_MANY_UNITS = 5
"""From so many on, another unit counts half."""

_Action = Callable[["_Outlook", Side], int]


def heuristic(state: State, w: Weights = WEIGHTS) -> list[int]:
    """Return what each seat has and is about to get, less part of what its best opponent has."""
    if state.phase == play.GAME_OVER:  # R35
        both = zip(state.vp, state.stock, strict=True)
        wealth = [_VP * sum(vp) + sum(stock) for vp, stock in both]
        return _leads(state, wealth, 100)
    looks = _leads(state, _Outlook(state, w).wealth(), w.others)
    for seat in all_seats(state.seats):
        for card in state.kept[seat]:
            looks[seat] += w.bonus_now * _VP * scoring.bonus_vp(state, seat, card) // 100
    return looks


def _leads(state: State, wealth: list[int], percent: int) -> list[int]:
    """What each seat has, less so much of what its best opponent has."""
    *_, second, first = sorted(wealth)
    return [
        own - percent * (second if own == first else first) // 100 for own in wealth[: state.seats]
    ]


class _Outlook:
    """What is in front of the sides and round their houses, and what the rest of the game brings.

    By city hex, in ``_ONCE``: ``to_come`` says how many houses are still to be built round it,
    ``times`` how often its action will be had for each house there.
    """

    __slots__ = ("access", "prices", "state", "times", "to_come", "w")

    def __init__(self, state: State, w: Weights) -> None:
        self.state = state
        self.w = w
        self.access = w.fish, w.wood, w.stone, w.silver_ore, w.grapes, w.olives
        self.prices = [_VP * data.PRICES[index] for index in state.market]
        share = _ONCE * sum(state.houses_left) // max(state.house_at.count(NONE), 1)
        share = min(share, _ONCE)  # of the free spaces gets built
        self.to_come = [share * free for free in _free(state)]
        self.times = [w.later * houses // 100 for houses in self.to_come]
        for hex_ in state.pending:
            self.times[hex_] += _ONCE

    def wealth(self) -> list[int]:
        """What each side has, and what it may expect."""
        state = self.state
        wealth = [self._of_side(side) for side in all_seats(state.sides)]
        if (act := _ACTIONS.get(state.hex)) and state.queue:
            for space in state.queue:
                side = state.house_at[space]
                wealth[side] += act(self, side)
        if grid.PALACE in state.pending:
            wealth[state.active] += self.w.card
        return wealth

    def _of_side(self, side: Side) -> int:
        state, times, w = self.state, self.times, self.w
        houses = state.houses_round[side]
        land = w.tower * state.tower_at.count(side)
        for worth, amount in zip(self.access, state.access[side], strict=True):
            land += worth[amount]
        actions = 0
        for hex_, act in _ACTIONS.items():
            if houses[hex_] and times[hex_]:
                actions += times[hex_] * houses[hex_] * act(self, side)
        return (
            _VP * sum(state.vp[side])
            + w.chain * _VP * scoring.chain(state, side)[0] // 100
            + land * state.houses_left[side] // _MOST_HOUSES
            + actions // _ONCE
            + w.card * (len(state.kept[side]) - 1)
            + self._stock(side, houses)
        )

    def _stock(self, side: Side, houses: Sequence[int]) -> int:
        """What the commodities will fetch at the cathedral, at the dock, or for ships."""
        state, w = self.state, self.w
        stock, at_cathedral = state.stock[side], houses[grid.CATHEDRAL]
        rest = sum(stock)
        if not rest:
            return 0
        value = 0
        if at_cathedral:
            for units, price in zip(stock, self.prices, strict=True):
                sold = min(units, at_cathedral)
                value += sold * price
                rest -= sold
        more = 1 if state.houses_left[side] else 0  # half a house
        outlets = 0
        for hex_, uses in _OUTLETS:
            outlets += uses * self.to_come[hex_] * (2 * houses[hex_] + more) // 2
            if hex_ in state.pending:
                outlets += uses * _ONCE * houses[hex_]
        used = min(rest * _ONCE, outlets)
        return value + rest * w.spare_unit + used * (w.unit - w.spare_unit) // _ONCE


def _free(state: State) -> list[int]:
    """How many spaces are free round each hex."""
    first, *others = state.houses_round
    free = [*map(sub, _SPACES_ROUND, first)]
    for houses in others:
        free = [*map(sub, free, houses)]
    if state.neutral:
        for space in grid.CITY_SPACES:
            if state.house_at[space] == NEUTRAL:
                for hex_ in grid.SPACE_HEXES[space]:
                    free[hex_] -= 1
    return free


_SPACES_ROUND = tuple(map(len, grid.SPACES_ROUND))

# What an action of one house is worth now


def _produce(resource: Resource, commodity: Commodity) -> _Action:
    def act(outlook: _Outlook, side: Side) -> int:
        held = outlook.state.stock[side][commodity]
        made = min(outlook.state.access[side][resource], data.COMMODITY_MAX - held)
        return made * (outlook.w.unit if held < _MANY_UNITS else outlook.w.unit // 2)

    return act


def _wall(outlook: _Outlook, side: Side) -> int:
    state = outlook.state
    own = scoring.boundary(state, side)
    ends = map(add, own, [*own[1:], own[0]])
    best = max(compress(ends, map(not_, state.walls)), default=-1)
    return _VP * (1 + best) + outlook.w.wall_end


def _tower(outlook: _Outlook, side: Side) -> int:
    state = outlook.state
    return outlook.w.new_tower if state.towers_left[side] and NONE in state.tower_at else 0


def _ship(outlook: _Outlook, side: Side) -> int:
    state, best = outlook.state, 0
    for slot in play.affordable(state, side):
        ship = state.row[slot]
        cost = sum(map(mul, data.SHIP_PRICES[ship][slot], outlook.prices))
        best = max(best, _VP * data.SHIP_STARS[ship] - outlook.w.ship_cost * cost // 100)
    return best


def _sale(outlook: _Outlook, side: Side) -> int:
    best = max(compress(outlook.prices, outlook.state.stock[side]), default=0)
    return best - outlook.w.sold if best else 0


def _fish(outlook: _Outlook, side: Side) -> int:
    return _VP * (outlook.state.access[side][data.FISH] // data.FISH_PER_VP)


_ACTIONS: dict[Hex, _Action] = {
    **{hex_: _produce(*made) for hex_, made in grid.PRODUCTION.items()},
    grid.MASON: _wall,
    grid.ARCHITECT: _tower,
    grid.MARKET: _ship,
    grid.DOCK: _sale,
    grid.FISHMONGER: _fish,
}
