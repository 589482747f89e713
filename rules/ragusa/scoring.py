"""Victory points: walls, the final scoring, and ranks."""

from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from operator import itemgetter

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import EffectLog, Result, Scores, Standing, Tie, all_seats
from rules.kernel.toolbox.standings import ranks
from rules.ragusa import data, effects, grid
from rules.ragusa.data import Card, Side
from rules.ragusa.grid import Wall
from rules.ragusa.state import FROM_BONUS, FROM_CATHEDRAL, FROM_CHAIN, SOURCES, State

HOUSES_PLACED = "houses_placed"
SCORES = Scores(SOURCES, (Tie("commodities", data.COMMODITIES),), ("solo_won",))  # R35


def wall_vp(state: State, side: Side, wall: Wall) -> int:
    """Return the VP of ``side`` for a wall: 1, and 1 for each of its pieces at the ends (R21)."""
    own, (one, other) = state.pieces[side], grid.WALL_ENDS[wall]
    return 1 + own[one] + own[other]


def chain(state: State, side: Side) -> tuple[int, int]:
    """Return the VP and the number of walls of a side's best chain (R32–R34).

    A chain is a run of walls with a piece of ``side`` on every space between two of them. Its walls
    and the side's pieces on it count. A run without a piece of the side scores nothing.
    """
    return best_run(state.walls, state.pieces[side])


def best_run(walls: Sequence[int], own: Sequence[int]) -> tuple[int, int]:
    """Return VP and length of the best run of walls, given the pieces by boundary space."""
    best = (0, 0)
    starts = [
        start
        for start in compress(range(grid.RING), walls)
        if not (walls[start - 1] and own[start])  # with a piece there, the run began earlier
    ]
    for start in starts or range(walls[0]):  # a full ring has no beginning: start at wall 0
        length, score = 0, own[start]
        while length < grid.RING and walls[(start + length) % grid.RING]:
            length += 1
            end = (start + length) % grid.RING
            if length < grid.RING:  # a full ring ends where it began, and that piece has counted
                score += own[end]
            if not own[end]:
                break
        if score:
            best = max(best, (length + score, length))
    return best


def cathedral(state: State, side: Side) -> tuple[list[int], int]:
    """Return the units of each commodity that ``side`` sells at the cathedral, and the VP (R30).

    Each house at the cathedral sells one unit of each commodity, if the side has it.
    """
    houses = state.houses_round[side][grid.CATHEDRAL]
    sold = [min(houses, units) for units in state.stock[side]]
    vp = sum(units * data.PRICES[i] for units, i in zip(sold, state.market, strict=True))
    return sold, vp


def units(amounts: Sequence[int]) -> list[str]:
    """Return a list that has a commodity's id once for each unit.

    A label shows equal items of the list once, with their number.
    """
    return [id_ for id_, n in zip(data.COMMODITIES, amounts, strict=True) for _ in range(n)]


def bonus_vp(state: State, side: Side, card: Card) -> int:
    """Return the current value of a bonus card."""
    count, vp, per = _BONUS[card]
    return count(state, side) // per * vp


_Count = Callable[[State, Side], int]


def _access(id_: str) -> _Count:
    resource = data.RESOURCES.index(id_)
    return lambda state, side: state.access[side][resource]


def _ships(id_: str) -> _Count:
    good = data.GOODS.index(id_)
    return lambda state, side: [*_goods(state, side)].count(good)


def _goods(state: State, side: Side) -> Iterator[int]:
    return map(data.SHIP_GOODS.__getitem__, state.ships[side])


_CITY_OF: Callable[[Sequence[int]], tuple[int, ...]] = itemgetter(*grid.CITY)
_METRICS: dict[str, Callable[[str], _Count]] = {
    "resource_access": _access,
    "ships_of_good": _ships,
    "distinct_goods": lambda _: lambda state, side: len({*_goods(state, side)}),
    "towers_on_board": lambda _: lambda state, side: state.tower_at.count(side),
    "houses_on_boundary": lambda _: lambda state, side: state.house_at[: grid.RING].count(side),
    "distinct_city_hexes": lambda _: (
        lambda state, side: sum(map(bool, _CITY_OF(state.houses_round[side])))
    ),
    "unsold_commodities": lambda _: lambda state, side: sum(state.stock[side]),
}
"""For each metric, the function that makes the counter of a given object."""
_BONUS = tuple((_METRICS[m](target), vp, per) for m, target, vp, per in data.BONUS_METRICS)


def score_side(state: State, side: Side, log: EffectLog | None) -> None:
    """Score chain, cathedral and bonus cards of a side, in this order (R31)."""
    points, name = state.vp[side], state.id(side)
    points[FROM_CHAIN], walls = chain(state, side)
    sold, points[FROM_CATHEDRAL] = cathedral(state, side)
    state.stock[side] = [a - b for a, b in zip(state.stock[side], sold, strict=True)]
    values = [(card, bonus_vp(state, side, card)) for card in sorted(state.kept[side])]
    points[FROM_BONUS] = sum(vp for _card, vp in values)
    if log:
        effects.CHAIN_SCORED.tell(log, side=name, walls=walls, vp=points[FROM_CHAIN])
        paid: JsonObject = {"sold": units(sold), "vp": points[FROM_CATHEDRAL]}
        effects.CATHEDRAL_SOLD.tell(log, side=name, **data.by_commodity(sold), **paid)
        for card, vp in values:
            effects.BONUS_SCORED.tell(log, side=name, card=card, vp=vp)


def result(state: State) -> Result:
    """Rank by VP, then by commodities left after the cathedral's sale (R35)."""
    if state.end_reason is None:
        raise ValueError("the game is not over")
    sides = all_seats(state.sides)
    totals = [sum(vp) for vp in state.vp]
    places = ranks([(totals[side], sum(state.stock[side])) for side in sides])
    standings = []
    for side in sides:
        breakdown = dict(zip(SOURCES, state.vp[side], strict=True))
        breakdown |= {"total": totals[side], **data.by_commodity(state.stock[side])}
        name = f"{'automaton' if state.is_automaton(side) else 'seat'}:{state.id(side)}"
        # The human beats the Patrician only if he has more VP than both of its sides.
        if state.is_solo and side == 0:
            breakdown["solo_won"] = int(totals[0] > max(totals[1:]))
        standings.append(Standing(name, places[side], totals[side], breakdown))
    return Result(state.end_reason, tuple(standings))
