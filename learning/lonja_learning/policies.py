"""Policies: functions that choose a move word by word, from an observation and a mask."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from rules.kernel.numbering.numbers import Numbers

Policy: TypeAlias = Callable[[NDArray[np.int32], NDArray[np.int8]], int]
"""Returns an action that the mask allows; both arguments are as in an environment."""


class ForbiddenActionError(ValueError):
    """A policy has chosen an action that the mask forbids."""


def choose(
    policy: Policy, numbers: Numbers, view: JsonObject, legal: Sequence[Move[Any]]
) -> Move[Any]:
    """Let a policy choose one of the ``legal`` moves of the seat that has this ``view``.

    The policy is asked for one action after the other, and never if only one action is possible.
    Raises ForbiddenActionError.
    """
    choice = numbers.choice(legal)
    while choice.move is None:
        action = policy(
            np.frombuffer(numbers.observation(view, choice), np.int32),
            np.frombuffer(numbers.mask(choice), np.int8),
        )
        if action not in choice.words:
            raise ForbiddenActionError(f"the mask forbids the action {action!r}")
        choice.say(int(action))
    return choice.move
