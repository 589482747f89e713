"""A JSON Schema as rows: name, type, limits and meaning of each field."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from rules.kernel.canonical import JsonObject

_SCHEMAS = "#/components/schemas/"
_MOST = 2**53 - 1
"""The largest integer that every JSON parser reads exactly; as a maximum it is not shown."""


class TypeWord(NamedTuple):
    """A part of a type's text; ``schema`` is the named schema that it refers to, or ''."""

    text: str
    schema: str = ""


class FieldRow(NamedTuple):
    """A field of an object.

    ``name`` is the field's dotted path (``errors[].value``), and ``values`` are the values that the
    field may have.
    """

    name: str
    words: tuple[TypeWord, ...]
    is_required: bool
    limits: tuple[str, ...]
    values: tuple[str, ...]
    description: str


def schema_name(reference: JsonObject) -> str:
    """Return the name of the schema to which ``{"$ref": …}`` refers."""
    return str(reference["$ref"]).removeprefix(_SCHEMAS)


def referred(part: Any) -> set[str]:
    """Return the names of the schemas to which a part of a document refers."""
    if isinstance(part, list):
        return {name for each in part for name in referred(each)}
    if not isinstance(part, dict):
        return set()
    own = {schema_name(part)} if str(part.get("$ref", "")).startswith(_SCHEMAS) else set()
    return own | {name for each in part.values() for name in referred(each)}


def fields_of(schema: JsonObject, schemas: JsonObject) -> tuple[FieldRow, ...]:
    """Return the fields of an object; the fields of an inline object follow its own row."""
    return tuple(_rows(schema, schemas, ""))


def _rows(schema: JsonObject, schemas: JsonObject, before: str) -> Iterator[FieldRow]:
    properties, required = _members(schema, schemas)
    for name, own in properties.items():
        path = f"{before}{name}"
        yield FieldRow(
            path,
            type_words(own),
            name in required,
            tuple(_limits(own)),
            values_of(own),
            own.get("description", ""),
        )
        if "properties" in own:
            yield from _rows(own, schemas, f"{path}.")
        elif "properties" in own.get("items", {}):
            yield from _rows(own["items"], schemas, f"{path}[].")


def _members(schema: JsonObject, schemas: JsonObject) -> tuple[JsonObject, set[str]]:
    """Return an object's properties, inherited ones included, and the names of required ones."""
    properties, required = dict(schema.get("properties", {})), {*schema.get("required", ())}
    for part in schema.get("allOf", ()):
        whole = schemas[schema_name(part)] if "$ref" in part else part
        more, needed = _members(whole, schemas)
        properties |= more
        required |= needed
    return properties, required


def type_words(schema: JsonObject) -> tuple[TypeWord, ...]:
    """Return the type of a value in words: ``array of Seat or null``."""
    return tuple(_type(schema))


def _type(schema: JsonObject) -> Iterator[TypeWord]:
    union = schema.get("oneOf") or schema.get("anyOf")
    kind = schema.get("type", "then" in schema and schema["then"].get("type"))
    if "$ref" in schema:
        yield TypeWord(schema_name(schema), schema_name(schema))
    elif union:
        yield from _joined(union)
    elif "allOf" in schema:
        yield from _type(schema["allOf"][0])
    elif kind == "array" or "items" in schema:
        yield TypeWord("array of ")
        yield from _type(schema.get("items", {}))
        if isinstance(kind, list):
            yield TypeWord(" or null")
    elif isinstance(schema.get("additionalProperties"), dict) and schema["additionalProperties"]:
        yield TypeWord("object of ")
        yield from _type(schema["additionalProperties"])
        if "propertyNames" in schema:
            yield TypeWord(" by ")
            yield from _type(schema["propertyNames"])
    elif "then" in schema:
        yield from _type(schema["then"])
    else:
        kinds = [kind] if isinstance(kind, str) else kind or ["any value"]
        yield TypeWord(" or ".join(kinds))


def _joined(union: Iterable[JsonObject]) -> Iterator[TypeWord]:
    for at, each in enumerate(union):
        if at:
            yield TypeWord(" or ")
        if "enum" in each:
            yield TypeWord(" or ".join(json.dumps(value) for value in each["enum"]))
        else:
            yield from _type(each)


def values_of(schema: JsonObject) -> tuple[str, ...]:
    """Return the allowed values of a field, or of a list's entries; empty if all are allowed."""
    one = schema.get("items", {}) if schema.get("type") == "array" else schema
    values = one.get("enum", ())
    return tuple(value if isinstance(value, str) else json.dumps(value) for value in values)


def _limits(schema: JsonObject) -> Iterator[str]:
    """Yield the limits of a value, in words."""
    for least, most, unit in (
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " entries"),
        ("minProperties", "maxProperties", " fields"),
    ):
        low, high = schema.get(least), schema.get(most)
        if high == _MOST:
            high = None
        if low is not None and high is not None:
            yield f"{low:,} to {high:,}{unit}" if low != high else f"{low:,}{unit}"
        elif low:
            yield f"at least {low:,}{unit}"
        elif high is not None:
            yield f"at most {high:,}{unit}"
    if schema.get("uniqueItems"):
        yield "no entry twice"
    if "format" in schema:
        yield f"format {schema['format']}"
    elif "pattern" in schema:
        yield f"matches `{schema['pattern']}`"
    if "default" in schema:
        yield f"default `{json.dumps(schema['default'])}`"
    if schema.get("deprecated"):
        yield "deprecated"
