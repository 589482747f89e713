"""Moves as sequences of words, and the vocabulary of all words.

A learner chooses a move as people do at the table: first its type, then one field after the other.
The vocabulary follows from the declarations of the moves alone. So a word has the same number in
every game of the same rules and tables, whatever moves are legal there:

- a type of move is a word;
- a field is ``field=value``, or ``field=none`` if it is left out or null;
- a list is said item by item, and ``field.`` ends it;
- an object is said property by property;
- a number with many values is said digit by digit, and ``field.`` ends it.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.edition import Edition
from rules.kernel.contract.fields import Field, Maybe, Optional
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.toolbox.rows import RowId

WAIT = "wait"
"""The word of a seat that is not asked."""
MANY = 64
"""Numbers with more values than this are said by their digits."""
_REMEMBERED = 8_192
"""Number of moves for which a vocabulary caches the words."""


class Vocabulary:
    """The words of a ruleset with the tables of an edition."""

    def __init__(self, ruleset: Ruleset[Any], edition: Edition) -> None:
        self._schemas = {type_.type: _fields(type_, edition) for type_ in ruleset.move_types}
        found = dict.fromkeys([WAIT, *self._schemas])
        for fields in self._schemas.values():
            for name, schema in fields.items():
                found.update(dict.fromkeys(_all_words(name, schema)))
        self.words = tuple(found)
        self.longest = 1 + max(
            sum(_most_words(kind) for kind in fields.values()) for fields in self._schemas.values()
        )
        """No move has more words."""
        self._numbers = {word: number for number, word in enumerate(self.words)}
        self.spell = lru_cache(_REMEMBERED)(self._spell)

    def _spell(self, move: Move[Any]) -> tuple[int, ...]:
        """Return the numbers of the words that say a move."""
        written = move.to_json()
        words = [move.type]
        for name, schema in self._schemas[move.type].items():
            words += _words(name, schema, written.get(name))
        return tuple([self._numbers[word] for word in words])


def _fields(type_: type[Move[Any]], edition: Edition) -> dict[str, JsonObject]:
    """Return the schemas of the fields in the JSON of moves of a type."""
    schema = type_.schema()
    fields = {name: kind for name, kind in schema["properties"].items() if name != "type"}
    for parameter in type_.parameters():
        if isinstance(kind := _inner(parameter.kind), RowId):
            ids = getattr(kind.editions[edition.id], kind.table)
            fields[parameter.name] = {"type": "string", "enum": [*ids]}
    may_lack = fields.keys() - {*schema["required"]}
    return {n: {"anyOf": [k, {"type": "null"}]} if n in may_lack else k for n, k in fields.items()}


def _inner(kind: Field[Any]) -> Field[Any]:
    return _inner(kind.field) if isinstance(kind, Maybe | Optional) else kind


def _all_words(name: str, schema: JsonObject) -> Iterator[str]:
    """Yield every word that can say a value of this schema, or a part of one."""
    if "anyOf" in schema and "properties" not in schema:
        for kind in schema["anyOf"]:
            yield from _all_words(name, kind)
    elif "enum" in schema:
        yield from (f"{name}={value}" for value in schema["enum"])
    elif schema["type"] == "null":
        yield f"{name}=none"
    elif schema["type"] == "boolean":
        yield from (f"{name}=false", f"{name}=true")
    elif schema["type"] == "integer":
        yield from _all_numbers(name, schema)
    elif schema["type"] == "array":
        yield from _all_words(name, schema["items"])
        yield f"{name}."
    else:
        for key, kind in schema["properties"].items():
            yield f"{name}.{key}=none"
            yield from _all_words(f"{name}.{key}", kind)


def _all_numbers(name: str, schema: JsonObject) -> Iterator[str]:
    if _has_many(schema):
        yield from (f"{name}={digit}" for digit in range(10))
        yield f"{name}."
    else:
        numbers = range(schema["minimum"], schema["maximum"] + 1)
        yield from (f"{name}={number}" for number in numbers)


def _most_words(schema: JsonObject) -> int:
    """Return the maximum number of words that say a value of this schema."""
    if "anyOf" in schema and "properties" not in schema:
        return max(map(_most_words, schema["anyOf"]))
    if schema.get("type") == "integer" and "enum" not in schema:
        return len(str(schema["maximum"])) + 1 if _has_many(schema) else 1
    if schema.get("type") == "array":
        most: int = schema["maxItems"]
        return most * _most_words(schema["items"]) + 1
    if schema.get("type") == "object":
        return sum(max(1, _most_words(kind)) for kind in schema["properties"].values())
    return 1


def _words(name: str, schema: JsonObject, value: Any) -> Iterator[str]:
    """Yield the words that say ``value``."""
    if value is None:
        yield f"{name}=none"
    elif isinstance(value, bool):
        yield f"{name}={str(value).lower()}"
    elif isinstance(value, str):
        yield f"{name}={value}"
    elif isinstance(value, int):
        if _has_many(_of_type(schema, "integer")):
            yield from (f"{name}={digit}" for digit in str(value))
            yield f"{name}."
        else:
            yield f"{name}={value}"
    elif isinstance(value, Sequence):
        item = _of_type(schema, "array")["items"]
        for each in value:
            yield from _words(name, item, each)
        yield f"{name}."
    elif isinstance(value, Mapping):
        for key, kind in _of_type(schema, "object")["properties"].items():
            yield from _words(f"{name}.{key}", kind, value.get(key))


def _of_type(schema: JsonObject, type_: str) -> JsonObject:
    """Return the schema whose values have this type: ``schema``, or one of its alternatives."""
    if schema.get("type") == type_:
        return schema
    found = (_of_type(kind, type_) for kind in schema["anyOf"] if _has_type(kind, type_))
    return next(found)


def _has_type(schema: JsonObject, type_: str) -> bool:
    return schema.get("type") == type_ or any(
        _has_type(kind, type_) for kind in schema.get("anyOf", ())
    )


def _has_many(schema: JsonObject) -> bool:
    many: bool = schema["maximum"] - schema["minimum"] >= MANY
    return many
