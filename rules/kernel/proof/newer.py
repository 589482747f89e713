"""Unknown parts of a record, which show that the record is newer than this program.

See docs/format.md, "What is newer". From the first event with an unknown part on, no part counts as
missing, and consequences are not checked.
"""

import re
from typing import NamedTuple

from rules.kernel.canonical import JsonObject

_NAME = re.compile(r"[a-z0-9_]{1,64}")
_INDEX = re.compile(r"\[\d*\]|(?<=\.)\d+(?=\.)")
_PINNED = "$.body.game."
_LUCK = ("$.body.game.chance", "$.body.game.entropy")
MOST_NAMED = 20
"""Maximum number of unknown names that are reported, each with the first path at which it
stands.
"""


def is_name(value: object) -> bool:
    """Whether ``value`` is a text of 1 to 64 characters of ``[a-z0-9_]``.

    All names in records have this form. If this program does not know such a name, a later release
    may have added it.
    """
    return type(value) is str and _NAME.fullmatch(value) is not None


class UnknownName(NamedTuple):
    """An unknown name, and its path in the record.

    ``id`` is the game or tournament. ``version`` is the number of the event; None means the header
    or a receipt. ``path`` begins with ``$``. It ends with ``name`` if this is the name of a member,
    and not a value.
    """

    id: str | None
    version: int | None
    path: str
    name: str

    def __str__(self) -> str:
        """Return a sentence with the name and its path."""
        where = "" if self.version is None else f"event {self.version}: "
        path = self.path.removeprefix("$.")
        is_member = path.split(".")[-1] == self.name
        return f"{where}{path}" if is_member else f"{where}{path} {self.name}"


class UnknownParts:
    """The unknown parts of one record; ``since`` is the first event with one, 0 if there is none.

    ``has_begun`` is true once ``started`` was read. ``decides_luck`` is true if the chance key may
    depend on an unknown part. That is possible if the part is in an event before the start. The
    exception is an additional field of ``created.game`` that is not about chance or entropy.
    """

    def __init__(self, stream_id: str | None) -> None:
        self.since = 0
        self.decides_luck = False
        self.has_begun = False
        self._id = stream_id
        self._found: dict[tuple[str, str], UnknownName] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    @property
    def found(self) -> list[UnknownName]:
        """The unknown parts, in the order in which they were found."""
        return [*self._found.values()]

    def to_json(self) -> list[JsonObject]:
        """Return the unknown parts as JSON."""
        return [unknown._asdict() for unknown in self.found]

    def note(self, version: int | None, path: str, name: str) -> None:
        """Add a name that this program does not know to the unknown parts.

        ``version`` is the number of the event that has the name; None means the header or a
        receipt. ``path`` is the place of the name in the record, as in UnknownName.
        """
        if version is not None:
            self.since = self.since or version
            harmless = path.startswith(_PINNED) and not path.startswith(_LUCK)
            self.decides_luck = self.decides_luck or not (self.has_begun or harmless)
        self._keep(UnknownName(self._id, version, path, name))

    def take(self, other: "UnknownParts") -> None:
        """Add the unknown parts of a game's record to those of its tournament's record."""
        for unknown in other.found:
            self._keep(unknown)

    def _keep(self, unknown: UnknownName) -> None:
        if len(self._found) < MOST_NAMED:
            self._found.setdefault((_INDEX.sub("", unknown.path), unknown.name), unknown)

    def told(self) -> list[str]:
        """Return a text for each unknown part: its name, and its path in the record.

        If the part is in the record of a game of this tournament, the text begins with the game's
        id.
        """
        return [
            f"{unknown.id}: {unknown}" if unknown.id != self._id else str(unknown)
            for unknown in self.found
        ]

    def why(self) -> str:
        """Return a sentence that says that something is not checked because of unknown parts."""
        if not self.since:
            return ""
        return f"from event {self.since} on, which has what this program does not know"
