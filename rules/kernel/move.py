"""A move: one seat's answer to a decision, with its codec and schema."""

from collections.abc import Sequence
from dataclasses import field, fields
from typing import Any, ClassVar, Generic, Self, TypeVar

from rules.kernel.canonical import JsonObject
from rules.kernel.effects import EffectLog
from rules.kernel.fields import Field

State = TypeVar("State")


class MalformedMove(ValueError):
    """JSON whose keys are not those of the move type it names."""


def param(kind: Field, doc: str) -> Any:
    """Declare one field of a move: its kind (for the schema) and what it means."""
    return field(metadata={"kind": kind, "doc": doc})


class Move(Generic[State]):
    """A small immutable value; subclasses are dataclasses with ``frozen=True, slots=True``.

    A subclass holds everything the rulebook says about it: its fields, which instances are
    legal now, why one is refused, and what it does.
    """

    __slots__ = ()

    type: ClassVar[str]
    secret: ClassVar[bool] = False
    """Only its mover sees a secret move, until the rules open it."""

    @classmethod
    def legal(cls, state: State, seat: int) -> "Sequence[Move[State]]":
        """Every instance that ``seat``, who is asked, may play now: ordered, no duplicates."""
        raise NotImplementedError

    def check(self, state: State, seat: int) -> None:
        """Raise IllegalMove unless ``seat``, who is asked, may play this now.

        Fields hold what the JSON said, so a value may be of any type here.
        """
        raise NotImplementedError

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        """Change ``state`` by this legal move; write what it did to ``log``, if there is one."""
        raise NotImplementedError

    def to_json(self) -> JsonObject:
        """Return ``{"type": …, field: value, …}``."""
        return {"type": self.type, **{f.name: getattr(self, f.name) for f in _fields(self)}}

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Read the move back; field values are not judged here but in ``check``.

        Raises:
            MalformedMove: a field is missing or there is one too many.

        """
        names: tuple[str, ...] = cls.__match_args__  # type: ignore[attr-defined]  # a dataclass's
        if len(data) == len(names) + 1:
            try:
                return cls(*[data[name] for name in names])
            except KeyError:
                pass
        if missing := set(names) - data.keys():
            raise MalformedMove(f"{cls.type} needs {', '.join(sorted(missing))}")
        extra = data.keys() - set(names) - {"type"}
        raise MalformedMove(f"{cls.type} has no {', '.join(sorted(extra))}")

    @classmethod
    def schema(cls) -> JsonObject:
        """JSON Schema of this move type; ``description`` is the class's docstring."""
        properties: JsonObject = {"type": {"type": "string", "const": cls.type}}
        for f in _fields(cls):
            properties[f.name] = {**f.metadata["kind"].schema(), "description": f.metadata["doc"]}
        return {
            "type": "object",
            "title": cls.type,
            "description": (cls.__doc__ or "").strip(),
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    def label(self) -> tuple[str, JsonObject]:
        """Label key and the values its template needs (see ``labels``)."""
        return f"move.{self.type}", {f.name: getattr(self, f.name) for f in _fields(self)}


def _fields(move: Any) -> Any:
    return fields(move)
