"""A move: one seat's answer to a decision, with its codec and schema."""

from collections.abc import Sequence
from dataclasses import field, fields
from typing import Any, ClassVar, Generic, Self, TypeVar

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.fields import Field

State = TypeVar("State")


class MalformedMove(ValueError):
    """JSON whose keys are not those of the move type it names."""


_NEEDED = object()


def param(kind: Field, doc: str, *, default: object = _NEEDED) -> Any:
    """Declare one field of a move: its kind (for the schema) and what it means.

    With a ``default``, whoever sends the move may leave the field out; events always have it.
    """
    known = {} if default is _NEEDED else {"default": default}
    return field(metadata={"kind": kind, "doc": doc, **known})


class Move(Generic[State]):
    """A small immutable value; subclasses are dataclasses with ``frozen=True, slots=True``.

    A subclass holds everything the rulebook says about it: its fields, which instances are
    legal now, why one is refused, and what it does.
    """

    __slots__ = ()

    type: ClassVar[str]
    secret: ClassVar[bool] = False
    """Only its mover sees a secret move, until the rules open it."""

    @property
    def says(self) -> tuple[str, ...]:
        """Types of effects of which the first only repeats the label.

        A log that tells the move leaves them out. Most subclasses have a constant.
        """
        return ()

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
        names: tuple[str, ...] = self.__match_args__  # type: ignore[attr-defined]  # a dataclass's
        return {"type": self.type, **{name: getattr(self, name) for name in names}}

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
        data = cls.completed(data)
        if missing := set(names) - data.keys():
            raise MalformedMove(f"{cls.type} needs {', '.join(sorted(missing))}")
        if extra := data.keys() - set(names) - {"type"}:
            raise MalformedMove(f"{cls.type} has no {', '.join(sorted(extra))}")
        return cls(*[data[name] for name in names])

    @classmethod
    def completed(cls, data: JsonObject) -> JsonObject:
        """Return ``data`` with the defaults of the fields that it leaves out."""
        defaults = {f.name: f.metadata["default"] for f in _fields(cls) if "default" in f.metadata}
        return {**defaults, **data}

    @classmethod
    def schema(cls) -> JsonObject:
        """JSON Schema of this move type; ``description`` is the class's docstring."""
        properties: JsonObject = {"type": {"type": "string", "const": cls.type}}
        for f in _fields(cls):
            properties[f.name] = {**f.metadata["kind"].schema(), "description": f.metadata["doc"]}
            if "default" in f.metadata:
                properties[f.name]["default"] = f.metadata["default"]
        return {
            "type": "object",
            "title": cls.type,
            "description": (cls.__doc__ or "").strip(),
            "properties": properties,
            "required": [name for name, one in properties.items() if "default" not in one],
            "additionalProperties": False,
        }

    def label(self) -> tuple[str, JsonObject]:
        """Label key and the values its template needs (see ``labels``)."""
        return f"move.{self.type}", {f.name: getattr(self, f.name) for f in _fields(self)}

    def details(self, state: State, seat: int) -> JsonObject:
        """Return what one decides by and the move does not say itself: prices, goods, names.

        Templates have them in brackets. They come from ``state``, in which ``seat`` may play this
        move, but only from what everybody sees in it who sees the move.
        """
        return {}

    def label_in(self, state: State, seat: int) -> tuple[str, JsonObject]:
        """Return the label with its details."""
        key, data = self.label()
        return key, {**data, **self.details(state, seat)}


def _fields(move: Any) -> Any:
    return fields(move)
