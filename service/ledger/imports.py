"""Stores games that were played elsewhere and have ended, as their records have them.

Those of a tournament are stored before it, one by one, and nobody is shown them until it is there
(``Ledger``): so it comes about with all its games at once.
"""

from collections.abc import Sequence
from importlib import resources

from rules.kernel.contract.registry import Registry
from rules.kernel.record.events import Event, dump
from rules.kernel.record.game import Game
from rules.kernel.record.secrets import Secrets
from service.ids import shard_of
from service.ledger import lists
from service.ledger.lists import game_listing
from service.ledger.origin import IMPORTED, Origin
from service.ledger.store import Store
from service.redis.keys import game_key, shard_key
from service.redis.scripts import Script

DONE, HERE, OTHER = "done", "here", "other"
"""It is stored; it was there already; or another game, or another history of it, is there."""

IN_PLACE = resources.files("service.ledger").joinpath("in_place.lua").read_text()
"""Defines what import scripts call where there is something already."""

_SCRIPT = (
    lists.SCRIPT + IN_PLACE + resources.files("service.ledger").joinpath("import.lua").read_text()
)


class Imports:
    """Puts games into a store in one step each: whole, or not at all."""

    def __init__(self, store: Store, registry: Registry) -> None:
        self._store = store
        self._registry = registry
        self._script = Script(store.redis, _SCRIPT)

    def put(self, game_id: str, events: Sequence[Event], secrets: Secrets, origin: Origin) -> str:
        """Store a game that is over, of which all was verified; return DONE, HERE or OTHER.

        Nobody is ever asked in it and nothing is owed to it.

        Raises:
            TooFewReplicasError: it is stored, but not yet as safely as was asked for.

        """
        game = Game(game_id, self._registry)
        for event in events:
            game.take(event)
        return self._put(game_id, events, secrets, origin, game_listing(game, origin).dump())

    def put_of_tournament(
        self, game_id: str, events: Sequence[Event], secrets: Secrets, origin: Origin
    ) -> str:
        """Store a game of a tournament, which no list has; return and raise as ``put``."""
        return self._put(game_id, events, secrets, origin, b"")

    def _put(
        self,
        game_id: str,
        events: Sequence[Event],
        secrets: Secrets,
        origin: Origin,
        listing: bytes,
    ) -> str:
        newest = events[-1]
        keys = [
            *(game_key(game_id, n) for n in ("events", "secrets", "tombstone", IMPORTED, "index")),
            *(shard_key(shard_of(game_id), name) for name in (lists.LISTS, lists.LISTED)),
        ]
        words: list[bytes | str | int] = [
            game_id, newest.hash, *self._store.wrapped(game_id, secrets), origin.dump(), listing,
        ]  # fmt: skip
        for event in events:
            words += dump(event)
        found: str = self._script(keys, words).decode()
        if found != OTHER:
            self._store.confirm(game_id, newest.seq, newest.hash)
        return found
