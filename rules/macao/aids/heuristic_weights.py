"""The weights of the heuristic: from experience, not from the rules, and tuned by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights, in thousandths of a PP unless stated otherwise.

    Instances compare by identity: derived values are cached by instance.
    """

    coin: int = 1501
    coin_of_many: int = 693
    """Each coin from the ninth on."""
    coin_each_turn: int = 409
    """The increase of each of the first eight for each turn beyond the last three."""
    last_purchase: int = 800
    """The share of the last purchase's value before it is made, in thousandths."""
    cube: int = 480
    chosen_cube: int = 720
    joker: int = 3148
    last_joker: int = 1050
    """The value of a joker in the last round."""

    wall_space: int = 261
    wall_place: int = 346
    """Each disc behind on the wall."""

    step: int = 396
    """The cost of a step of the ship."""
    free_step: int = 347
    nearest: int = 835
    """The share of the first tile aboard, in thousandths; the others follow."""
    cargo: int = 553
    late_cargo: int = 400
    """The value of cargo in the last two rounds."""

    best: int = 381
    """The share of the best affordable thing, in thousandths: keep the cubes for it."""
    joker_quarter: int = 3428
    quarter: int = 1718
    late_quarter: int = 500
    """The value of a quarter in the last three rounds."""
    neighbour: int = 1748

    empty_sector: tuple[int, ...] = (5388, 2694, 1347, 629, 269, 0)
    """The cost of having no cubes for the next round, the one after, and so on."""
    sector_cubes: tuple[int, ...] = (891, 802, 713, 624, 535, 446)
    """The value of each further cube of one sector; more are worth nothing."""
    waiting: int = 98
    """The share of cubes that come a round later, in percent."""

    affordable: int = 521
    """The share of an affordable card, in thousandths: less than an active one's."""
    on_the_way: int = 1073
    """The chance that a card is activated if cubes for it are on the windrose, in thousandths."""
    some_time: int = 116
    """The chance that any other card is activated, for each round left, in thousandths."""
    at_most: int = 800
    hard_cube: int = 158
    """The decrease of a card's chance for each cube of its cost, in thousandths; by colour."""
    hard_colour: int = 119
    easy_at_least: int = 200
    crowd: int = 688
    """The share of the next best card of a tableau, in thousandths."""

    used: int = 230
    """How often a usable card is used, in thousandths."""
    event_rates: tuple[int, ...] = (336, 336, 336, 560, 392, 1344, 224, 560)
    """How often a turn has each triggering event (``cards.EVENTS``), in thousandths."""
    changed_rule: int = 1265
    """The share of a changed rule's value in a turn, in thousandths."""
    growth: int = 54
    """The growth of an end-of-game card's metric in a turn, in thousandths."""


WEIGHTS = Weights()
