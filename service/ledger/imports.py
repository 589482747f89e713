"""Imports finished games of other installations from their records.

A tournament's games are stored before the tournament, one by one, and stay hidden until it is
stored (``Ledger``), so all of them appear at once.
"""

from collections.abc import Sequence
from importlib import resources

from rules.kernel.contract.registry import Registry
from rules.kernel.record.events import Event, dump
from rules.kernel.record.game import Game
from rules.kernel.record.secrets import Secrets
from service.ids import shard_of
from service.ledger import lists, places
from service.ledger.lists import game_listing
from service.ledger.origin import IMPORTED, Origin
from service.ledger.store import Store
from service.redis.keys import game_key, shard_key
from service.redis.scripts import Script

DONE, HERE, OTHER = "done", "here", "other"
"""Outcomes: the game is stored now, was stored before, or another game or history has its id."""

IN_PLACE = resources.files("service.ledger").joinpath("in_place.lua").read_text()
"""Lua functions that the import scripts call if the game or tournament is stored already."""

_SCRIPT = (
    lists.SCRIPT + IN_PLACE + resources.files("service.ledger").joinpath("import.lua").read_text()
)


class Imports:
    """Stores games in one step each: completely, or not at all."""

    def __init__(self, store: Store, registry: Registry) -> None:
        self._store = store
        self._registry = registry
        self._script = Script(store.redis, _SCRIPT)

    def put(self, game_id: str, events: Sequence[Event], secrets: Secrets, origin: Origin) -> str:
        """Store a game. The game must be over and fully verified.

        Return DONE if the game is stored now, HERE if the same game was in the store already, or
        OTHER if something else has its id.

        Raises:
            TooFewReplicasError: the game is stored, but on fewer replicas than configured.
        """
        game = Game(game_id, self._registry)
        for event in events:
            game.take(event)
        return self._put(game_id, events, secrets, origin, game_listing(game, origin).dump())

    def put_of_tournament(
        self, game_id: str, events: Sequence[Event], secrets: Secrets, origin: Origin
    ) -> str:
        """Store a tournament's game like ``put``, but do not list it."""
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
        if self._store.is_archived(game_id):
            known = self._store.newest_event(game_id)
            return HERE if known is not None and known.hash == newest.hash else OTHER
        keys = [
            *(game_key(game_id, n) for n in ("events", "secrets", "tombstone", IMPORTED, "index")),
            *(shard_key(shard_of(game_id), name) for name in (lists.LISTS, lists.LISTED)),
            *places.buckets(game_id),
        ]
        words: list[bytes | str | int] = [
            game_id, newest.hash, *self._store.wrapped(game_id, secrets), origin.dump(), listing,
            places.field(game_id),
        ]  # fmt: skip
        for event in events:
            words += dump(event)
        found: str = self._script(keys, words).decode()
        if found != OTHER:
            self._store.confirm(game_id, newest.seq, newest.hash)
        return found
