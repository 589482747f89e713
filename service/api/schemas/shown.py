"""Schemas of each ruleset's views and effects, as components that typed clients are made from."""

from collections import Counter
from typing import Any

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.schemas import TABLE, VIEW, effect_schemas
from service.api.schemas.examples import camel, example_of
from service.api.schemas.form import SCHEMAS, tag, union
from service.api.schemas.kinds import Kinds
from service.api.schemas.typed import union_by_type

_NULL: JsonObject = {"type": "null"}
_EFFECT = "Effect"
_MANY = 4
"""A field becomes a component if at least this many effects have it."""


def add_shown(schemas: JsonObject, registry: Registry) -> None:
    """Add a schema for each ruleset's view and for each type of its effects, and refer to them.

    In the schemas that have a state, the state refers to the union of all views. The property
    ``ruleset`` of a view says which member of this union the view is. The schema of an effect
    becomes the union of all effects. There the property ``type`` says which member an effect is.
    """
    rulesets = sorted(registry, key=lambda found: str(found.info.id))
    views = {found.info.id: _add_view(schemas, found) for found in rulesets}
    schemas["View"] = union("ruleset", views, "What a ruleset shows one viewer.")
    for name in ("GameState", "Preview"):
        described = schemas[name]["properties"]["state"]["description"]
        view = [{"$ref": f"{SCHEMAS}View"}, _NULL]
        schemas[name]["properties"]["state"] = {"anyOf": view, "description": described}
    moved = schemas["MoveAnswer"]
    moved["properties"]["state"] |= {"$ref": f"{SCHEMAS}View"}
    del moved["properties"]["state"]["type"]
    for shown in ("GameState", "MoveAnswer"):
        schemas[shown]["examples"][0]["state"] = _first_view(next(iter(registry)))
    line = schemas.pop(_EFFECT)
    told: dict[str, dict[str, str]] = {}
    for found in rulesets:
        for type_, name in _add_effects(schemas, found, line).items():
            told.setdefault(type_, {})[found.info.title["en"]] = name
    what = f"{line['description']} `type` tells which it is, and `ruleset` whose."
    schemas[_EFFECT] = union_by_type(schemas, told, _EFFECT, what)
    schemas[_EFFECT]["examples"] = [_last_effect(found, line) for found in rulesets]


def _add_view(schemas: JsonObject, ruleset: Ruleset[Any]) -> str:
    """Add a ruleset's view and each kind in it; return the view's name."""
    kinds = Kinds(ruleset)
    for name, kind in kinds.defined.items():
        example = example_of(_resolved(kind, kinds.defined))
        schemas[kinds.component(name)] = {
            "description": _what(name, kind, ruleset),
            **{key: kinds.referring(value) for key, value in kind.items()},
            "examples": [example],
        }
    view = schemas[kinds.component(VIEW)] = kinds.referring(kinds.view)
    view["description"] = f"What {ruleset.info.title['en']} shows one viewer."
    view["examples"] = [_first_view(ruleset)]
    view["properties"] = {"ruleset": tag(ruleset.info.id), **view["properties"]}
    view["required"] = ["ruleset", *view["required"]]
    return kinds.component(VIEW)


def _what(name: str, kind: JsonObject, ruleset: Ruleset[Any]) -> str:
    """Return a short description of a kind; the properties that refer to the kind say more."""
    title = ruleset.info.title["en"]
    if TABLE in kind:
        return f"An id of the table `{kind[TABLE]}` of {title}."
    return f"A `{name}` in views of {title}."


def _first_view(ruleset: Ruleset[Any]) -> JsonObject:
    """Return a spectator's view before the first draw."""
    seats = ruleset.info.min_seats
    state = ruleset.initial(seats, ruleset.parse_options(seats, {}))
    return {"ruleset": ruleset.info.id, **ruleset.view(state, None)}


def _resolved(part: Any, defined: JsonObject) -> Any:
    """Return a part of a view's schema with the definitions in place of references to them."""
    if isinstance(part, dict):
        if "$ref" in part:
            return _resolved(defined[part["$ref"].rpartition("/")[2]], defined)
        return {name: _resolved(value, defined) for name, value in part.items()}
    return [_resolved(item, defined) for item in part] if isinstance(part, list) else part


def _add_effects(schemas: JsonObject, ruleset: Ruleset[Any], line: JsonObject) -> dict[str, str]:
    """Add each effect of a ruleset and their common base; return their names by type."""
    prefix, title, kinds = camel(ruleset.info.id), ruleset.info.title["en"], Kinds(ruleset)
    base = f"{prefix}{_EFFECT}Line"
    own = {"type", "data"}
    example = {**line["examples"][0], "ruleset": ruleset.info.id}
    schemas[base] = {
        **line,
        "description": f"What every effect of {title} has.",
        "properties": {
            **{key: kind for key, kind in line["properties"].items() if key not in own},
            "ruleset": tag(ruleset.info.id),
        },
        "required": [key for key in line["required"] if key not in own],
        "examples": [{key: value for key, value in example.items() if key not in own}],
    }
    lines, told = {}, effect_schemas(ruleset, "en")
    fields = _share_fields(schemas, told, prefix)
    for type_, data in told.items():
        name = f"{prefix}{camel(type_)}{_EFFECT}"
        lines[type_] = name
        audience = data.pop("audience")
        data["properties"] = {
            key: fields.get(_said(kind)) or kinds.referring(kind)
            for key, kind in data["properties"].items()
        }
        typed = {
            "type": "object",
            "properties": {"type": tag(type_), "data": data},
            "required": ["type", "data"],
        }
        schemas[name] = {
            "allOf": [{"$ref": f"{SCHEMAS}{base}"}, typed],
            **({} if audience == "public" else {"description": f"Told to: {audience}."}),
        }
    return lines


def _last_effect(ruleset: Ruleset[Any], line: JsonObject) -> JsonObject:
    """Return an example of a log line, for the effect that the ruleset declares last."""
    *_, (type_, data) = effect_schemas(ruleset, "en").items()
    (example,) = line["examples"]
    return {**example, "ruleset": ruleset.info.id, "type": type_, "data": example_of(data)}


def _share_fields(
    schemas: JsonObject, told: dict[str, JsonObject], prefix: str
) -> dict[bytes, JsonObject]:
    """Add a component for each field that many effects share.

    Return a dict from the JSON of such a field to the reference that replaces the field.
    """
    fields = [(key, kind) for data in told.values() for key, kind in data["properties"].items()]
    times = Counter(_said(kind) for _, kind in fields)
    shared: dict[bytes, JsonObject] = {}
    for key, kind in fields:
        if times[_said(kind)] >= _MANY and _said(kind) not in shared:
            name = f"{prefix}Told{camel(key)}"
            if name in schemas:
                raise ValueError(f"two fields are called {name}")
            schemas[name] = {**kind, "examples": [example_of(kind)]}
            shared[_said(kind)] = {"$ref": f"{SCHEMAS}{name}"}
    return shared


def _said(kind: JsonObject) -> bytes:
    return orjson.dumps(kind, option=orjson.OPT_SORT_KEYS)
