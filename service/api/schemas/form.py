"""The form of schemas that any generator of clients takes: tags, unions, conditions."""

from typing import Any

from rules.kernel.canonical import JsonObject

SCHEMAS = "#/components/schemas/"
_VALUES = frozenset(("example", "examples", "default", "enum", "required", "mapping"))
"""Keywords whose values are no schemas."""
_TYPES = {bool: "boolean", int: "integer", str: "string"}


def tag(value: str) -> JsonObject:
    """Return the schema of a property that tells which member of a union a value is."""
    return {"type": "string", "enum": [value]}


def union(key: str, names: dict[str, str], description: str) -> JsonObject:
    """Return what is one of the components ``names``, as its property ``key`` tells."""
    refs = {value: f"{SCHEMAS}{name}" for value, name in names.items()}
    return {
        "description": description,
        "oneOf": [{"$ref": ref} for ref in dict.fromkeys(refs.values())],
        "discriminator": {"propertyName": key, "mapping": refs},
    }


def portable(part: Any) -> Any:
    """Return a schema that takes the same values in keywords that generators understand.

    One value is an ``enum`` with its type, for many know no ``const``; words are one ``enum``, in
    how many alternatives they stood. Alternatives beside properties are no types but say which go
    together: they stand below a condition that always holds, which generators leave alone.

    Raises:
        ValueError: An object has both alternatives and a condition.

    """
    if isinstance(part, list):
        return [portable(item) for item in part]
    if not isinstance(part, dict):
        return part
    told: JsonObject = {}
    for key, value in part.items():
        if key == "properties":
            told[key] = {name: portable(kind) for name, kind in value.items()}
        elif key == "const":
            told |= {"type": _TYPES[type(value)], "enum": [value]}
        elif key == "anyOf" and "properties" in part:
            if "if" in part:
                raise ValueError(f"a condition beside alternatives: {part['if']}")
            told |= {"if": {}, "then": {key: [_named(portable(one)) for one in value]}}
        elif key == "anyOf" and all(one.keys() == {"type", "enum"} for one in value):
            told |= {"type": "string", "enum": [word for one in value for word in one["enum"]]}
        else:
            told[key] = value if key in _VALUES else portable(value)
    return told


def _named(alternative: JsonObject) -> JsonObject:
    """Return an alternative that names what it requires: the rest of it says what that is."""
    names: JsonObject = {name: {} for name in alternative.get("required", ())}
    return {**alternative, "properties": {**names, **alternative.get("properties", {})}}
