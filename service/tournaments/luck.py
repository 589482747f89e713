"""A tournament's draws of pairings, seats and its games' secrets, all from one seed."""

from collections.abc import Sequence
from typing import TypeVar

from rules.kernel.canonical import derive
from rules.kernel.contract.chance import chance_key, draw, shuffle_sizes, shuffled
from rules.kernel.record.secrets import Secrets
from service.tournaments.plan import OF_GAME
from service.tournaments.tournament import Block

T = TypeVar("T")


class Luck:
    """The draws from the committed seed, mixed with the entries' entropy.

    ``scope`` identifies the tournament; ``entropy`` has 32 bytes or None for each entry
    (docs/format.md, "Chance"). ``luck`` is that of the plan.
    """

    def __init__(self, scope: str, seed: bytes, entropy: Sequence[bytes | None], luck: str) -> None:
        self._key = chance_key(seed, scope, entropy)
        self._own = luck == OF_GAME

    def shuffled(self, label: str, n: int, items: Sequence[T]) -> list[T]:
        """Return the items in a drawn order.

        Each pair of a ``label`` and an ``n`` makes an independent draw.
        """
        return shuffled(items, draw(self._key, label, n, shuffle_sizes(len(items))))

    def secrets(self, block: Block, rotation: int) -> Secrets:
        """Return the secrets of a game.

        All games of a try at a block share the chance seed, unless each has luck of its own.
        """
        again = () if block.try_ == 1 else (block.try_,)
        if self._own:
            seed = derive(self._key, "game", block.number, rotation, block.try_)
        else:
            seed = derive(self._key, "block", block.number, *again)
        return Secrets(derive(self._key, "salt", block.number, rotation, *again), seed)
