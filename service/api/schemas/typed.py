"""Unions of the moves, or of the effects, of all rulesets; only ``type`` tells members apart."""

from typing import Any

from rules.kernel.canonical import JsonObject
from service.api.schemas.examples import camel
from service.api.schemas.form import SCHEMAS, resolved, union


def union_by_type(
    schemas: JsonObject, known: dict[str, dict[str, str]], suffix: str, description: str
) -> JsonObject:
    """Return the union of the components in ``known``.

    For each type, ``known`` has a dict from the ruleset's title to the component's name. If several
    rulesets have the same type, their components are merged into one. Its name is ``Any``, the type
    and the ``suffix``. So the union is flat, because many generators fail on unions of unions.
    """
    members = {}
    for type_, components in known.items():
        (members[type_], *others) = components.values()
        if others:
            members[type_] = f"Any{camel(type_)}{suffix}"
            schemas[members[type_]] = _any(schemas, type_, components)
    return union("type", members, description)


def _any(schemas: JsonObject, type_: str, components: dict[str, str]) -> JsonObject:
    """Return a component with the fields of all ``components``; a value must fit one or more."""
    told = {
        title: _whole({"$ref": f"{SCHEMAS}{name}"}, schemas) for title, name in components.items()
    }
    names = [*components.values()]
    first = schemas[names[0]]
    examples = first.get("examples")
    return {
        **_object(told, schemas),
        "description": f"`{type_}` of {', '.join(components)}.",
        "anyOf": [{"$ref": f"{SCHEMAS}{name}"} for name in names],
        **({"examples": examples} if examples else {}),
    }


def _object(kinds: dict[str, JsonObject], schemas: JsonObject) -> JsonObject:
    """Return the object schema with the properties of all ``kinds``.

    ``kinds`` is a dict from the ruleset's title to its object schema.
    """
    names = dict.fromkeys(name for kind in kinds.values() for name in kind["properties"])
    having = {
        name: {
            title: kind["properties"][name]
            for title, kind in kinds.items()
            if name in kind["properties"]
        }
        for name in names
    }
    return {
        "type": "object",
        "properties": {
            name: _value(found, schemas, of_all=len(found) == len(kinds))
            for name, found in having.items()
        },
        "required": [
            name for name in names if all(name in kind["required"] for kind in kinds.values())
        ],
        "additionalProperties": any(kind["additionalProperties"] for kind in kinds.values()),
    }


def _value(kinds: dict[str, JsonObject], schemas: JsonObject, *, of_all: bool) -> JsonObject:
    """Return one schema for a property, made of the property's schemas in several rulesets.

    The new schema accepts everything that one of these schemas accepts. ``kinds`` is a dict from
    the ruleset's title to the property's schema in this ruleset. ``of_all`` is true if the property
    exists in every ruleset. If it does not, or if the descriptions of ``kinds`` differ, the new
    description quotes each of them after its ruleset's title.
    """
    first, *others = kinds.values()
    if of_all and all(kind == first for kind in others):
        return first
    said = {title: resolved(kind, schemas).get("description") for title, kind in kinds.items()}
    words = {what for what in said.values() if what}
    if len(words) > 1 or not of_all:
        words = {" ".join(f"{title}: {what}" for title, what in said.items() if what)}
    about = {"description": words.pop()} if words else {}
    whole = {title: _whole(kind, schemas) for title, kind in kinds.items()}
    types = {kind.get("type") for kind in whole.values()}
    if not others:
        return {**first, **about}
    if types == {"object"} and all("properties" in kind for kind in whole.values()):
        return {**_object(whole, schemas), **about}
    if types == {"string"} and all("enum" in kind for kind in whole.values()):
        known = dict.fromkeys(word for kind in whole.values() for word in kind["enum"])
        return {"type": "string", "enum": [*known], **about}
    if len(types) == 1 and types <= {"string", "integer"}:
        return {"type": types.pop(), **about}
    return about


def _whole(kind: JsonObject, schemas: JsonObject) -> JsonObject:
    """Return a schema without a reference, and with all parts of ``allOf`` merged."""
    kind = resolved(kind, schemas)
    parts = [_whole(part, schemas) for part in kind.get("allOf", ())]
    if not parts:
        return kind
    told: dict[str, Any] = {"type": "object", "properties": {}, "required": []}
    for part in parts:
        told["properties"] |= part["properties"]
        told["required"] += part["required"]
        told["additionalProperties"] = told.get(
            "additionalProperties", part.get("additionalProperties", True)
        )
    return told
