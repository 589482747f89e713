"""The numbers by which a state is judged: experience, not rules, and tuned by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What counts how much, in thousandths of a PP unless it says otherwise.

    Each is itself and equal to no other: what was worked out by it is remembered with it.
    """

    coin: int = 1501
    coin_of_many: int = 693
    """Each from the ninth on."""
    coin_each_turn: int = 409
    """How much more each of the first eight counts, with each turn beyond the last three."""
    last_purchase: int = 800
    """What the last purchase counts before it is made, in thousandths."""
    cube: int = 480
    chosen_cube: int = 720
    joker: int = 3148
    last_joker: int = 1050
    """A joker in the last round."""

    wall_space: int = 261
    wall_place: int = 346
    """Each disc behind on the wall."""

    step: int = 396
    """What a step of the ship costs."""
    free_step: int = 347
    nearest: int = 835
    """What the first tile aboard counts, in thousandths; the others follow."""
    cargo: int = 553
    late_cargo: int = 400
    """In the last two rounds."""

    best: int = 381
    """What the best affordable thing counts, in thousandths: keep the cubes for it."""
    joker_quarter: int = 3428
    quarter: int = 1718
    late_quarter: int = 500
    """In the last three rounds."""
    neighbour: int = 1748

    empty_sector: tuple[int, ...] = (5388, 2694, 1347, 629, 269, 0)
    """What it costs to have no cubes for the next round, the one after, and so on."""
    sector_cubes: tuple[int, ...] = (891, 802, 713, 624, 535, 446)
    """What each further cube of one sector is worth; more are worth nothing."""
    waiting: int = 98
    """What counts of cubes that come a round later, in percent."""

    affordable: int = 521
    """What an affordable card counts, in thousandths: less than an active one."""
    on_the_way: int = 1073
    """How likely a card is activated if cubes for it are on the windrose, in thousandths."""
    some_time: int = 116
    """How likely another is, with each round that is left, in thousandths."""
    at_most: int = 800
    hard_cube: int = 158
    """How much less likely it is by each cube that it costs, in thousandths; by each colour."""
    hard_colour: int = 119
    easy_at_least: int = 200
    crowd: int = 688
    """What counts of the next best card of a tableau, in thousandths."""

    used: int = 230
    """How often a card is used if it can be, in thousandths."""
    event_rates: tuple[int, ...] = (336, 336, 336, 560, 392, 1344, 224, 560)
    """How often a turn has each event that triggers (``cards.EVENTS``), in thousandths."""
    changed_rule: int = 1265
    """What counts of what a changed rule is worth in a turn, in thousandths."""
    growth: int = 54
    """How much the metric of an end-of-game card grows in a turn, in thousandths."""


WEIGHTS = Weights()
