"""Schemas of what a ruleset shows and tells: complete, closed, in words, and true of every game."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs
import orjson
import pytest
from jsonschema import Draft202012Validator

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
from tests.contract.tables import reduced
from tests.contract.test_labels import all_positions

CLOSED_BY = {"enum", "const", "pattern", "$ref"}
"""How the keys of a map are said: by their ids, or by what they look like."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_they_are_schemas_with_a_sentence_for_each_field(
    ruleset: Ruleset[Any], language: str
) -> None:
    for schema in (view_schema(ruleset, language), *effect_schemas(ruleset, language).values()):
        Draft202012Validator.check_schema(schema)


def test_every_sentence_describes_something(ruleset: Ruleset[Any]) -> None:
    described = set()
    for name, known in objects(view_schema(ruleset, "en")):
        described |= {*sentence_keys(ruleset, "shown", name, known["properties"])}
    for effect in ruleset.effects:
        described |= {*sentence_keys(ruleset, "told", effect.type, effect.fields)}
    words = ruleset.labels.tables["en"]
    assert {key for key in words if key.startswith(("shown.", "told."))} == described


def kinds(schema: Any, where: str = "") -> Iterator[tuple[str, JsonObject]]:
    """Yield all schemas within a schema, each with its place."""
    if isinstance(schema, dict):
        if "type" in schema and not isinstance(schema["type"], dict):
            yield where, schema
        for name, part in schema.items():
            yield from kinds(part, f"{where}/{name}")
    elif isinstance(schema, list):
        for number, part in enumerate(schema):
            yield from kinds(part, f"{where}/{number}")


def test_no_object_is_bare(ruleset: Ruleset[Any]) -> None:
    """It names its properties and forbids others, or is a map from known keys to known values."""
    for schema in (view_schema(ruleset, "en"), *effect_schemas(ruleset, "en").values()):
        for where, kind in kinds(schema):
            if "object" in kind["type"]:
                names, values = kind.get("propertyNames", {}), kind.get("additionalProperties")
                is_map = bool(names.keys() & CLOSED_BY) and isinstance(values, dict)
                assert is_map or ("properties" in kind and values is False), where


def test_every_list_has_an_end(ruleset: Ruleset[Any]) -> None:
    """Who makes room for what is shown, as learners do, knows how much there can be."""
    schema = view_schema(ruleset, "en")
    for where, kind in kinds(schema):
        if kind["type"] == "array" and "maxItems" not in kind:
            name = kind["items"]["$ref"].removeprefix("#/$defs/")
            assert kind["uniqueItems"], where
            assert schema["$defs"][name]["enum"], where


def test_ids_name_their_table(ruleset: Ruleset[Any]) -> None:
    schema = view_schema(ruleset, "en")
    for name, kind in schema["$defs"].items():
        if TABLE in kind:
            assert kind["enum"], name
            assert len({*kind["enum"]}) == len(kind["enum"]), name


@cache
def met(ruleset: Ruleset[Any]) -> tuple[frozenset[str], frozenset[str]]:
    """Hold all effects and views against their schemas, at each position of every game.

    The viewers look in turn. Return what occurred: the properties that were not null, and the
    fields of effects.
    """
    schema = view_schema(ruleset, "en")
    shown, told = jsonschema_rs.validator_for(schema), _validators(ruleset)
    known = {name: {*described["properties"]} for name, described in objects(schema)}
    properties: set[str] = set()
    fields: set[str] = set()
    for number, (spot, event) in enumerate(all_positions(ruleset)):
        viewers = spot.table.viewers
        viewer = viewers[number % len(viewers)]
        view = orjson.loads(orjson.dumps(ruleset.view(spot.state, viewer)))
        wrong = [f"{e.instance_path} {e.message}" for e in shown.iter_errors(view)]
        assert not wrong, f"{spot.where}, seen by {viewer}: {wrong}"
        _note(view, known, properties)
        if event is not None:
            for effect in reduced(ruleset, spot.state, event)[1]:
                data = orjson.loads(orjson.dumps(effect.data))
                wrong = [
                    f"{e.instance_path} {e.message}" for e in told[effect.type].iter_errors(data)
                ]
                assert not wrong, f"{spot.where}, {effect.type}: {wrong}"
                fields |= {f"{effect.type}.{name}" for name in data if data[name] is not None}
    return frozenset(properties), frozenset(fields)


def _validators(ruleset: Ruleset[Any]) -> dict[str, Any]:
    schemas = effect_schemas(ruleset, "en").items()
    return {type_: jsonschema_rs.validator_for(schema) for type_, schema in schemas}


def _note(value: Any, known: dict[str, set[str]], found: set[str]) -> None:
    """Note the properties of every object within a view, by the object whose properties it has."""
    if isinstance(value, dict):
        for name, properties in known.items():
            if value.keys() <= properties:
                found |= {f"{name}.{key}" for key in value if value[key] is not None}
        for part in value.values():
            _note(part, known, found)
    elif isinstance(value, list):
        for part in value:
            _note(part, known, found)


def test_every_view_and_effect_fits_and_every_field_occurs(ruleset: Ruleset[Any]) -> None:
    properties, fields = met(ruleset)
    schema = view_schema(ruleset, "en")
    wanted = {f"{name}.{key}" for name, known in objects(schema) for key in known["properties"]}
    assert not wanted - properties
    declared = {f"{effect.type}.{name}" for effect in ruleset.effects for name in effect.fields}
    assert not declared - fields
