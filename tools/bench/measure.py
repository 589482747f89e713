"""Measures two functions in turn, because a machine's speed drifts."""

from collections.abc import Callable
from statistics import median
from typing import NamedTuple

ROUNDS = 5


class Row(NamedTuple):
    """One line of the report: its subject, the required bound, and the figures."""

    name: str
    value: float
    bound: str
    kept: bool
    detail: dict[str, object]


def alternate(
    first: Callable[[], float], second: Callable[[], float], rounds: int = ROUNDS
) -> tuple[list[float], list[float], float]:
    """Run both in turn; return the figures of each, and the median of the ratios of pairs."""
    firsts, seconds = [], []
    for _ in range(rounds):
        firsts.append(first())
        seconds.append(second())
    ratio = median(a / b for a, b in zip(firsts, seconds, strict=True))
    return firsts, seconds, ratio


def repeat(run: Callable[[], float], rounds: int = ROUNDS) -> tuple[list[float], float]:
    """Call ``run`` several times; return the figures and their median."""
    figures = [run() for _ in range(rounds)]
    return figures, median(figures)


def at_least(name: str, value: float, bound: float, **detail: object) -> Row:
    """Return a row whose value must not be below ``bound``."""
    return Row(name, value, f"at least {bound:,g}", value >= bound, detail)


def at_most(name: str, value: float, bound: float, **detail: object) -> Row:
    """Return a row whose value must not be above ``bound``."""
    return Row(name, value, f"at most {bound:,g}", value <= bound, detail)
