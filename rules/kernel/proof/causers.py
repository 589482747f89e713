"""The causers of events: the field ``by`` (docs/format.md, "Events")."""

from typing import Any

from rules.kernel.proof.newer import is_name
from rules.kernel.proof.shape import Note, Shape, some_object

CAUSERS = frozenset(("player", "tournament", "admin", "seat", "bot", "service"))
"""All members that ``by`` may have, in one kind of event or another."""
SERVICES = frozenset(
    ("rules", "clock", "beacon", "bots", "resigned", "timed_out", "bot_failed", "tournaments")
)
"""The values of ``by.service``: which part of the service caused an event."""


class Causer(Shape):
    """The shape of the causer in one kind of event.

    If this program knows the causer, the causer must be one that this kind of event may have; any
    other known causer is a fault. If this program does not know the causer, the causer may come
    from a later release, and is noted as unknown.
    """

    __slots__ = ("_form",)

    def __init__(self, form: Shape) -> None:
        self._form = form
        super().__init__(form.fits, form.what)

    def wrong(self, value: Any, seats: int, path: str = "", note: Note | None = None) -> str:
        unknown = []
        if note is not None and some_object.fits(value, seats):
            unknown = [(f"{path}.{name}", name) for name in value if name not in CAUSERS]
            service = value.get("service", "rules")
            if is_name(service) and service not in SERVICES:
                unknown.append((f"{path}.service", service))
        if note is None or not unknown or not all(is_name(name) for _path, name in unknown):
            return self._form.wrong(value, seats, path)
        for each in unknown:
            note(*each)
        return ""
