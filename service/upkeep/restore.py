"""Restores a backup into an empty store, byte for byte; derived data are rebuilt afterwards.

The store is closed to every process until it is complete (``format``). Starting again with the same
backup is safe at any time, because all data of an earlier attempt are replaced.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redis import Redis

from service.ledger.raw import RawStream, RawStreams
from service.ledger.store import KEPT, WAIT_MS
from service.redis.client import WRITER_KEY
from service.redis.format import begin_restoring, end_restoring, is_restoring
from service.redis.keys import game_key, shard_key
from service.upkeep import backup_file
from service.upkeep.backup_file import EntryPage, Manifest, StoredKey

_OURS = "lonja:*"

CONFIRM_SECONDS = 60.0
"""Time that the end of a restore waits for replicas."""


class FailedOverError(RuntimeError):
    """Another server became the primary, and may lack data; a second restore succeeds."""


class NotEmptyError(RuntimeError):
    """The store has data that a restore would mix with the backup; the message says which."""


def begin(redis: Redis, manifest: Manifest) -> None:
    """Close an empty store, or continue an earlier restore of this backup.

    Raises:
        NotEmptyError: the store is not empty.
    """
    if is_restoring(redis, manifest.id):
        return
    for key in redis.scan_iter(match=_OURS, count=1000):
        if key != WRITER_KEY.encode():
            raise NotEmptyError(f"it holds {key.decode(errors='replace')}")
    begin_restoring(redis, manifest.id)


def end(redis: Redis, primary: str, replicas: int) -> int:
    """Open the store on the server ``primary``; return how many replicas have stored this.

    Waits up to CONFIRM_SECONDS for ``replicas`` replicas.

    Raises:
        FailedOverError: another server is the primary now.
    """
    # Replicas confirm first, so that a failover after the next check loses nothing.
    _confirmed(redis, replicas)
    if primary_of(redis) != primary:
        raise FailedOverError("another server became the primary meanwhile, and may lack a part")
    end_restoring(redis)
    return _confirmed(redis, replicas)


def primary_of(redis: Redis) -> str:
    """Return the replication id. It changes when another server becomes the primary."""
    told: Any = redis.info("replication")
    return str(told["master_replid"])


def _confirmed(redis: Redis, replicas: int) -> int:
    """Return the number of replicas that hold all writes; 0 if ``replicas`` is 0."""
    if not replicas:
        return 0
    deadline = time.monotonic() + CONFIRM_SECONDS
    while True:
        pipe = redis.pipeline(transaction=False)
        # WAIT covers only the writes of its own connection, so one is made here.
        pipe.set(shard_key(0, "confirmed"), b"")
        pipe.wait(replicas, WAIT_MS)
        _set, holding = pipe.execute()
        if holding >= replicas or time.monotonic() > deadline:
            return int(holding)


def fill(redis: Redis, path: Path) -> Iterator[str]:
    """Write the whole backup; yields the id of each game and tournament before it is written.

    ``redis`` is a client of ``make_client``. Raises the errors of ``backup_file.items``.
    """
    streams = RawStreams(redis)
    stream: RawStream | None = None
    first = True
    for _part, item in backup_file.items(path):
        if isinstance(item, EntryPage):
            assert stream is not None  # noqa: S101 - pages follow their stream
            streams.put_page(stream.id, item.entries(), first=first)
            first = False
            continue
        if stream is not None:
            streams.put(stream)
        if isinstance(item, RawStream):
            stream, first = item, True
            # The stored fields may be incomplete: see TournamentStandings.make_again.
            redis.delete(game_key(item.id, KEPT))
            yield item.id
        else:
            stream = None
            _put_key(redis, item)
    if stream is not None:
        streams.put(stream)


def _put_key(redis: Redis, key: StoredKey) -> None:
    value: Any = key.value
    pipe = redis.pipeline(transaction=False)
    pipe.delete(key.name)
    match key.type:
        case "string":
            pipe.set(key.name, value)
        case "hash":
            pipe.hset(key.name, mapping=value)
        case "set":
            pipe.sadd(key.name, *value)
        case "stream":
            for place, fields in value:
                pipe.xadd(key.name, fields, id=place)
    pipe.execute()
