"""The weights of the heuristic, which are not from the rules: estimates, improved by play."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights, in thousandths of a peso at the end unless stated otherwise.

    Two instances are never equal, even if all their weights are. An instance is the key under which
    values computed from it are cached.
    """

    share: int = 105
    """How much of the expected final value of a share counts, in percent."""
    liquidity: int = 10
    """The extra value of a peso of funds, because a seat without money can hardly place
    accomplices."""
    office: int = 11_502
    """The harbour master's gain from placing first and choosing the start spaces."""
    steering: int = 43
    """The increase of a ware's chance if the harbour master wants it to arrive, in percent."""
    unloaded: int = 35
    """The chance of a ware to arrive before it is known which wares are loaded, in percent."""
    placement: int = 1834
    """The value of a future placement."""
    joined_per_round: int = 5
    """The number of accomplices who board each punt in a future placement round, in tenths."""
    plunder: tuple[int, ...] = (0, 45, 72, 88)
    """The chance that the pirate boat is manned, by the number of placement rounds left, in
    percent."""
    to_port: int = 38
    """The chance that the captain sends a plundered punt to a port, in percent."""
    dithering: int = 50_000
    """The penalty for voluntary loans and redemptions, because payments borrow automatically."""


WEIGHTS = Weights()
