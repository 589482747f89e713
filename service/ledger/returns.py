"""Brings games back into the store that have left it."""

from importlib import resources
from itertools import chain

from rules.kernel.record.events import dump
from service.ledger.past import ArchivedStream
from service.ledger.places import PACKED_SCRIPT, PackPlace, buckets, field
from service.ledger.store import Store, index_fields
from service.redis.commands import Word
from service.redis.keys import game_key
from service.redis.scripts import Script

BACK = "back"
"""The outcome for a game that the store has again; the others are those of ``places``."""

_SCRIPT = PACKED_SCRIPT + resources.files("service.ledger").joinpath("bring_back.lua").read_text()


class Returns:
    """The games of one store that come back into it."""

    def __init__(self, store: Store) -> None:
        """``store`` is the one without what has left it."""
        self._store = store
        self._script = Script(store.redis, _SCRIPT)

    def bring_back(self, one: ArchivedStream, place: PackPlace) -> str:
        """Store a game as it was before it left; it stays noted in this place.

        Return BACK, ELSEWHERE, or OTHER if the store has a stream of it.

        Raises:
            TooFewReplicasError: it is stored, but on fewer replicas than configured.
        """
        keys = [
            *(game_key(one.id, n) for n in ("events", "secrets", "table", "imported", "index")),
            *buckets(one.id),
        ]
        words: list[Word] = [
            field(one.id), place.dump(), *self._store.wrapped(one.id, one.secrets),
            b"" if one.origin is None else one.origin.dump(),
        ]  # fmt: skip
        for fields in (one.table, index_fields(one.events)):
            words += [2 * len(fields), *chain.from_iterable(fields.items())]
        for event, retry in one.events:
            words += [*dump(event), b"" if retry is None else retry.key + retry.fingerprint]
        outcome: bytes = self._script(keys, words)
        if outcome.decode() == BACK:
            newest = one.events[-1].event
            self._store.confirm(one.id, newest.seq, newest.hash)
        return outcome.decode()
