"""Pieces of a state's JSON: after a move, most of them are what they were before it.

A state hands each piece to a ``Piece``, with a function and the values that it is made from:
``plain`` makes it, ``written`` has its bytes ready if it was made before.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import orjson

from rules.kernel.canonical import encode_known

Piece = Callable[..., Any]
"""``piece(make, *of)`` stands for ``make(*of)`` in a state's JSON; ``of`` is hashable."""


def plain(make: Callable[..., Any], *of: Any) -> Any:
    """Return the piece itself."""
    return make(*of)


@lru_cache(maxsize=4096)
def written(make: Callable[..., Any], *of: Any) -> orjson.Fragment:
    """Return the canonical bytes of the piece, for ``encode_known`` alone.

    Values that are equal must be of equal types: Python takes true for 1.
    """
    return orjson.Fragment(encode_known(make(*of)))
