"""What the public log says of itself: since when it makes promises, and what it lacks.

An entry is the canonical JSON ``["lonja/2", "leaf", {at, kind, …}]``, as those of leaves; it has
no id.
"""

from typing import NamedTuple, Self

import orjson

from rules.kernel.canonical import FORMAT, JsonObject, NotCanonicalError, encode
from rules.kernel.record.instants import is_instant, to_ms
from service.tlog.errors import TlogError

BEGUN = "begun"
"""From ``at`` on, receipts are promises of this log."""
BEHIND = "behind"
"""At the time ``until``, the log may lack what came at ``at`` or later."""
RESTARTED = "restarted"
"""Between ``at`` and ``until`` the store was restarted, or another server took its place. What came
in between, and is not in the log, may be lost.
"""
AHEAD_MS = 60_000
"""How much later than its checkpoint a time may be that the log tells: no clock is exact."""
_FIELDS = {BEGUN: ("at",), BEHIND: ("at", "until"), RESTARTED: ("at", "until")}
_KINDS = tuple(f'"kind":"{kind}"'.encode() for kind in _FIELDS)


class Statement(NamedTuple):
    """A statement; times are as in events. ``until`` is there only if the kind has it."""

    kind: str
    at: str
    until: str | None = None

    @property
    def last(self) -> str:
        """The last time of which it tells."""
        return self.at if self.until is None else self.until

    @property
    def entry(self) -> bytes:
        """The bytes that the log has."""
        more = {} if self.until is None else {"until": self.until}
        return encode([FORMAT, "leaf", {"kind": self.kind, "at": self.at, **more}])

    @classmethod
    def parse(cls, entry: bytes) -> Self | None:
        """Read an entry of the log; None if it is something else than a statement.

        Raises:
            TlogError: it is a statement that has not what its kind has.
        """
        try:
            found = orjson.loads(entry)
            is_canonical = encode(found) == entry
        except (orjson.JSONDecodeError, NotCanonicalError):
            return None
        if not is_canonical or type(found) is not list or found[:2] != [FORMAT, "leaf"]:
            return None
        said: JsonObject = found[2] if len(found) == 3 and type(found[2]) is dict else {}
        if said.get("kind") not in _FIELDS:
            return None
        kind = said["kind"]
        times = [said.get(name) for name in _FIELDS[kind]]
        if not all(map(is_instant, times)):
            raise TlogError(f"{entry!r:.200} has not the times that `{kind}` has")
        return cls(kind, *map(str, times))


def is_ahead(at: str, signed_ms: int | None) -> bool:
    """Whether a log that was signed at ``signed_ms`` (ms since 1970) tells of a time after that.

    Nobody knows what comes, so such a word explains nothing: otherwise an operator could excuse
    once and for all whatever he does later. None: nothing says when it was signed.
    """
    return signed_ms is not None and to_ms(at) > signed_ms + AHEAD_MS


class Restart(NamedTuple):
    """A ``restarted``: its number in the log, and its times in ms since 1970."""

    number: int
    at: int
    until: int


class Statements:
    """The statements of a log about itself up to a checkpoint; entries come in any order.

    The checkpoint was the newest at ``signed_ms`` (ms since 1970; None: nothing says so).
    """

    def __init__(self, signed_ms: int | None = None) -> None:
        self._signed_ms = signed_ms
        self._begun_ms: int | None = None
        self._behind: list[tuple[int, int]] = []
        self._restarted: list[Restart] = []

    def take(self, number: int, entry: bytes) -> None:
        """Take an entry of the log, if it is a statement. Raises TlogError.

        The log begins once: `begun` counts only as the entry ``number`` 0.
        """
        # Most entries are leaves, and need not be read.
        if not any(kind in entry for kind in _KINDS) or (found := Statement.parse(entry)) is None:
            return
        if is_ahead(found.last, self._signed_ms):
            return
        if found.kind == BEHIND and found.until is not None:
            self._behind.append((to_ms(found.at), to_ms(found.until)))
        elif found.kind == RESTARTED and found.until is not None:
            self._restarted.append(Restart(number, to_ms(found.at), to_ms(found.until)))
        elif number == 0:
            self._begun_ms = to_ms(found.at)

    def is_before(self, at_ms: int) -> bool:
        """Whether the log makes no promise of this time (ms since 1970)."""
        return self._begun_ms is not None and at_ms < self._begun_ms

    def restart(self, at_ms: int, before: int | None = None) -> Restart | None:
        """Return the restart around ``at_ms`` (ms since 1970); None if the log tells of none.

        It must stand before the entry ``before``: it does not explain what the log had already.
        """
        for one in self._restarted:
            if one.at <= at_ms <= one.until and (before is None or one.number < before):
                return one
        return None

    def lacks_since(self, signed_ms: int) -> int | None:
        """Return the time since which a log that was signed at ``signed_ms`` may lack something.

        None: it says no such thing.
        """
        return min((at for at, until in self._behind if signed_ms <= until), default=None)
