"""The effects of moves and draws, as lines of a log: computed from events, and never stored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, ParamSpec

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.fields import Field, Optional
from rules.kernel.contract.seats import Seat

PUBLIC = "public"
NONE = "none"

P = ParamSpec("P")


def seat_audience(seat: Seat) -> str:
    """Return the audience of a part that only ``seat`` may see."""
    return f"seat:{seat}"


def can_see(viewer: Seat | None, audience: str) -> bool:
    """Whether ``viewer`` (a seat, or None for a spectator) belongs to ``audience``."""
    return audience == PUBLIC or (viewer is not None and audience == seat_audience(viewer))


@dataclass(frozen=True, slots=True)
class EffectType(Generic[P]):
    """A type of effect: the kinds of its values, and its default audience.

    mypy checks the arguments of ``tell``, with the plugin ``tools/effect_types.py``.
    """

    type: str
    audience: str
    fields: Mapping[str, Field[Any]]

    def tell(
        self, log: "EffectLog | None", audience: str = "", /, *_: P.args, **values: P.kwargs
    ) -> None:
        """Add an effect to ``log``, unless ``log`` is None.

        ``audience`` overrides the default audience.

        Raises:
            TypeError: the values are not those declared.
        """
        if log and log.telling:
            data = self._written(values)
            log.effects.append(Effect(self.type, data, audience or self.audience))

    def _written(self, values: Mapping[str, Any]) -> JsonObject:
        if values.keys() != self.fields.keys() and not self._lacks_optional_ones_alone(values):
            raise TypeError(f"{self.type} tells {[*self.fields]}, not {[*values]}")
        return {name: self.fields[name].write(value) for name, value in values.items()}

    def _lacks_optional_ones_alone(self, values: Mapping[str, Any]) -> bool:
        lacking = [kind for name, kind in self.fields.items() if name not in values]
        return values.keys() <= self.fields.keys() and all(type(k) is Optional for k in lacking)

    def schema(self) -> JsonObject:
        """JSON Schema of an effect's data."""
        fields = self.fields.items()
        return {
            "type": "object",
            "properties": {name: kind.schema() for name, kind in fields},
            "required": [name for name, kind in fields if type(kind) is not Optional],
            "additionalProperties": False,
        }


class Effects:
    """All types of effects of one game, in the order of declaration."""

    def __init__(self) -> None:
        self._types: dict[str, EffectType[...]] = {}

    def declare(
        self, type_: str, /, audience: str = PUBLIC, **fields: Field[Any]
    ) -> EffectType[...]:
        """Declare a type of effect.

        Raises:
            ValueError: the name is taken.
        """
        if type_ in self._types:
            raise ValueError(f"there are two effects {type_}")
        declared = self._types[type_] = EffectType(type_, audience, fields)
        return declared

    def __iter__(self) -> Iterator[EffectType[...]]:
        return iter(self._types.values())


class Effect(NamedTuple):
    """An effect: ``type`` and ``data`` (ids and integers), shown to ``audience``."""

    type: str
    data: JsonObject
    audience: str


class EffectLog:
    """Collects the effects of one event, and the sealed parts that the event reveals to everybody.

    Rules get None instead of a log if nobody needs the effects.
    """

    __slots__ = ("effects", "opened", "telling")

    def __init__(self, *, telling: bool = True) -> None:
        self.telling = telling
        self.effects: list[Effect] = []
        self.opened: list[tuple[str, str, int]] = []

    def open_move(self, seat: Seat, type_: str) -> None:
        """Reveal every secret move of this type by ``seat`` that is not revealed yet."""
        self.opened.append(("move", type_, seat))

    def open_chance(self, label: str, n: int) -> None:
        """Reveal the hidden outcome of the draw ``label``, occurrence ``n``."""
        self.opened.append(("picks", label, n))
