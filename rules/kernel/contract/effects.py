"""What moves and chance did, as lines of a log: derived, never stored, always recomputable."""

from typing import NamedTuple

from rules.kernel.canonical import JsonObject

PUBLIC = "public"
NONE = "none"


def seat_audience(seat: int) -> str:
    """Audience of a part that one seat alone may see."""
    return f"seat:{seat}"


def can_see(viewer: int | None, audience: str) -> bool:
    """Whether ``viewer`` (a seat, or None for a spectator) belongs to ``audience``."""
    return audience == PUBLIC or (viewer is not None and audience == seat_audience(viewer))


class Effect(NamedTuple):
    """One line of the log: ``type`` and ``data`` (ids and integers), shown to ``audience``."""

    type: str
    data: JsonObject
    audience: str


class EffectLog:
    """Collects the effects of one event, and the sealed parts that it opens to everybody."""

    __slots__ = ("effects", "opened")

    def __init__(self) -> None:
        self.effects: list[Effect] = []
        self.opened: list[tuple[str, str, int]] = []

    def add(self, type_: str, /, audience: str = PUBLIC, **data: object) -> None:
        """Add one line."""
        self.effects.append(Effect(type_, data, audience))

    def open_move(self, seat: int, type_: str) -> None:
        """Open every secret move of this type by ``seat`` that is not open yet."""
        self.opened.append(("move", type_, seat))

    def open_chance(self, label: str, n: int) -> None:
        """Open the hidden outcome of the draw ``label``, occurrence ``n``."""
        self.opened.append(("picks", label, n))
