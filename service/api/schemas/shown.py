"""Schemas of what each ruleset shows, as components that typed clients are made from."""

from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.schemas import TABLE, VIEW, view_schema
from service.api.schemas.moves import camel, example_of

_SCHEMAS = "#/components/schemas/"
_NULL: JsonObject = {"type": "null"}


def add_shown(schemas: JsonObject, registry: Registry) -> None:
    """Add what each ruleset shows a viewer; use it for states. ``ruleset`` tells which it is."""
    rulesets = sorted(registry, key=lambda found: str(found.info.id))
    views = {found.info.id: _add_view(schemas, found) for found in rulesets}
    schemas["View"] = {
        **_one_of("ruleset", views, "What a ruleset shows one viewer."),
        "examples": schemas[views[rulesets[0].info.id]]["examples"],
    }
    for name in ("State", "Preview"):
        described = schemas[name]["properties"]["state"]["description"]
        view = [{"$ref": f"{_SCHEMAS}View"}, _NULL]
        schemas[name]["properties"]["state"] = {"anyOf": view, "description": described}
    schemas["State"]["examples"][0]["state"] = schemas["View"]["examples"][0]


def _add_view(schemas: JsonObject, ruleset: Ruleset[Any]) -> str:
    """Add a ruleset's view and each definition in it; return the view's name."""
    prefix = camel(ruleset.info.id)
    schema = view_schema(ruleset, "en")
    known = {name: f"{prefix}{camel(name)}" for name in (VIEW, *schema["$defs"])}
    defined = schema.pop("$defs")
    for name, kind in defined.items():
        example = example_of(_resolved(kind, defined))
        schemas[known[name]] = {
            "description": _what(name, kind, ruleset),
            **_with_refs(kind, known),
            "examples": [example],
        }
    view = schemas[known[VIEW]] = _with_refs(schema, known)
    view["description"] = f"What {ruleset.info.title['en']} shows one viewer."
    view["examples"] = [_first_view(ruleset)]
    view["properties"] = {"ruleset": _const(ruleset.info.id), **view["properties"]}
    view["required"] = ["ruleset", *view["required"]]
    return known[VIEW]


def _what(name: str, kind: JsonObject, ruleset: Ruleset[Any]) -> str:
    """Say what a definition is: properties that refer to it say more."""
    title = ruleset.info.title["en"]
    if TABLE in kind:
        return f"An id of the table `{kind[TABLE]}` of {title}."
    return f"A `{name}` in views of {title}."


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


def _resolved(part: Any, defined: JsonObject) -> Any:
    """Return a part of a view's schema with the definitions in the place of their names."""
    if isinstance(part, dict):
        if "$ref" in part:
            return _resolved(defined[part["$ref"].rpartition("/")[2]], defined)
        return {name: _resolved(value, defined) for name, value in part.items()}
    return [_resolved(item, defined) for item in part] if isinstance(part, list) else part


def _one_of(key: str, names: dict[str, str], description: str) -> JsonObject:
    refs = {value: f"{_SCHEMAS}{name}" for value, name in names.items()}
    return {
        "description": description,
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": key, "mapping": refs},
    }


def _const(value: str) -> JsonObject:
    return {"type": "string", "const": value}
