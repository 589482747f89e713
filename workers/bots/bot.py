"""The interface of bots: a pure function from a seat's knowledge to one of its legal moves."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import Game
from rules.kernel.record.secrets import bot_seed


class BotRandom:
    """The random source of one decision; the same seed gives the same numbers everywhere.

    Only ``getrandbits`` of the standard Mersenne Twister is used, because other methods of
    ``random.Random`` may change with the version of Python, and records must stay checkable.
    """

    __slots__ = ("_bits",)

    def __init__(self, seed: int) -> None:
        self._bits = random.Random(seed).getrandbits  # noqa: S311 - play, not secrets

    def randrange(self, stop: int, /) -> int:
        """Return a uniform integer in ``range(stop)``."""
        if stop < 1:
            raise ValueError(f"there is no integer in range({stop})")
        width = (stop - 1).bit_length()
        while (value := self._bits(width)) >= stop:
            pass
        return value

    def seed(self) -> int:
        """Return a seed for another source: two sources made from it see the same luck."""
        return self._bits(64)


@dataclass(frozen=True, slots=True)
class Choice:
    """A bot's decision.

    ``nodes`` is the number of events that it tried, ``thoughts`` its reasons (canonical JSON).
    """

    move: Move[Any]
    nodes: int
    thoughts: JsonObject


class Bot(Protocol):
    """Chooses a move from its seat's information; it never gets the state.

    ``legal`` is not empty; ``information`` is ``Ruleset.information`` of the deciding seat.
    """

    def __call__(
        self,
        ruleset: Ruleset[Any],
        information: JsonObject,
        seat: Seat,
        legal: Sequence[Move[Any]],
        rng: BotRandom,
        settings: Mapping[str, Any],
    ) -> Choice:
        """Return the choice; equal arguments give equal choices."""
        ...


def question(
    bot: Bot, game: Game, seat: Seat, settings: Mapping[str, Any], salt: bytes
) -> Callable[[], Choice]:
    """Return a prepared call that lets ``bot`` choose for the deciding ``seat``.

    So whatever the call raises is the bot's own.
    """
    return partial(
        bot,
        game.ruleset,
        game.ruleset.information(game.state, seat),
        seat,
        game.ruleset.legal_moves(game.state, seat),
        BotRandom(bot_seed(salt, seat, game.asked[seat])),
        settings,
    )
