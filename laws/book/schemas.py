"""Laws of the schemas of views and effects: complete, closed, explained, and always valid."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs
import orjson

from laws.book.words import effects_of
from laws.games import Subject, reduced
from laws.law import Breach, Scope, law
from laws.standard import misfits
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.schemas import (
    TABLE,
    effect_schemas,
    objects,
    sentence_keys,
    view_schema,
)

SHOWN = "6. What each viewer knows"
CLOSED_BY = {"enum", "const", "pattern", "$ref"}
"""Keywords of a schema that restrict the keys of a map to certain ids or to a pattern."""


@law(
    Scope.RULESET,
    SHOWN,
    "labels.json needs shown.* for each property of the view, and told.* for each field of"
    " an effect",
)
def shown_fields_have_sentences(subject: Subject) -> None:
    """View and effects have JSON Schemas with a sentence for each field, and no unused sentence."""
    ruleset = subject.ruleset
    for language in LANGUAGES:
        for schema in (view_schema(ruleset, language), *effect_schemas(ruleset, language).values()):
            jsonschema_rs.meta.validate(schema)
    described = set()
    for name, known in objects(view_schema(ruleset, "en")):
        described |= {*sentence_keys(ruleset, "shown", name, known["properties"])}
    for effect in ruleset.effects:
        described |= {*sentence_keys(ruleset, "told", effect.type, effect.fields)}
    words = ruleset.labels.tables["en"]
    if left := sorted({k for k in words if k.startswith(("shown.", "told."))} - described):
        raise Breach(f"{left} describe nothing")


@law(
    Scope.RULESET,
    SHOWN,
    "correct aids/labels.json and aids/view.json by docs/api/table.md",
)
def words_and_views_fit_their_schemas(subject: Subject) -> None:
    """The labels and the view's schema fit the schemas that docs/api/table.md gives for them."""
    ruleset = subject.ruleset
    told = misfits("labels", ruleset.labels.tables)
    for language in LANGUAGES:
        told += misfits("view", view_schema(ruleset, language))
    if told:
        raise Breach("; ".join(told))


@law(
    Scope.RULESET,
    SHOWN,
    "an object of view.json names its properties and forbids others, a list has maxItems,"
    " and an x-table the ids of a table",
)
def schemas_are_closed(subject: Subject) -> None:
    """Schemas name all members, allow no others, and bound all lists."""
    ruleset = subject.ruleset
    view = view_schema(ruleset, "en")
    for schema in (view, *effect_schemas(ruleset, "en").values()):
        for where, kind in kinds(schema):
            if "object" in kind["type"]:
                names, values = kind.get("propertyNames", {}), kind.get("additionalProperties")
                is_map = bool(names.keys() & CLOSED_BY) and isinstance(values, dict)
                if not is_map and ("properties" not in kind or values is not False):
                    raise Breach(f"{where or 'the view'} is an object of unknown members")
    for where, kind in kinds(view):
        if kind["type"] == "array" and "maxItems" not in kind:
            name = kind["items"].get("$ref", "").removeprefix("#/$defs/")
            if not kind.get("uniqueItems") or not view["$defs"].get(name, {}).get("enum"):
                raise Breach(f"{where} is a list without an end")
    for name, kind in view["$defs"].items():
        if TABLE in kind and not 0 < len({*kind["enum"]}) == len(kind["enum"]):
            raise Breach(f"the ids of {name} are missing, or come twice")


@law(
    Scope.RULESET,
    SHOWN,
    "correct view.json, or the view; remove properties that never occur",
)
def views_and_effects_fit_their_schemas(subject: Subject) -> None:
    """Every view and effect fits its schema, and every field of a schema occurs in some game."""
    ruleset = subject.ruleset
    properties, fields = met(subject)
    schema = view_schema(ruleset, "en")
    wanted = {f"{name}.{key}" for name, known in objects(schema) for key in known["properties"]}
    if never := sorted(wanted - properties):
        raise Breach(f"in no view that was looked at there is a value of {never}")
    declared = {f"{effect.type}.{name}" for effect in ruleset.effects for name in effect.fields}
    missing = declared - fields
    for effects in effects_of(subject.unlike_games()) if missing else ():
        for effect in effects:
            missing -= {
                f"{effect.type}.{n}" for n, value in effect.data.items() if value is not None
            }
        if not missing:
            return
    if missing:
        raise Breach(f"no effect that was looked at has a value of {sorted(missing)}")


def kinds(schema: Any, where: str = "") -> Iterator[tuple[str, JsonObject]]:
    """Yield each schema within ``schema``, with its path."""
    if isinstance(schema, dict):
        if "type" in schema and not isinstance(schema["type"], dict):
            yield where, schema
        for name, part in schema.items():
            yield from kinds(part, f"{where}/{name}")
    elif isinstance(schema, list):
        for number, part in enumerate(schema):
            yield from kinds(part, f"{where}/{number}")


@cache
def met(subject: Subject) -> tuple[frozenset[str], frozenset[str]]:
    """Check the effects and views against their schemas, at each position of every game.

    Each position is checked for one viewer; the viewers take turns. Return the properties of views
    and the fields of effects that were not null at least once.
    """
    ruleset = subject.ruleset
    schema = view_schema(ruleset, "en")
    shown, told = jsonschema_rs.validator_for(schema), _validators(ruleset)
    known = {name: {*described["properties"]} for name, described in objects(schema)}
    properties: set[str] = set()
    fields: set[str] = set()
    for number, spot in enumerate(subject.positions()):
        viewers = spot.table.viewers
        viewer = viewers[number % len(viewers)]
        view = orjson.loads(orjson.dumps(ruleset.view(spot.state, viewer)))
        if not shown.is_valid(view):
            wrong = [f"{e.instance_path} {e.message}" for e in shown.iter_errors(view)]
            raise Breach(f"{spot.where}, seen by {viewer}: {wrong}")
        _note(view, known, properties)
        if spot.next is not None:
            for effect in reduced(ruleset, spot.state, spot.next)[1]:
                data = orjson.loads(orjson.dumps(effect.data))
                if not told[effect.type].is_valid(data):
                    errors = told[effect.type].iter_errors(data)
                    wrong = [f"{e.instance_path} {e.message}" for e in errors]
                    raise Breach(f"{spot.where}, {effect.type}: {wrong}")
                fields |= {f"{effect.type}.{name}" for name in data if data[name] is not None}
    return frozenset(properties), frozenset(fields)


def _validators(ruleset: Ruleset[Any]) -> dict[str, Any]:
    schemas = effect_schemas(ruleset, "en").items()
    return {type_: jsonschema_rs.validator_for(schema) for type_, schema in schemas}


def _note(value: Any, known: dict[str, set[str]], found: set[str]) -> None:
    """Add to ``found`` the properties in a view that are not null, as ``object.property``.

    ``known`` has the properties of each kind of object; an object's kind follows from its
    properties.
    """
    if isinstance(value, dict):
        for name, properties in known.items():
            if value.keys() <= properties:
                found |= {f"{name}.{key}" for key in value if value[key] is not None}
        for part in value.values():
            _note(part, known, found)
    elif isinstance(value, list):
        for part in value:
            _note(part, known, found)
