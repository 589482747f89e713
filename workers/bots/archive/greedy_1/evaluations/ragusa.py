"""How good a state looked for a seat to ``greedy@1``.

Everything is counted in VP. The numbers are experience, not rules.
"""

from collections.abc import Callable

from rules.kernel.contract import Seat, all_seats
from rules.ragusa import data, grid, play, scoring
from rules.ragusa.data import NONE, Side
from rules.ragusa.grid import Hex
from rules.ragusa.state import State

_OTHERS = 0.5
"""What a VP of the best opponent counts, in play."""
_WORTH = {
    "fish": (0, 0.5, 1.6, 2.1, 3.0, 3.4, 4.2, 4.5, 5.0),
    "wood": (0, 2.0, 4.0, 5.2, 5.8, 6.1, 6.3, 6.4, 6.5),
    "stone": (0, 2.5, 5.0, 7.5, 9.5, 10.5, 11.0, 11.2, 11.3),
    "silver_ore": (0, 2.2, 3.8, 5.0, 6.0, 6.6, 7.0, 7.2, 7.4),
    "grapes": (0, 2.2, 3.8, 5.0, 6.0, 6.6, 7.0, 7.2, 7.4),
    "olives": (0, 2.2, 3.8, 5.0, 6.0, 6.6, 7.0, 7.2, 7.4),
}
"""What so much access is worth while all houses are still to come."""
_ACCESS = tuple(_WORTH[resource] for resource in data.RESOURCES)
_UNIT = 0.8
_SPARE_UNIT = 0.15
_CARD = 3.5
_BONUS_NOW = 0.9
_TOWER = 1.0
_CHAIN = 0.95
_LATER = 0.7
"""What counts of an action that another house may wake."""


def look(state: State, seat: Seat) -> float:
    """What ``seat`` has and is about to get, less part of what its best opponent has."""
    if state.phase == play.GAME_OVER:
        totals = [100 * sum(state.vp[s]) + sum(state.stock[s]) for s in all_seats(state.sides)]
        return float(totals.pop(seat) - max(totals))
    share = min(sum(state.houses_left) / max(state.house_at.count(NONE), 1), 1.0)
    best = max(_wealth(state, side, share) for side in all_seats(state.sides) if side != seat)
    own_cards = sum(scoring.bonus_vp(state, seat, card) for card in state.kept[seat])
    return _wealth(state, seat, share) + _BONUS_NOW * own_cards - _OTHERS * best


def _wealth(state: State, side: Side, share: float) -> float:
    """What is in front of a side and round its houses; ``share`` of the free spaces gets built."""
    houses, left = state.houses_round[side], state.houses_left[side] / 12
    value = float(sum(state.vp[side])) + _CHAIN * scoring.chain(state, side)[0]
    value += left * sum(_ACCESS[r][amount] for r, amount in enumerate(state.access[side]))
    value += _TOWER * left * state.tower_at.count(side)
    value += _stock_value(state, side, share)
    value += _CARD * (len(state.kept[side]) - 1)
    soon = [hex_ for hex_ in state.pending if hex_ != grid.PALACE]
    for hex_, act in _ACTION_VALUES.items():
        if houses[hex_]:
            times = _LATER * _free(state, hex_) * share + (hex_ in soon)
            if times:
                value += times * houses[hex_] * act(state, side, hex_)
    waiting = [space for space in state.queue if state.house_at[space] == side]
    if waiting and state.hex in _ACTION_VALUES:
        value += len(waiting) * _ACTION_VALUES[state.hex](state, side, state.hex)
    if grid.PALACE in state.pending and side == state.active:
        value += _CARD
    return value


def _stock_value(state: State, side: Side, share: float) -> float:
    """What the commodities will fetch at the cathedral, at the dock, or for ships."""
    at_cathedral = state.houses_round[side][grid.CATHEDRAL]
    stock = state.stock[side]
    value, rest = 0.0, 0
    for units, index in zip(stock, state.market, strict=True):
        sold = min(units, at_cathedral)
        value += sold * data.PRICES[index]
        rest += units - sold
    outlets = 0.0
    for hex_, uses in ((grid.DOCK, 1.0), (grid.MARKET, 2.0)):
        own = state.houses_round[side][hex_]
        outlets += uses * (own + 0.5 * (state.houses_left[side] > 0)) * _free(state, hex_) * share
        if hex_ in state.pending:
            outlets += uses * own
    used = min(rest, outlets)
    return value + used * _UNIT + (rest - used) * _SPARE_UNIT


def _free(state: State, hex_: Hex) -> int:
    return sum(state.house_at[space] == NONE for space in grid.SPACES_ROUND[hex_])


# What an action of one house is worth now


def _produce(state: State, side: Side, hex_: Hex) -> float:
    resource, commodity = grid.PRODUCTION[hex_]
    held = state.stock[side][commodity]
    made = min(state.access[side][resource], data.COMMODITY_MAX - held)
    return made * (_UNIT if held < 5 else _UNIT / 2)


def _wall(state: State, side: Side, _hex: Hex) -> float:
    free = [wall for wall in grid.WALL.values() if not state.walls[wall]]
    return max([scoring.wall_vp(state, side, wall) for wall in free], default=0) + 0.5


def _tower(state: State, side: Side, _hex: Hex) -> float:
    return 1.3 if state.towers_left[side] and state.tower_at.count(NONE) else 0.0


def _ship(state: State, side: Side, _hex: Hex) -> float:
    best = 0.0
    for slot in play.affordable(state, side):
        ship = state.row[slot]
        price = data.SHIP_PRICES[ship][slot]
        cost = sum(units * data.PRICES[i] for units, i in zip(price, state.market, strict=True))
        best = max(best, data.SHIP_STARS[ship] - 0.6 * cost)
    return best


def _sale(state: State, side: Side, _hex: Hex) -> float:
    stock = state.stock[side]
    prices = [data.PRICES[i] for i, units in zip(state.market, stock, strict=True) if units]
    return max(prices) - _UNIT / 2 if prices else 0.0


_ACTION_VALUES: dict[Hex, Callable[[State, Side, Hex], float]] = {
    **dict.fromkeys(grid.PRODUCTION, _produce),
    grid.MASON: _wall,
    grid.ARCHITECT: _tower,
    grid.MARKET: _ship,
    grid.DOCK: _sale,
    grid.FISHMONGER: lambda s, side, _: float(s.access[side][data.FISH] // data.FISH_PER_VP),
}
