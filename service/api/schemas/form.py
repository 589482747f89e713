"""Schemas in a form that every generator of clients understands: tags, unions, conditions."""

from collections.abc import Iterator
from typing import Any, cast

from rules.kernel.canonical import JsonObject

SCHEMAS = "#/components/schemas/"
_VALUES = frozenset(("example", "examples", "default", "enum", "required", "mapping"))
"""Keywords of JSON Schema whose values are not schemas."""
_TYPES = {bool: "boolean", int: "integer", str: "string"}


def tag(value: str) -> JsonObject:
    """Return the schema of a property that always has this value, and so discriminates a union."""
    return {"type": "string", "enum": [value]}


def union(key: str, names: dict[str, str], description: str) -> JsonObject:
    """Return the union of the components ``names``, discriminated by their property ``key``."""
    refs = {value: f"{SCHEMAS}{name}" for value, name in names.items()}
    return {
        "description": description,
        "oneOf": [{"$ref": ref} for ref in dict.fromkeys(refs.values())],
        "discriminator": {"propertyName": key, "mapping": refs},
    }


def portable(schemas: JsonObject) -> JsonObject:
    """Return equivalent components in keywords that generators understand."""
    told: JsonObject = plain(schemas)
    for settle in (_join_words, _name_keys, _spell_out, _leave_open, _admit_null):
        for schema in [*_below(told)]:
            settle(schema, told)
    return told


def plain(part: Any) -> Any:
    """Return a schema that accepts the same values, in a form that generators understand.

    There are three changes.

    - A ``const`` becomes an ``enum`` of one value, because many generators do not know ``const``.
    - A union of ``enum``s becomes one ``enum`` with all their values.
    - An ``anyOf`` beside ``properties`` moves into a condition that is always true:
      ``"if": {}, "then": {"anyOf": [...]}``. Such an ``anyOf`` says which properties go together,
      but generators would take it for a union of types. Generators ignore conditions, and
      validators apply them.

    Raises:
        ValueError: an object has both ``anyOf`` and ``if``.
    """
    if isinstance(part, list):
        return [plain(item) for item in part]
    if not isinstance(part, dict):
        return part
    told: JsonObject = {}
    for key, value in part.items():
        if key == "properties":
            told[key] = {name: plain(kind) for name, kind in value.items()}
        elif key == "required" and not value:
            continue  # JSON Schema before 2019-09 forbids an empty list here
        elif key == "const":
            told |= {"type": _TYPES[type(value)], "enum": [value]}
        elif key == "anyOf" and "properties" in part:
            if "if" in part:
                raise ValueError(f"a condition beside alternatives: {part['if']}")
            told |= {"if": {}, "then": {key: [_named(plain(one)) for one in value]}}
        elif key == "anyOf" and all(one.keys() == {"type", "enum"} for one in value):
            told |= {"type": "string", "enum": [word for one in value for word in one["enum"]]}
        else:
            told[key] = value if key in _VALUES else plain(value)
    return told


def _join_words(schema: JsonObject, components: JsonObject) -> None:
    """Replace a union of several lists of words (``enum``) by one list."""
    told = [resolved(one, components) for one in schema.get("anyOf", ())]
    if told and all("enum" in one and one["type"] == "string" for one in told):
        del schema["anyOf"]
        schema |= {"type": "string", "enum": [word for one in told for word in one["enum"]]}


def _name_keys(schema: JsonObject, components: JsonObject) -> None:
    """Turn the schema of a map into one with a property for each key, if all keys are known.

    Only maps of objects are changed. A map may be a member of a union, and another member of this
    union may have a list in the same property. The code of some generators tries the members in
    turn, and reads a list as if it were a map. Then it fails with an error instead of trying the
    next member. With properties in place of the map, it does not fail.
    """
    keys = resolved(schema.get("propertyNames", {}), components).get("enum")
    values = schema.get("additionalProperties", False)
    if keys and values and "properties" in resolved(values, components):
        del schema["propertyNames"]
        all_there = schema.pop("minProperties", 0) == len(keys)
        schema["properties"] = dict.fromkeys(keys, values)
        schema |= {"required": [*keys]} if all_there else {}
        schema["additionalProperties"] = False


def _spell_out(schema: JsonObject, components: JsonObject) -> None:
    """In the schema of a list of lists of words, give the words the type string.

    The ``enum`` of the words moves into a condition that is always true:
    ``{"type": "string", "if": {}, "then": {"enum": [...]}}``. Generators make a type for each
    ``enum``, and their code cannot read a list of lists of such a type. Generators ignore
    conditions, and validators apply them.
    """
    inner = resolved(schema.get("items", {}), components)
    word = inner.get("items", {})
    if "enum" in resolved(word, components):
        inner["items"] = {"type": "string", "if": {}, "then": word}


def _leave_open(schema: JsonObject, components: JsonObject) -> None:
    """Declare no type for a value that may be a list or a word; restrict it by a condition.

    Generators name a class after each alternative of a union, but a list has no name. They ignore
    the condition: an ``if`` that is always true, with the union in its ``then``.
    """
    kinds = [resolved(one, components).get("type") for one in schema.get("anyOf", ())]
    if "array" in kinds and {*kinds} - {"array", "null"}:
        schema |= {"if": {}, "then": {"anyOf": schema.pop("anyOf")}}


def _admit_null(schema: JsonObject, components: JsonObject) -> None:
    """Where null or a reference to a union is allowed, put the union in place of the reference.

    Generators make a type for each component that is a union. This type does not allow null.
    """
    match schema.get("anyOf"):
        case [{"$ref": _} as one, {"type": "null"} as null]:
            told = resolved(one, components)
            if "oneOf" in told:
                schema["anyOf"] = [{key: told[key] for key in ("oneOf", "discriminator")}, null]
            elif "anyOf" in told:
                schema["anyOf"] = [*told["anyOf"], null]


def resolved(schema: JsonObject, components: JsonObject) -> JsonObject:
    """Return a schema, or the component that it refers to."""
    name = schema.get("$ref", "").removeprefix(SCHEMAS)
    return cast(JsonObject, components[name]) if name else schema


def _below(part: Any) -> Iterator[JsonObject]:
    """Yield all objects within a schema."""
    if isinstance(part, dict):
        yield part
        for key, value in part.items():
            if key == "properties":
                yield from _below([*value.values()])
            elif key not in _VALUES:
                yield from _below(value)
    elif isinstance(part, list):
        for item in part:
            yield from _below(item)


def _named(alternative: JsonObject) -> JsonObject:
    """Return a member of an ``anyOf`` that declares each required name in its ``properties``."""
    if "$ref" in alternative:
        return alternative
    names: JsonObject = {name: {} for name in alternative.get("required", ())}
    return {**alternative, "properties": {**names, **alternative.get("properties", {})}}
