"""Moves: answers of one seat to a decision, with their codec and schema."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from itertools import product
from types import ModuleType
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar, cast

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.errors import ErrorCode, IllegalMove, MaybeRefusal
from rules.kernel.contract.fields import BadValue, Field, Optional, WrongType
from rules.kernel.contract.seats import Seat
from rules.kernel.contract.state import GameState

State = TypeVar("State", bound=GameState)
T = TypeVar("T")


_MANY = 200
"""Maximum number of values of a kind for which all of them are tried instead of a bad value."""


class MalformedMove(ValueError):
    """The JSON of a move lacks a key of its type, or has a key that its type does not have."""


_NEEDED: Any = object()


def param(kind: Field[T], doc: str, *, default: T = _NEEDED, refused: ErrorCode | None = None) -> T:
    """Declare one parameter of a move: its kind and meaning.

    Clients may omit a parameter with a ``default``; events always have it. ``refused`` is the code
    for a value that is not of this kind; without it, a move with such a value is malformed.
    """
    known = {} if default is _NEEDED else {"default": default}
    metadata = {"kind": kind, "doc": doc, "refused": refused, **known}
    declared = field(metadata=metadata, default=None if isinstance(kind, Optional) else MISSING)
    return cast("T", declared)


class Parameter(NamedTuple):
    """A parameter, as declared by ``param``."""

    name: str
    kind: Field[Any]
    doc: str
    default: object
    refused: ErrorCode | None

    @property
    def needed(self) -> bool:
        """Whether clients must send the parameter."""
        return self.default is _NEEDED and not isinstance(self.kind, Optional)


class BadParameter(MalformedMove):
    """A parameter whose value is not of its kind; ``error`` says why."""

    def __init__(self, type_: str, parameter: Parameter, value: object, error: BadValue) -> None:
        super().__init__(f"{type_} takes no such {parameter.name}: {error}")
        self.parameter = parameter
        self.refused = parameter.refused
        self.wrong_type = isinstance(error, WrongType)
        self.given = {parameter.name: value}
        self.value = value

    def instead(self) -> list[JsonObject]:
        """Return valid values to try instead, each in an object under the parameter's name.

        The list is empty if there are too many values, or if they cannot be listed.
        """
        try:
            values = self.parameter.kind.values()
        except TypeError:
            return []
        if len(values) > _MANY:
            return []
        return [{self.parameter.name: self.parameter.kind.write(value)} for value in values]


@dataclass(frozen=True)
class Move(Generic[State]):
    """A small immutable value; subclasses are dataclasses with ``frozen=True, slots=True``.

    A subclass holds everything that the rulebook says about this type of move: its parameters,
    reasons of refusal, and effects. A subclass without parameters is a plain class. The class
    declares its type in JSON: ``class DriveCar(Move[State], type="drive_car")``.
    """

    type: ClassVar[str]
    secret: ClassVar[bool] = False
    """A secret move is visible only to the seat that made it, until the rules reveal it."""
    reveals: ClassVar[bool] = False
    """Whether the move shows others something hidden, such as a card that its seat holds. Such a
    move cannot be taken back. The law ``what_can_be_taken_back_showed_nothing`` finds moves without
    this mark.
    """

    def __init_subclass__(cls, type: str = "") -> None:  # noqa: A002 - the key in JSON
        """Note the type of move that the class declares; base classes declare none."""
        super().__init_subclass__()
        if type:
            cls.type = type

    @property
    def says(self) -> tuple[str, ...]:
        """The types of effects that say no more than the move's label.

        If the first effect of the move has one of these types, a log that shows the move omits that
        effect. In most subclasses this is a constant.
        """
        return ()

    # The rules

    @classmethod
    @cache
    def pool(cls) -> "Sequence[Self]":
        """Return all moves of this type, in the order of the values of their parameters.

        The moves are made at the first call, and kept.
        """
        return tuple([cls(*row) for row in product(*[p.kind.values() for p in cls.parameters()])])

    @classmethod
    @cache
    def of(cls, *values: object) -> "Self":
        """Return the instance with these values; it is made only once."""
        return cls(*values)

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> "Iterable[Self]":
        """Return the moves that ``legal`` tests, in the order in which it tests them.

        By default, these are all moves of this type (``pool``). A type of move overrides this
        method if the possible moves depend on the state, for example on the edition or on the cards
        in the hand of ``seat``.
        """
        return cls.pool()

    @classmethod
    def legal(cls, state: State, seat: Seat) -> "Sequence[Move[State]]":
        """Return this type's legal moves for a deciding ``seat``, in order, without duplicates."""
        return [move for move in cls.candidates(state, seat) if not move.refusal(state, seat)]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        """Return the first reason why a deciding ``seat`` may not play this move now, or None."""
        return None

    def check(self, state: State, seat: Seat) -> None:
        """Raise IllegalMove unless a deciding ``seat`` may play this move now."""
        if refused := self.refusal(state, seat):
            raise IllegalMove.of(refused, self.to_json())

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        """Apply this legal move to ``state``; write its effects to ``log`` unless it is None."""
        raise NotImplementedError

    # Codec

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the parameters of the move, in order."""
        return _parameters(cls)

    def to_json(self) -> JsonObject:
        """Return ``{"type": …, parameter: value, …}``."""
        return {"type": self.type, **self._written()}

    def _written(self) -> JsonObject:
        return {
            name: write(value)
            for name, write, optional in _writing(type(self))
            if (value := getattr(self, name)) is not None or not optional
        }

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Read the move back.

        Raises:
            MalformedMove: a parameter is missing or unknown.
            BadParameter: a value is not of its kind; the error is about the first such value.
        """
        reading = _reading(cls)
        if len(data) == len(reading) + 1:  # usually ``data`` has the type and all parameters
            try:
                values = [read(data[name]) for name, read in reading]
            except (KeyError, BadValue):
                pass  # the loop below reports the errors
            else:
                return cls(*values)
        parameters = _parameters(cls)
        data = {**_defaults(cls), **data}
        names = {parameter.name for parameter in parameters}
        needed = {parameter.name for parameter in parameters if parameter.needed}
        if missing := needed - data.keys():
            raise MalformedMove(f"{cls.type} needs {', '.join(sorted(missing))}")
        if extra := data.keys() - names - {"type"}:
            raise MalformedMove(f"{cls.type} has no {', '.join(sorted(extra))}")
        return cls(**{p.name: _read(cls, p, data[p.name]) for p in parameters if p.name in data})

    @classmethod
    def wrong_parameters(cls, data: JsonObject) -> list[BadParameter]:
        """Return an error for each value that is not of its kind.

        The errors are the same that ``from_json`` raises.
        """
        wrong = []
        for parameter in _parameters(cls):
            try:
                if parameter.name in data:
                    _read(cls, parameter, data[parameter.name])
            except BadParameter as error:
                wrong.append(error)
        return wrong

    @classmethod
    def schema(cls) -> JsonObject:
        """JSON Schema of this move type; ``description`` is the class's docstring."""
        properties: JsonObject = {"type": {"type": "string", "const": cls.type}}
        for parameter in _parameters(cls):
            described = {**parameter.kind.schema(), "description": parameter.doc}
            if parameter.default is not _NEEDED:
                described["default"] = parameter.default
            properties[parameter.name] = described
        return {
            "type": "object",
            "title": cls.type,
            "description": (cls.__doc__ or "").strip(),
            "properties": properties,
            "required": ["type", *(p.name for p in _parameters(cls) if p.needed)],
            "additionalProperties": False,
        }

    # Words

    def label(self) -> tuple[str, JsonObject]:
        """Return the key of the move's label, and the values for its template (see ``labels``)."""
        return f"move.{self.type}", self._written()

    def details(self, state: State, seat: Seat) -> JsonObject:
        """Return values that matter for the choice but are not in the move: prices, goods, names.

        Templates show them in brackets. The caller ensures that ``seat`` may play this move in
        ``state``. Everybody who sees the move also sees these values. So the values may depend only
        on those parts of ``state`` that all of them can see.
        """
        return {}

    def label_in(self, state: State, seat: Seat) -> tuple[str, JsonObject]:
        """Return the key of this move's label, and the values for the label's template.

        The values are the parameters of the move and its ``details``.
        """
        key, data = self.label()
        return key, {**data, **self.details(state, seat)}


def moves_of(*modules: ModuleType) -> tuple[type[Move[Any]], ...]:
    """Return the types of move that ``modules`` define, in the order of their definitions."""
    return tuple(
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, Move)
        and each.__module__ == module.__name__
        and "type" in vars(each)
    )


def _declared(cls: Any) -> tuple[Parameter, ...]:
    known = [(f.name, f.metadata) for f in fields(cls)]
    return tuple(
        Parameter(name, said["kind"], said["doc"], said.get("default", _NEEDED), said["refused"])
        for name, said in known
    )


def _readers(cls: Any) -> tuple[tuple[str, Callable[[object], Any]], ...]:
    return tuple((p.name, p.kind.read) for p in _parameters(cls))


def _writers(cls: Any) -> tuple[tuple[str, Callable[[Any], object], bool], ...]:
    return tuple((p.name, p.kind.write, type(p.kind) is Optional) for p in _parameters(cls))


def _list_defaults(cls: Any) -> JsonObject:
    return {p.name: p.default for p in _parameters(cls) if p.default is not _NEEDED}


_parameters: Callable[[Any], tuple[Parameter, ...]] = cache(_declared)
_defaults: Callable[[Any], JsonObject] = cache(_list_defaults)
_reading: Callable[[Any], tuple[tuple[str, Callable[[object], Any]], ...]] = cache(_readers)
_writing: Callable[[Any], tuple[tuple[str, Callable[[Any], object], bool], ...]] = cache(_writers)


def _read(cls: Any, parameter: Parameter, value: object) -> Any:
    try:
        return parameter.kind.read(value)
    except BadValue as error:
        raise BadParameter(cls.type, parameter, value, error) from None
