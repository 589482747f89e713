"""The numbers by which a state is judged: experience, not rules, and tuned by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What counts how much, in thousandths of a peso at the end unless it says otherwise.

    Each is itself and equal to no other: what was worked out by it is remembered with it.
    """

    share: int = 105
    """What counts of what a share may be expected to be worth in the end, in percent."""
    liquidity: int = 10
    """What a peso of funds is worth besides itself: with none, one can place next to nothing."""
    office: int = 11_502
    """What the harbour master gains by placing first and choosing where the punts start."""
    steering: int = 43
    """How much likelier a ware arrives if the harbour master wants it to, in percent."""
    unloaded: int = 35
    """How likely a ware arrives before it is known whether it is loaded, in percent."""
    placement: int = 1834
    """What a future placement is worth."""
    joined_per_round: int = 5
    """How many others board ten punts in each future placement round."""
    plunder: tuple[int, ...] = (0, 45, 72, 88)
    """How likely somebody takes the pirate boat in so many placement rounds, in percent."""
    to_port: int = 38
    """How likely the captain sends a plundered punt to a port, in percent."""
    dithering: int = 50_000
    """Discourages needless loans and redemptions: what is due is borrowed anyway."""


WEIGHTS = Weights()
