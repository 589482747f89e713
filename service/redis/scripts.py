"""Lua scripts on hot paths (``commands``).

A script's keys lie in one slot, so the script is atomic on a cluster as well.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha1
from typing import Any

from redis import Redis
from redis.exceptions import NoScriptError

from service.redis.commands import Commands, Word, checked

Call = tuple[Sequence[str], Sequence[Word]]
"""The keys and arguments of a script's call."""


class Script:
    """A script. The server runs it atomically."""

    def __init__(self, redis: Redis, text: str) -> None:
        """Prepare the script ``text`` for ``redis``, a client from ``make_client``."""
        self._commands = Commands(redis)
        self._redis = redis
        self._text = text
        self._sha = sha1(text.encode(), usedforsecurity=False).hexdigest()

    def __call__(self, keys: Sequence[str], args: Sequence[Word]) -> Any:
        """Run the script once and return its answer; raises the errors of redis-py's commands."""
        return self.each([(keys, args)])[0]

    def each(self, calls: Iterable[Call], *beside: Sequence[Word]) -> list[Any]:
        """Run the script once for each of the ``calls``, and then the commands in ``beside``.

        Return all answers in this order. Everything is sent in one round trip, and each call is
        atomic. Raises an error if the server refuses any of the calls or commands.
        """
        commands: list[Sequence[Word]] = [
            *(("EVALSHA", self._sha, len(keys), *keys, *args) for keys, args in calls), *beside
        ]  # fmt: skip
        answers = self._commands.ask(*commands)
        unknown = [n for n, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
        if unknown:
            self._redis.script_load(self._text)
            again = self._commands.ask(*(commands[n] for n in unknown))
            for n, answer in zip(unknown, again, strict=True):
                answers[n] = answer
        return checked(answers)
