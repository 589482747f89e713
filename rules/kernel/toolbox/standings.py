"""Ranking sides by their scores."""

from collections.abc import Sequence
from typing import Any

from rules.kernel.contract.ruleset import Result


def ranks(keys: Sequence[Any]) -> list[int]:
    """Return standard competition ranks (1, 2, 2, 4), the greatest key first."""
    return [1 + sum(other > key for other in keys) for key in keys]


def rank_resigned_last(result: Result, resigned: Sequence[int]) -> Result:
    """Rank the seats that resigned behind all others; otherwise the order stays the same."""
    gone = {f"seat:{seat}" for seat in resigned}
    if not gone:
        return result
    new_ranks = ranks([(s.side not in gone, -s.rank) for s in result.standings])
    return result._replace(
        standings=tuple(
            s._replace(rank=rank) for s, rank in zip(result.standings, new_ranks, strict=True)
        )
    )
