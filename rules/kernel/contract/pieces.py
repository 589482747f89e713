"""Pieces: parts of a state's JSON whose bytes are cached, because a move changes only a few parts.

A state's ``to_json`` has a parameter ``piece``, a function. For each part of its JSON, the state
calls ``piece`` with another function, which makes the part, and the arguments of that function. The
caller of ``to_json`` chooses ``piece``. With ``plain``, the parts are JSON values. With
``written``, they are canonical bytes from a cache.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import orjson

from rules.kernel.canonical import encode_known

Piece = Callable[..., Any]
"""A function of ``make`` and its arguments, which must be hashable: the value or its bytes."""


def plain(make: Callable[..., Any], *of: Any) -> Any:
    """Return the value that ``make`` returns."""
    return make(*of)


@lru_cache(maxsize=4096)
def written(make: Callable[..., Any], *of: Any) -> orjson.Fragment:
    """Return the canonical bytes of ``make``'s value; only ``encode_known`` can read them.

    Arguments that are equal must have the same type: in Python ``True == 1``, so the cache would
    mistake one for the other.
    """
    return orjson.Fragment(encode_known(make(*of)))
