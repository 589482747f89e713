"""The solo opponents, called the Patrician in the rules: their cards and decisions.

The two sides of the Patrician have no seats. Their decisions follow from the position; among equal
choices, they take the first in the order of the board.
"""

from rules.ragusa import data, grid, scoring
from rules.ragusa.data import NONE, Patrician, Side, Slot
from rules.ragusa.state import State


def owner(state: State, card: Patrician) -> Side:
    """Return the automaton that has used a Patrician card; NONE if none has."""
    return state.house_at[grid.PATRICIAN_SPACES[card][0]]


def next_space(state: State, card: Patrician) -> grid.Space:
    """Return the first unbuilt space of a card, in printed order; NONE if there is none."""
    for space in grid.PATRICIAN_SPACES[card]:
        if state.house_at[space] == NONE:
            return space
    return grid.Space(NONE)


def used_cards(state: State, side: Side) -> list[Patrician]:
    """Return the cards in play that ``side`` has used; if ``side`` is NONE, the unused cards."""
    return [card for card in state.patricians if owner(state, card) == side]


def open_cards(state: State, side: Side) -> list[Patrician]:
    """Return the cards that ``side`` has used and that have a space left."""
    return [card for card in used_cards(state, side) if next_space(state, card) != NONE]


def wall(state: State, side: Side) -> grid.Wall:
    """Return the free wall that scores the most VP now."""
    free = [wall for wall in grid.WALL.values() if not state.walls[wall]]
    return max(free, key=lambda wall: scoring.wall_vp(state, side, wall))


def tower(state: State, side: Side) -> grid.Space:
    """Return the free space with the most walls; among equals, one without a house of ``side``."""
    walls, house_at = state.walls, state.house_at
    free = [space for space in grid.TOWER_SPACES if state.tower_at[space] == NONE]
    return max(free, key=lambda s: (walls[s - 1] + walls[s], house_at[s] != side))


def slot(state: State, slots: list[Slot]) -> Slot:
    """Return the slot of the ship with the most stars; of several such ships, the cheapest."""
    row = state.row
    return max(slots, key=lambda s: (data.SHIP_STARS[row[s]], -sum(data.SHIP_PRICES[row[s]][s])))


def commodity(state: State, side: Side) -> data.Commodity:
    """Return the dearest commodity in stock.

    If several are equally dear, return the commodity with the most units.
    """
    stock = state.stock[side]
    held = [c for c in data.COMMODITY.values() if stock[c]]
    return max(held, key=lambda c: (data.PRICES[state.market[c]], stock[c]))
