"""JSON Schemas (2020-12) of a ruleset's views and effects, with sentences in one language.

A game describes its view in ``aids/view.json``. This schema defines every object, the view at the
root and all others in ``$defs``, and forbids members that it does not name. A definition with only
an ``x-table`` stands for the ids in this table of the edition; if the edition lacks the table, for
those in the published edition. ``solo.cards`` names a nested table. ``x-table`` can also be
``phases`` or ``end_reasons``. Effects are declared in the code (``effects``).

The sentences are labels: ``shown.<object>.<property>`` and ``told.<effect>.<field>``.
If an object or effect has no sentence of its own, the label is ``shown.<property>`` or
``told.<field>``.
"""

from collections.abc import Iterable, Iterator
from importlib import resources
from typing import Any

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.edition import Edition
from rules.kernel.contract.effects import EffectType
from rules.kernel.contract.published import package_of
from rules.kernel.contract.ruleset import Ruleset

VIEW = "view"
"""The name of the root object."""
TABLE = "x-table"


def view_schema(ruleset: Ruleset[Any], language: str, edition: Edition | None = None) -> JsonObject:
    """Return the schema of a ruleset's views, for one edition.

    Raises:
        KeyError: there is no sentence for a property, or no table for a definition.
    """
    schema = _written(ruleset)
    for name, kind in schema["$defs"].items():
        if TABLE in kind:
            ids = list(_ids(ruleset, edition or ruleset.data, kind[TABLE]))
            schema["$defs"][name] = {"type": "string", "enum": ids, **kind}
    for name, described in objects(schema):
        for key, kind in described["properties"].items():
            kind["description"] = _sentence(ruleset, language, "shown", name, key)
    return schema


def effect_schemas(ruleset: Ruleset[Any], language: str) -> dict[str, JsonObject]:
    """Return the schema of the data of each type of effect, by type.

    The member ``audience`` of a schema is the default audience of the type.

    Raises:
        KeyError: a field lacks its sentence.
    """
    return {effect.type: _effect_schema(ruleset, effect, language) for effect in ruleset.effects}


def objects(schema: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Yield each object of a view's schema with its name, the view first."""
    yield VIEW, schema
    for name, kind in schema["$defs"].items():
        if "properties" in kind:
            yield name, kind


def sentence_keys(
    ruleset: Ruleset[Any], sort: str, name: str, properties: Iterable[str]
) -> Iterator[str]:
    """Yield the key of the sentence for each property of an object or effect."""
    words = ruleset.labels.tables["en"]
    for key in properties:
        own = f"{sort}.{name}.{key}"
        yield own if own in words else f"{sort}.{key}"


def _written(ruleset: Ruleset[Any]) -> JsonObject:
    file = resources.files(package_of(ruleset)).joinpath("aids/view.json")
    schema: JsonObject = orjson.loads(file.read_bytes())
    return schema


def _ids(ruleset: Ruleset[Any], edition: Edition, table: str) -> Iterable[str]:
    if table == "phases":
        return ruleset.phases
    if table == "end_reasons":
        return ruleset.end_reasons
    rows: Any = {**ruleset.data.tables, **edition.tables}
    for name in table.split("."):
        rows = rows[name]
    return [row["id"] for row in rows]


def _effect_schema(ruleset: Ruleset[Any], effect: EffectType[...], language: str) -> JsonObject:
    schema = effect.schema()
    for key, kind in schema["properties"].items():
        kind["description"] = _sentence(ruleset, language, "told", effect.type, key)
    return {**schema, "audience": effect.audience}


def _sentence(ruleset: Ruleset[Any], language: str, sort: str, name: str, key: str) -> str:
    (label,) = sentence_keys(ruleset, sort, name, [key])
    return ruleset.labels.tables[language][label]
