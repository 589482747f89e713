"""Compatibility of servers: whether a server can read the data that another one wrote."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

OLDEST_SUPPORTED = (7, 0)


class ServerVersion(NamedTuple):
    """A server and its version, such as redis 7.0.15 or valkey 8.0.1."""

    name: str  # "redis" or "valkey"
    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.name} {self.number}"

    @property
    def number(self) -> str:
        """The version's number, such as 7.0.15."""
        return f"{self.major}.{self.minor}.{self.patch}"

    @classmethod
    def of(cls, name: str, number: str) -> Self:
        """Parse a version from `number`, such as 7.0.15. Raises ValueError for other text."""
        found = re.match(r"(\d+)\.(\d+)\.(\d+)", number)
        if not found:
            raise ValueError(f"not a server version: {number!r}")
        return cls(name, *map(int, found.groups()))

    @classmethod
    def of_banner(cls, text: str) -> Self:
        """Parse the output of `redis-server --version`. Raises ValueError for other text."""
        found = re.match(r"(Redis|Valkey) server v=(\S+)", text)
        if not found:
            raise ValueError(f"not a Redis or Valkey server: it answers {text[:80]!r}")
        return cls.of(found[1].lower(), found[2])

    @classmethod
    def of_info(cls, info: Mapping[str, Any]) -> Self:
        """Return the version in an INFO answer.

        Valkey's answer also has ``redis_version``, the version of a compatible Redis; it is
        ignored.
        """
        if "valkey_version" in info:
            return cls.of("valkey", info["valkey_version"])
        return cls.of("redis", info["redis_version"])

    def reads_data_of(self, writer: "ServerVersion") -> bool:
        """Whether this server reads the data of `writer`; patch releases have equal formats.

        An older server may refuse newer data, or silently start empty, as Redis 6.2 does with data
        of 7.0. Valkey began as Redis 7.2, and the two have diverged since.
        """
        if self.name == writer.name:
            return self[1:3] >= writer[1:3]
        return self.name == "valkey" and writer[1:3] <= (7, 2)
