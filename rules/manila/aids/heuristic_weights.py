"""The weights of the heuristic: from experience, not from the rules, and tuned by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights, in thousandths of a peso at the end unless stated otherwise.

    Instances compare by identity: derived values are cached by instance.
    """

    share: int = 105
    """The share of a share's expected final value, in percent."""
    liquidity: int = 10
    """The extra value of a peso of funds: without any, one can place next to nothing."""
    office: int = 11_502
    """The harbour master's gain from placing first and choosing the start spaces."""
    steering: int = 43
    """The increase of a ware's chance if the harbour master wants it to arrive, in percent."""
    unloaded: int = 35
    """The chance of a ware before it is known whether it is loaded, in percent."""
    placement: int = 1834
    """The value of a future placement."""
    joined_per_round: int = 5
    """The number of others who board ten punts in each future placement round."""
    plunder: tuple[int, ...] = (0, 45, 72, 88)
    """The chance that the pirate boat is taken in so many placement rounds, in percent."""
    to_port: int = 38
    """The chance that the captain sends a plundered punt to a port, in percent."""
    dithering: int = 50_000
    """A penalty for needless loans and redemptions: dues are borrowed automatically."""


WEIGHTS = Weights()
