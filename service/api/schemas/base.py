"""The base of all schemas."""

from datetime import date
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar, NamedTuple, Self

import marshmallow as ma

from rules.kernel.canonical import JsonObject
from service.ledger.kinds import KINDS, PERSON
from service.process.fair_queue import paced
from service.text import BadTextError, clean

HEX_32, HEX_64 = "[0-9a-f]{64}", "[0-9a-f]{128}"
TIME = {"format": "date-time", "example": "2026-11-20T21:29:00.123Z"}

RULESET, EDITION = "<ruleset>", "<edition>"
"""Placeholders in examples; the document has the first installed ruleset and its edition instead.
"""

MAX_FAULTS = 20
"""Maximum number of faults of one request that are reported."""

MAX_SEAT = 1000
"""Maximum of a seat's number in a request; no game has as many seats."""
COMPONENT = "x-component"
"""The key under which a parameter keeps the name of its component, if that is not its own name."""

GAME = "g07-mfrggzdfmztwq2lknnwg"
PLAYER = "p-mfrggzdfmztwq2lk"
HASH = "5f2b51ca2fdc5baa31ec02e002f69aec56f7b2a3a3f2d8d4d1b1f6c2a9e07d11"
AT = "2026-11-20T21:29:00.123Z"


class _Schema(ma.Schema):
    """A schema that is never changed once it is made, so its copy is the schema itself.

    flask-smorest copies the documentation of an operation, schemas included, for each decorator.
    """

    def __deepcopy__(self, _memo: object) -> Self:
        return self


class AnswerSchema(_Schema):
    """An answer of the API; later versions may add members."""

    example: ClassVar[JsonObject]

    class Meta:
        """In the OpenAPI document, answers are open objects: unknown members are allowed."""

        unknown = ma.INCLUDE


class RequestSchema(_Schema):
    """A request to the API; unknown members are refused.

    ``loads`` is the frozen dataclass into which a request is loaded; its defaults stand for missing
    members. ``rules`` (JSON Schema) are the conditions between its fields.
    """

    loads: ClassVar[type[Any]] = dict
    example: ClassVar[JsonObject]
    rules: ClassVar[JsonObject] = {}

    class Meta:
        """Options of marshmallow."""

        unknown = ma.RAISE

    def typed(self, loaded: JsonObject) -> Any:
        """Return the loaded dict as an instance of ``loads``, nested dicts included."""
        found = dict(loaded)
        for name, schema in self._below.items():
            below = found.get(name)
            if isinstance(below, list):
                found[name] = [schema.typed(item) for item in below]
            elif below is not None:
                found[name] = schema.typed(below)
        return self.loads(**found)

    @cached_property
    def _below(self) -> dict[str, "RequestSchema"]:
        """The nested schemas by field, those of a list's items included."""
        inner = {
            name: field.inner if isinstance(field, ma.fields.List) else field
            for name, field in self.load_fields.items()
        }
        return {
            name: field.schema
            for name, field in inner.items()
            if isinstance(field, ma.fields.Nested) and isinstance(field.schema, RequestSchema)
        }

    def _deserialize(self, data: Any, **options: Any) -> Any:
        return super()._deserialize(_with_few_unknown(data, self._names), **options)

    @cached_property
    def _names(self) -> set[str]:
        return {field.data_key or name for name, field in self.load_fields.items()}


def _with_few_unknown(data: Any, known: set[str]) -> Any:
    """Return ``data`` with only a few of its unknown members: the rest is not reported."""
    if type(data) is not dict or len(data) <= len(known) + MAX_FAULTS:
        return data
    told = set(islice((name for name in data if name not in known), MAX_FAULTS))
    return {name: value for name, value in data.items() if name in known or name in told}


class Items(ma.fields.List[Any]):
    """A list in a request: its length is checked first, and only the first faults are reported."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> list[Any]:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        for validator in self.validators:
            if isinstance(validator, ma.validate.Length):
                validator(value)
        found: list[Any] = []
        wrong: dict[str | int, Any] = {}
        faults = 0
        for place, item in enumerate(paced(value)):
            try:
                found.append(self.inner.deserialize(item, **options))
            except ma.ValidationError as error:
                wrong[place] = error.messages
                faults += _faults(error.messages)
                if faults >= MAX_FAULTS:
                    break
        if wrong:
            raise ma.ValidationError(wrong)
        return found


def _faults(messages: Any) -> int:
    """Return the number of faults in marshmallow's ``messages`` about an item."""
    if isinstance(messages, dict):
        return sum(map(_faults, messages.values()))
    return len(messages)


_SENT_FOR_KEPT = 4
"""Factor by which a text as sent may be longer than its cleaned form."""


class Text(ma.fields.String):
    """A text of one line, at most ``most`` characters, cleaned by ``service.text``."""

    def __init__(self, most: int, **options: Any) -> None:
        options["metadata"] = {"minLength": 1, "maxLength": most, **options.get("metadata", {})}
        self._length = ma.validate.Length(1, most)
        self._most_sent = _SENT_FOR_KEPT * most
        super().__init__(validate=self._length, **options)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        given: Any = super()._deserialize(value, attr, data, **kwargs)
        # A very long text is refused first, because cleaning it would take long.
        if len(given) > self._most_sent:
            self._length(given)
        try:
            return clean(given)
        except BadTextError as error:
            raise ma.ValidationError(str(error)) from None


class Flag(ma.fields.Boolean):
    """A JSON true or false: neither 1 nor "yes"."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Deprecation(NamedTuple):
    """The dates of a deprecation: its beginning, and the day from which a removal is allowed.

    /docs/api has the policy. The document and the answers show both dates.
    """

    since: date
    sunset: date

    def documented(self) -> JsonObject:
        """Return the deprecation in the form of the OpenAPI document."""
        return {"deprecated": True, "x-sunset": self.sunset.isoformat()}

    def metadata(self) -> JsonObject:
        """Return the metadata of a deprecated field.

        The service itself reads the key ``DEPRECATION``; the OpenAPI document does not have it.
        """
        return {**self.documented(), DEPRECATION: self}


DEPRECATION = "deprecation"


def described(text: str, **more: Any) -> JsonObject:
    """Return a field's metadata with its description."""
    return {"description": text, **more}


def version_field(text: str) -> ma.fields.Field[Any]:
    """Return a field for a game's version or an event's seq."""
    return ma.fields.Integer(
        strict=True, required=True, metadata=described(text, minimum=0, example=42)
    )


def next_after_field(text: str) -> ma.fields.Field[Any]:
    """Return a field for the position where a list's next page begins."""
    return ma.fields.Integer(required=True, allow_none=True, metadata=described(text, example=None))


def text_field(text: str, **more: Any) -> ma.fields.Field[Any]:
    """Return a required string field."""
    return ma.fields.String(required=True, metadata=described(text, **more))


def hash_field(text: str, **options: Any) -> ma.fields.Field[Any]:
    """Return a field for 32 bytes in hexadecimal."""
    return ma.fields.String(
        validate=ma.validate.Regexp(HEX_32 + r"\Z", error="64 hexadecimal digits, lower case"),
        metadata=described(text, pattern=f"^{HEX_32}$", example=HASH),
        **options,
    )


def sig_field(text: str, **options: Any) -> ma.fields.Field[Any]:
    """Return a field for an Ed25519 signature (RFC 8032): 64 bytes in hexadecimal."""
    return ma.fields.String(
        validate=ma.validate.Regexp(HEX_64 + r"\Z", error="128 hexadecimal digits, lower case"),
        metadata=described(text, pattern=f"^{HEX_64}$", example=2 * HASH),
        **options,
    )


def names_field() -> ma.fields.Field[Any]:
    """Return the field with the names of players, by id."""
    return ma.fields.Dict(
        keys=ma.fields.String(),
        values=ma.fields.String(),
        required=True,
        metadata=described(
            "Names by players' ids; empty of who has left.", example={PLAYER: "Ana"}
        ),
    )


def kinds_field() -> ma.fields.Field[Any]:
    """Return the field with the kinds of players, by id."""
    return ma.fields.Dict(
        keys=ma.fields.String(),
        values=ma.fields.String(validate=ma.validate.OneOf(KINDS)),
        required=True,
        metadata=described(
            "A person, or a program: `bot`; by players' ids.", example={PLAYER: PERSON}
        ),
    )


def kind_field(text: str, **options: Any) -> ma.fields.Field[Any]:
    """Return a field for a player's kind."""
    return ma.fields.String(
        validate=ma.validate.OneOf(KINDS), metadata=described(text, example=PERSON), **options
    )


def raw_object(text: str, **options: Any) -> ma.fields.Field[Any]:
    """Return a field for an object whose members this API does not check."""
    return ma.fields.Raw(metadata=described(text, type="object", **options), required=True)
