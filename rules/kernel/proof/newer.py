"""What a record has that this program does not know: newer than it, and no fault.

docs/format.md, "What is newer". From the first event of which something is unknown on, nothing is
missed, and nothing that would follow is judged.
"""

import re
from typing import NamedTuple

from rules.kernel.canonical import JsonObject

_NAME = re.compile(r"[a-z0-9_]{1,64}")
_INDEX = re.compile(r"\[\d*\]|(?<=\.)\d+(?=\.)")
_PINNED = "$.body.game."
_LUCK = ("$.body.game.chance", "$.body.game.entropy")
MOST_NAMED = 20
"""So many unknown names are told at most, each where it stands first."""


def is_name(value: object) -> bool:
    """Whether a later release could have given something this name."""
    return type(value) is str and _NAME.fullmatch(value) is not None


class Unknown(NamedTuple):
    """A name that is not known where it stands.

    ``id`` is the game or tournament, ``version`` the event (None: the header, or a receipt).
    ``path`` begins with ``$`` and ends with the name, if that is one of a member.
    """

    id: str | None
    version: int | None
    path: str
    name: str

    def __str__(self) -> str:
        """Say what it is and where."""
        where = "" if self.version is None else f"event {self.version}: "
        path = self.path.removeprefix("$.")
        is_member = path.split(".")[-1] == self.name
        return f"{where}{path}" if is_member else f"{where}{path} {self.name}"


class Newer:
    """What was found in one record; ``since`` is the first event with something unknown, 0 if none.

    ``decides_luck`` tells that something of it may go into the chance key: it stands before the
    game ``has_begun``, and is not another field of what ``created`` pins.
    """

    def __init__(self, stream_id: str | None) -> None:
        self.since = 0
        self.decides_luck = False
        self.has_begun = False
        self._id = stream_id
        self._found: dict[tuple[str, str], Unknown] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    @property
    def found(self) -> list[Unknown]:
        """What is unknown, in the order in which it was met."""
        return [*self._found.values()]

    def to_json(self) -> list[JsonObject]:
        """Return what is unknown as JSON."""
        return [unknown._asdict() for unknown in self.found]

    def note(self, version: int | None, path: str, name: str) -> None:
        """Note a name that is unknown."""
        if version is not None:
            self.since = self.since or version
            harmless = path.startswith(_PINNED) and not path.startswith(_LUCK)
            self.decides_luck = self.decides_luck or not (self.has_begun or harmless)
        self._keep(Unknown(self._id, version, path, name))

    def take(self, other: "Newer") -> None:
        """Note what was found in a record that is a part of this one."""
        for unknown in other.found:
            self._keep(unknown)

    def _keep(self, unknown: Unknown) -> None:
        if len(self._found) < MOST_NAMED:
            self._found.setdefault((_INDEX.sub("", unknown.path), unknown.name), unknown)

    def told(self) -> list[str]:
        """Say what is unknown, and of a part of the record whose."""
        return [
            f"{unknown.id}: {unknown}" if unknown.id != self._id else str(unknown)
            for unknown in self.found
        ]

    def why(self) -> str:
        """Say why something is not judged."""
        if not self.since:
            return ""
        return f"from event {self.since} on, which has what this program does not know"
