"""The weights of the heuristic, which are not from the rules: estimates, improved by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights, in thousandths of a PP unless stated otherwise.

    Two instances are never equal, even if all their weights are. An instance is the key under which
    values computed from it are cached.
    """

    coin: int = 1501
    coin_of_many: int = 693
    """The value of each coin from the ninth on."""
    coin_each_turn: int = 409
    """The additional value of each of the first eight coins, for each turn left but the last three.
    """
    last_purchase: int = 800
    """The share of the last purchase's value that counts before it is made, in thousandths."""
    cube: int = 480
    chosen_cube: int = 720
    joker: int = 3148
    last_joker: int = 1050
    """The value of a joker in the last round."""

    wall_space: int = 261
    wall_place: int = 346
    """The cost of each disc of others that is ahead on the wall."""

    step: int = 396
    """The cost of a step of the ship."""
    free_step: int = 347
    nearest: int = 835
    """The share of the value of the tile delivered first, in thousandths."""
    cargo: int = 553
    late_cargo: int = 400
    """The share of the value of cargo in the last two rounds, in thousandths."""

    best: int = 381
    """The share of the value of the best purchase that the seat can pay for, in thousandths. This
    share makes the seat keep cubes for the purchase.
    """
    joker_quarter: int = 3428
    quarter: int = 1718
    late_quarter: int = 500
    """The value of a quarter in the last three rounds."""
    neighbour: int = 1748

    empty_sector: tuple[int, ...] = (5388, 2694, 1347, 629, 269, 0)
    """The cost of having no cubes for the next round, the round after it, and so on."""
    sector_cubes: tuple[int, ...] = (891, 802, 713, 624, 535, 446)
    """The value of each further cube of a sector; cubes beyond these are worth nothing."""
    waiting: int = 98
    """The share of a cube's value that remains if it comes a round later, in percent."""

    affordable: int = 521
    """The share of a card's value that counts if the seat can pay for it, in thousandths. (The
    value of an active card counts in full.)
    """
    on_the_way: int = 1073
    """The chance that a card is activated if cubes for it are on the windrose, in thousandths."""
    some_time: int = 116
    """The chance, for each round left, that a card without cubes on the windrose is activated, in
    thousandths.
    """
    at_most: int = 800
    hard_cube: int = 158
    """The decrease of a card's chance for each cube of its cost, in thousandths; by colour."""
    hard_colour: int = 119
    easy_at_least: int = 200
    crowd: int = 688
    """The share of each further card's value on a tableau, in thousandths of the previous share."""

    used: int = 230
    """The probability that a usable card is used in a turn, in thousandths."""
    event_rates: tuple[int, ...] = (336, 336, 336, 560, 392, 1344, 224, 560)
    """The average number of each event (``cards.EVENTS``) in a turn, in thousandths."""
    changed_rule: int = 1265
    """The share of a changed rule's value in a turn, in thousandths."""
    growth: int = 54
    """The growth in a turn of what an end-of-game card counts, in thousandths."""


WEIGHTS = Weights()
