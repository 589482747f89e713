"""Scripts of ours on the paths that every request takes (``commands``)."""

from collections.abc import Sequence
from hashlib import sha1
from typing import Any

from redis import Redis
from redis.exceptions import NoScriptError

from service.redis.commands import Commands, Word


class Script:
    """A script that the server runs in one step."""

    def __init__(self, redis: Redis, text: str) -> None:
        """``redis`` is of ``make_client``."""
        self._commands = Commands(redis)
        self._redis = redis
        self._text = text
        self._sha = sha1(text.encode(), usedforsecurity=False).hexdigest()

    def __call__(self, keys: Sequence[str], args: Sequence[Word]) -> Any:
        """Return the script's answer; raises as every command of ``redis``."""
        command = ("EVALSHA", self._sha, len(keys), *keys, *args)
        (answer,) = self._commands.ask(command)
        if isinstance(answer, NoScriptError):
            self._redis.script_load(self._text)
            (answer,) = self._commands.ask(command)
        if isinstance(answer, Exception):
            raise answer
        return answer
