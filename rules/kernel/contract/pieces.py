"""Pieces of a state's JSON, cached because a move leaves most of them unchanged.

A state passes a function and its arguments to a ``Piece``. ``plain`` calls the function;
``written`` returns cached bytes of its value.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import orjson

from rules.kernel.canonical import encode_known

Piece = Callable[..., Any]
"""``piece(make, *of)`` stands for ``make(*of)`` in a state's JSON; ``of`` is hashable."""


def plain(make: Callable[..., Any], *of: Any) -> Any:
    """Return the value that ``make`` returns."""
    return make(*of)


@lru_cache(maxsize=4096)
def written(make: Callable[..., Any], *of: Any) -> orjson.Fragment:
    """Return the canonical bytes of the value that ``make`` returns, for ``encode_known`` alone.

    Equal arguments must have equal types, because in Python true equals 1.
    """
    return orjson.Fragment(encode_known(make(*of)))
