"""What is done once, though its answer cannot be given twice: it holds a secret that is told once.

What changes games and tournaments is remembered in their streams. This is for the rest: what was
made is noted with the request that made it, by the very script that makes it. So of two requests at
once one does it, and a crash leaves both or neither. A note has about a hundred bytes and is
forgotten after a day.
"""

from collections.abc import Sequence
from importlib import resources
from typing import Any, NoReturn

from redis import Redis

from service.ledger.store import RETRY_BYTES, Retry
from service.redis.keys import meta_key

KEPT_SECONDS = 24 * 3600
_SCRIPT = resources.files("service.ledger").joinpath("once.lua").read_text()

Command = tuple[str, str, *tuple[bytes | str | int, ...]]
"""A command of Redis: its name, its key, and the rest."""


class AlreadyAnsweredError(Exception):
    """An earlier request with the same key made ``made``, an id, and was told its secret."""

    def __init__(self, made: str) -> None:
        super().__init__(f"this request was answered before: it made {made}")
        self.made = made


class Once:
    """Remembers for a day which requests made what."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._script = redis.register_script(_SCRIPT)

    def expect_new(self, retry: Retry | None) -> None:
        """Raise as ``do`` if an earlier request had this retry: checks may fail after it."""
        if retry is not None:
            found: Any = self._redis.get(_key(retry))
            if found is not None:
                _refuse(retry, found)

    def do(self, retry: Retry | None, made: str, commands: Sequence[Command]) -> None:
        """Do ``commands``, all of them on keys of the installation, which make ``made``.

        ``made`` is a new id: no other request makes it. Without ``retry``, nothing is remembered.

        Raises:
            AlreadyAnsweredError: an earlier request with this retry did it; nothing is done.
            Refused: ``idempotency_key_reused``: it was another request.

        """
        if retry is None:
            pipe = self._redis.pipeline(transaction=True)
            for command in commands:
                pipe.execute_command(*command)
            pipe.execute()
            return
        kept = retry.fingerprint + made.encode()
        keys = [_key(retry), *(command[1] for command in commands)]
        words = [word for command in commands for word in (len(command), *command)]
        found: Any = self._script(keys, [kept, KEPT_SECONDS, *words])
        if found == kept:
            return  # also if the client asked again because the store's answer was lost
        _refuse(retry, found)


def _key(retry: Retry) -> str:
    return meta_key(f"once:{retry.key.hex()}")


def _refuse(retry: Retry, kept: bytes) -> NoReturn:
    retry.expect(kept[:RETRY_BYTES])
    raise AlreadyAnsweredError(kept[RETRY_BYTES:].decode())
