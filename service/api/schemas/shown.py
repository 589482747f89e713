"""Schemas of each ruleset's view and effects, as components that typed clients are made from."""

from typing import Any

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.schemas import TABLE, VIEW, effect_schemas, view_schema
from service.api.schemas.moves import camel

_SCHEMAS = "#/components/schemas/"
_NULL: JsonObject = {"type": "null"}
_LINE = "EffectLine"
"""What all effects have."""


def add_shown(schemas: JsonObject, registry: Registry) -> None:
    """Add what each ruleset shows and tells; use it for states and for lines of the log.

    ``ruleset`` tells which game's it is, ``type`` which effect.
    """
    rulesets = sorted(registry, key=lambda found: str(found.info.id))
    views = {found.info.id: _add_view(schemas, found) for found in rulesets}
    schemas["View"] = _one_of("ruleset", views, "What a ruleset shows one viewer.")
    schemas["State"]["properties"]["state"] = {
        "anyOf": [{"$ref": f"{_SCHEMAS}View"}, _NULL],
        "description": schemas["State"]["properties"]["state"]["description"],
    }
    schemas["State"]["examples"][0]["state"] = _first_view(rulesets[0])
    schemas[_LINE] = line = schemas.pop("Effect")
    told = {found.info.id: _add_effects(schemas, found) for found in rulesets}
    schemas["Effect"] = _one_of("ruleset", told, line["description"])


def _add_view(schemas: JsonObject, ruleset: Ruleset[Any]) -> str:
    """Add a ruleset's view and each definition in it; return the view's name."""
    prefix = camel(ruleset.info.id)
    schema = view_schema(ruleset, "en")
    known = {name: f"{prefix}{camel(name)}" for name in (VIEW, *schema["$defs"])}
    for name, kind in {**schema.pop("$defs"), VIEW: schema}.items():
        schemas[known[name]] = _with_refs(kind, known)
    view = schemas[known[VIEW]]
    view["properties"] = {"ruleset": _const(ruleset.info.id), **view["properties"]}
    view["required"] = ["ruleset", *view["required"]]
    return known[VIEW]


def _first_view(ruleset: Ruleset[Any]) -> JsonObject:
    """Return what a spectator sees before the first draw."""
    seats = ruleset.info.min_seats
    state = ruleset.initial(seats, ruleset.parse_options(seats, {}))
    return {"ruleset": ruleset.info.id, **ruleset.view(state, None)}


def _with_refs(part: Any, known: dict[str, str]) -> Any:
    """Return a part of a view's schema in which definitions are components."""
    if isinstance(part, dict):
        return {
            name: f"{_SCHEMAS}{known[value.rpartition('/')[2]]}"
            if name == "$ref"
            else _with_refs(value, known)
            for name, value in part.items()
        }
    return [_with_refs(item, known) for item in part] if isinstance(part, list) else part


def _add_effects(schemas: JsonObject, ruleset: Ruleset[Any]) -> str:
    """Add a line of the log for each type of effect; return the name of their union."""
    prefix, lines = camel(ruleset.info.id), {}
    known = {
        _without_words(kind): f"{prefix}{camel(name)}"
        for name, kind in view_schema(ruleset, "en")["$defs"].items()
    }
    for type_, data in effect_schemas(ruleset, "en").items():
        lines[type_] = name = f"{prefix}{camel(type_)}Effect"
        audience = data.pop("audience")
        fields = {key: _shared(kind, known) for key, kind in data["properties"].items()}
        properties = {
            "ruleset": _const(ruleset.info.id),
            "type": _const(type_),
            "data": {
                "type": "object",
                "properties": fields,
                "required": data["required"],
                "additionalProperties": False,
            },
        }
        schemas[name] = {
            "description": f"Told to: {audience}.",
            "allOf": [{"$ref": f"{_SCHEMAS}{_LINE}"}],
            "type": "object",
            "properties": properties,
            "required": [*properties],
        }
    union = f"{prefix}Effect"
    schemas[union] = _one_of("type", lines, f"What an event of {ruleset.info.title['en']} did.")
    return union


def _shared(kind: JsonObject, known: dict[bytes, str]) -> JsonObject:
    """Return a field's schema by reference, if the view defines it too."""
    if name := known.get(_without_words(kind)):
        return {"$ref": f"{_SCHEMAS}{name}", "description": kind["description"]}
    return kind


def _without_words(kind: JsonObject) -> bytes:
    said = ("description", TABLE)
    plain = {key: value for key, value in kind.items() if key not in said}
    return orjson.dumps(plain, option=orjson.OPT_SORT_KEYS)


def _one_of(key: str, names: dict[str, str], description: str) -> JsonObject:
    refs = {value: f"{_SCHEMAS}{name}" for value, name in names.items()}
    return {
        "description": description,
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": key, "mapping": refs},
    }


def _const(value: str) -> JsonObject:
    return {"type": "string", "const": value}
