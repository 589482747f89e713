"""Exactly-once requests whose answer cannot be repeated, because it contains a secret.

Requests that change games and tournaments are remembered in their streams. This module is for all
other requests: the script that makes an object also stores a note of the request. So of two
concurrent requests one succeeds, and a crash leaves both the object and the note, or neither. A
note has about a hundred bytes and expires after a day.

Permission often depends on facts that were read before. The script checks that those facts still
hold, and does nothing if they do not, so no request acts on stale facts.
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
"""Time for which a request without a key is remembered: the store's client may send it again."""
ATTEMPTS = 32
"""Maximum number of tries of a request whose facts keep changing."""
_SCRIPT = resources.files("service.ledger").joinpath("idempotency.lua").read_text()

Command = tuple[str, str, *tuple[bytes | str | int, ...]]
"""A Redis command: its name, its key, and the other arguments."""


T = TypeVar("T")


class Fact(NamedTuple):
    """A read of the store, and the answer that is expected, as text.

    If the store has no value, the answer is the empty text. If the answer is a list, its items are
    joined by spaces.
    """

    question: Command
    answer: bytes | str | int


class OvertakenError(Exception):
    """A fact has changed, so nothing was done; the facts must be read again."""


def judged_anew(act: Callable[[], T]) -> T:
    """Return the result of ``act``, repeated until none of the facts that it reads is stale.

    Raises:
        OvertakenError: the facts changed each time; a later retry is safe.
    """
    for _ in range(ATTEMPTS - 1):
        with suppress(OvertakenError):
            return act()
    return act()


class AlreadyAnsweredError(Exception):
    """An earlier request with the same key has made the object ``made`` (an id).

    That request was answered with the object's secret, which cannot be sent again.
    """

    def __init__(self, made: str) -> None:
        super().__init__(f"this request was answered before: it made {made}")
        self.made = made


class IdempotencyNotes:
    """Remembers for a day which object each request made.

    A note is stored in the cluster slot of the object: the slot of a stream (``beside``), or the
    slot of the installation's own data.
    """

    def __init__(self, redis: Redis, beside: str | None = None) -> None:
        self._redis = redis
        self._beside = beside
        self._script = Script(redis, _SCRIPT)

    def beside(self, stream_id: str) -> "IdempotencyNotes":
        """Return an object that stores its notes in the cluster slot of a game or tournament.

        It is for requests about this game or tournament.
        """
        return IdempotencyNotes(self._redis, stream_id)

    def expect_new(self, retry: Retry | None) -> None:
        """Raise the error of ``do`` if an earlier request with this retry was carried out.

        Call this before the checks of the request. The earlier request may have changed what they
        look at. Then they would fail with an error of their own, and the client would not learn
        that the request was carried out.
        """
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
        """Run ``commands``, which make the object ``made`` (an id), if all ``given`` facts hold.

        If the object ``made`` may exist already, call ``expect_new`` first. ``do`` cannot tell an
        earlier equal request from a repetition of this one, so it does not raise.

        Without ``retry``, a note identifies this very request for a minute, because the Redis
        client repeats a command whose answer was lost.

        Raises:
            AlreadyAnsweredError: an earlier request with this retry was carried out; nothing is
                done.
            OvertakenError: a ``given`` fact has changed; nothing is done.
            RefusedError: ``idempotency_key_reused``: the earlier request differed.
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
        if found != kept:  # an equal note is from this call: the Redis client repeated it
            _refuse(retry, found)

    def _key(self, retry: Retry) -> str:
        name = f"once:{retry.key.hex()}"
        return meta_key(name) if self._beside is None else game_key(self._beside, name)


def _refuse(retry: Retry, kept: bytes) -> NoReturn:
    retry.expect(kept[:RETRY_BYTES])
    raise AlreadyAnsweredError(kept[RETRY_BYTES:].decode())
