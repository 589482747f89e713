"""The numbers by which a state is judged: experience, not rules, and tuned by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What counts how much, in thousandths of a PP unless it says otherwise.

    Each is itself and equal to no other: what was worked out by it is remembered with it.
    """

    coin: int = 1300
    coin_of_many: int = 500
    """Each from the ninth on."""
    coin_each_turn: int = 0
    """How much more each of the first eight counts, with each turn beyond the last three."""
    last_purchase: int = 800
    """What the last purchase counts before it is made, in thousandths."""
    cube: int = 600
    chosen_cube: int = 720
    joker: int = 3500
    last_joker: int = 1050
    """A joker in the last round."""

    wall_space: int = 250
    wall_place: int = 400
    """Each disc behind on the wall."""

    step: int = 450
    """What a step of the ship costs."""
    free_step: int = 360
    nearest: int = 900
    """What the first tile aboard counts, in thousandths; the others follow."""
    cargo: int = 700
    late_cargo: int = 400
    """In the last two rounds."""

    best: int = 360
    """What the best affordable thing counts, in thousandths: keep the cubes for it."""
    joker_quarter: int = 3500
    quarter: int = 2000
    late_quarter: int = 500
    """In the last three rounds."""
    neighbour: int = 2000

    empty_sector: tuple[int, ...] = (6000, 3000, 1500, 700, 300, 0)
    """What it costs to have no cubes for the next round, the one after, and so on."""
    sector_cubes: tuple[int, ...] = (1000, 900, 800, 700, 600, 500)
    """What each further cube of one sector is worth; more are worth nothing."""
    waiting: int = 98
    """What counts of cubes that come a round later, in percent."""

    affordable: int = 500
    """What an affordable card counts, in thousandths: less than an active one."""
    on_the_way: int = 850
    """How likely a card is activated if cubes for it are on the windrose, in thousandths."""
    some_time: int = 120
    """How likely another is, with each round that is left, in thousandths."""
    at_most: int = 800
    hard_cube: int = 120
    """How much less likely it is by each cube that it costs, in thousandths; by each colour."""
    hard_colour: int = 100
    easy_at_least: int = 200
    crowd: int = 900
    """What counts of the next best card of a tableau, in thousandths."""

    used: int = 800
    """How often a card is used if it can be, in thousandths."""
    event_rates: tuple[int, ...] = (300, 300, 300, 500, 350, 1200, 200, 500)
    """How often a turn has each event that triggers (``cards.EVENTS``), in thousandths."""
    changed_rule: int = 1000
    """What counts of what a changed rule is worth in a turn, in thousandths."""
    growth: int = 300
    """How much the metric of an end-of-game card grows in a turn, in thousandths."""


WEIGHTS = Weights()
