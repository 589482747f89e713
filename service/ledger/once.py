"""What is done once, though its answer cannot be given twice: it holds a secret that is told once.

What changes games and tournaments is remembered in their streams. This is for the rest: what was
made is noted with the request that made it, by the very script that makes it. So of two requests at
once one does it, and a crash leaves both or neither. A note has about a hundred bytes and is
forgotten after a day.

Whether it may be done often follows from what was read before. The script looks again whether those
facts still hold, and does nothing if they do not: nobody acts on what another has just changed.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import resources
from typing import Any, NamedTuple, NoReturn, TypeVar

from redis import Redis

from service.ledger.store import RETRY_BYTES, Retry
from service.redis.keys import game_key, meta_key
from service.redis.scripts import Script

KEPT_SECONDS = 24 * 3600
_OWN_SECONDS = 60
"""A request without a key has to be known as long as the store's client may send it again."""
ATTEMPTS = 32
"""So often a request is judged anew at most, because what it was judged by has changed."""
_SCRIPT = resources.files("service.ledger").joinpath("once.lua").read_text()

Command = tuple[str, str, *tuple[bytes | str | int, ...]]
"""A command of Redis: its name, its key, and the rest."""


T = TypeVar("T")


class Fact(NamedTuple):
    """What a command that reads has answered: as text, "" for nothing, a list with spaces."""

    question: Command
    answer: bytes | str | int


class OvertakenError(Exception):
    """A fact is another by now, and nothing was done: read again."""


def judged_anew(act: Callable[[], T]) -> T:
    """Return the result of ``act``, which reads facts and asks ``Once.do``, until none is stale.

    Raises:
        OvertakenError: others were faster each time; trying again later is safe.

    """
    for _ in range(ATTEMPTS - 1):
        with suppress(OvertakenError):
            return act()
    return act()


class AlreadyAnsweredError(Exception):
    """An earlier request with the same key made ``made``, an id, and was told its secret."""

    def __init__(self, made: str) -> None:
        super().__init__(f"this request was answered before: it made {made}")
        self.made = made


class Once:
    """Remembers for a day which requests made what.

    A note lies in the slot of what was made: of the installation, or ``beside`` a stream.
    """

    def __init__(self, redis: Redis, beside: str | None = None) -> None:
        self._redis = redis
        self._beside = beside
        self._script = Script(redis, _SCRIPT)

    def beside(self, stream_id: str) -> "Once":
        """Return the memory of requests about a game or tournament."""
        return Once(self._redis, stream_id)

    def expect_new(self, retry: Retry | None) -> None:
        """Raise as ``do`` if an earlier request had this retry: checks may fail after it."""
        if retry is None or retry.is_own:
            return
        found: Any = self._redis.get(self._key(retry))
        if found is not None:
            _refuse(retry, found)

    def do(
        self,
        retry: Retry | None,
        made: str,
        commands: Sequence[Command],
        given: Sequence[Fact] = (),
    ) -> None:
        """Do ``commands`` if all that is ``given`` still holds; they make ``made``, an id.

        If that is no new id, ``expect_new`` comes first: a note that is equal to the present one
        is taken for the present request's.

        Without ``retry``, it is remembered for a minute that this very request did it: its client
        asks again if the store's answer was lost.

        Raises:
            AlreadyAnsweredError: an earlier request with this retry did it; nothing is done.
            OvertakenError: what is ``given`` is another by now; nothing is done.
            Refused: ``idempotency_key_reused``: it was another request.

        """
        retry = retry or Retry.own()
        kept = retry.fingerprint + made.encode()
        asked = [*(fact.question for fact in given), *commands]
        keys = [self._key(retry), *(command[1] for command in asked)]
        seconds = _OWN_SECONDS if retry.is_own else KEPT_SECONDS
        words: list[bytes | str | int] = [kept, seconds, len(given)]
        for question, answer in given:
            words += [answer, len(question), *question]
        for command in commands:
            words += [len(command), *command]
        found: Any = self._script(keys, words)
        if not found:
            raise OvertakenError
        if found != kept:  # it is equal also if the client asked again
            _refuse(retry, found)

    def _key(self, retry: Retry) -> str:
        name = f"once:{retry.key.hex()}"
        return meta_key(name) if self._beside is None else game_key(self._beside, name)


def _refuse(retry: Retry, kept: bytes) -> NoReturn:
    retry.expect(kept[:RETRY_BYTES])
    raise AlreadyAnsweredError(kept[RETRY_BYTES:].decode())
