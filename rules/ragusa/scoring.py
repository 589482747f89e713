"""Victory points: walls, the final scoring, and ranks."""

from collections.abc import Callable, Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.ruleset import Result, Standing
from rules.kernel.toolbox.standings import ranks
from rules.ragusa.data import (
    AUTOMATA,
    BONUS_CARDS,
    BONUS_METRICS,
    COMMODITIES,
    GOODS,
    PRICES,
    RESOURCE,
    SHIP_GOODS,
)
from rules.ragusa.grid import CATHEDRAL, CITY, RING, WALL_ENDS
from rules.ragusa.state import FROM_BONUS, FROM_CATHEDRAL, FROM_CHAIN, SOURCES, State

HOUSES_PLACED = "houses_placed"
END_REASONS = (HOUSES_PLACED,)


def pieces(state: State, side: int, space: int) -> int:
    """How many pieces of ``side`` stand on a boundary space: house and tower count apart."""
    return (state.house_at[space] == side) + (state.tower_at[space] == side)


def wall_vp(state: State, side: int, wall: int) -> int:
    """What ``side`` scores for building a wall: 1, and 1 for each own piece at its ends (R21)."""
    one, other = WALL_ENDS[wall]
    return 1 + pieces(state, side, one) + pieces(state, side, other)


def chain(state: State, side: int) -> tuple[int, int]:
    """VP and number of walls of the best run of walls that own pieces hold together (R32–R34).

    Every space between two walls of the run has a piece of ``side``; the walls and all own pieces
    on the run count. A run without any own piece scores nothing.
    """
    walls = state.walls
    own = [pieces(state, side, space) for space in range(RING)]
    best = (0, 0)
    for start in range(RING):
        length, score = 0, own[start]
        while length < RING and walls[(start + length) % RING]:
            length += 1
            end = (start + length) % RING
            if length < RING:  # a full ring ends where it began
                score += own[end]
            if not own[end]:
                break
        if length and score:
            best = max(best, (length + score, length))
    return best


def cathedral(state: State, side: int) -> tuple[list[int], int]:
    """Units sold of each commodity, one for each own house there at most, and their VP (R30)."""
    houses = state.houses_round[side][CATHEDRAL]
    sold = [min(houses, units) for units in state.stock[side]]
    vp = sum(units * PRICES[i] for units, i in zip(sold, state.market, strict=True))
    return sold, vp


def units(amounts: Sequence[int]) -> list[str]:
    """Spell amounts of the commodities out, one id for each unit, as words need them."""
    return [id_ for id_, n in zip(COMMODITIES, amounts, strict=True) for _ in range(n)]


def bonus_vp(state: State, side: int, card: int) -> int:
    """What a bonus card is worth as things stand."""
    metric, target, vp, per = BONUS_METRICS[card]
    return _METRICS[metric](state, side, target) // per * vp


def _ships_of(state: State, side: int, good: str | None) -> int:
    return sum(good == GOODS[SHIP_GOODS[ship]] for ship in state.ships[side])


_METRICS: dict[str, Callable[[State, int, str | None], int]] = {
    "resource_access": lambda state, side, target: state.access[side][RESOURCE[target or ""]],
    "ships_of_good": _ships_of,
    "distinct_goods": lambda state, side, _: len({SHIP_GOODS[s] for s in state.ships[side]}),
    "towers_on_board": lambda state, side, _: state.tower_at.count(side),
    "houses_on_boundary": lambda state, side, _: state.house_at[:RING].count(side),
    "distinct_city_hexes": lambda state, side, _: sum(
        state.houses_round[side][hex_] > 0 for hex_ in CITY
    ),
    "unsold_commodities": lambda state, side, _: sum(state.stock[side]),
}


def score_side(state: State, side: int, log: EffectLog | None) -> None:
    """Score chain, cathedral and bonus cards of a side, in this order (R31)."""
    points = state.vp[side]
    points[FROM_CHAIN], walls = chain(state, side)
    sold, points[FROM_CATHEDRAL] = cathedral(state, side)
    state.stock[side] = [a - b for a, b in zip(state.stock[side], sold, strict=True)]
    values = [(BONUS_CARDS[card], bonus_vp(state, side, card)) for card in state.kept[side]]
    points[FROM_BONUS] = sum(vp for _card, vp in values)
    if log:
        name = state.id(side)
        log.add("chain_scored", side=name, walls=walls, vp=points[FROM_CHAIN])
        amounts: JsonObject = dict(zip(COMMODITIES, sold, strict=True))
        vp = points[FROM_CATHEDRAL]
        log.add("cathedral_sold", side=name, **amounts, sold=units(sold), vp=vp)
        for card, worth in values:
            log.add("bonus_scored", side=name, card=card, vp=worth)


def result(state: State) -> Result:
    """Rank by VP, then by commodities left after the cathedral's sale (R35)."""
    if state.end_reason is None:
        raise ValueError("the game is not over")
    sides = range(state.sides)
    totals = [sum(vp) for vp in state.vp]
    places = ranks([(totals[side], sum(state.stock[side])) for side in sides])
    standings = []
    for side in sides:
        breakdown = dict(zip(SOURCES, state.vp[side], strict=True))
        breakdown |= {
            "total": totals[side],
            **dict(zip(COMMODITIES, state.stock[side], strict=True)),
        }
        if state.is_automaton(side):
            name = f"automaton:{AUTOMATA[side - state.seats]}"
        else:
            name = f"seat:{side}"
            if state.seats == 1:  # the Patrician is beaten only with more VP than both
                breakdown["solo_won"] = int(totals[side] > max(totals[state.seats :]))
        standings.append(Standing(name, places[side], totals[side], breakdown))
    return Result(state.end_reason, tuple(standings))
