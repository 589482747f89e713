"""Derives missing labels and a view's schema for a game: from its docstrings, fields and games."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

from laws.games import Subject
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.fields import Choice, Field, Flag, Index, ListOf, Maybe, Optional
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.ruleset import Decision, Finished, Ruleset
from rules.kernel.contract.schemas import objects

SEATS = {
    "en": ("Red", "Blue", "Green", "White", "Yellow", "Black", "Purple", "Orange"),
    "es": ("Rojo", "Azul", "Verde", "Blanco", "Amarillo", "Negro", "Morado", "Naranja"),
}
AND = {"en": ("and", "and"), "es": ("y", "e")}
"""The word before the last item of a list, and before the sound of an i."""
NOBODY = {"en": "Nobody", "es": "Nadie"}
SEAT_NAMES = ("seat", "winner", "player", "leader", "owner", "dealer")
"""Names of fields that hold a seat."""
MOST = 100
"""The maximum length of a view's list if no game shows a longer one."""


def fill(ruleset: Ruleset[Any], package: Path) -> dict[str, int]:
    """Add missing entries to ``aids/labels.json`` and ``aids/view.json``; return how many, by file.

    Existing entries stay unchanged.
    """
    games = Subject(ruleset)
    schema_file, label_file = package / "aids" / "view.json", package / "aids" / "labels.json"
    seen = [
        _json(ruleset.view(spot.state, viewer))
        for spot in games.positions()
        for viewer in spot.table.viewers
    ]
    schema = _View(ruleset).schema(seen)
    added = 0
    if schema_file.exists():
        there = orjson.loads(schema_file.read_bytes())
        new = {n: k for n, k in schema["properties"].items() if n not in there["properties"]}
        there["properties"] |= new
        there["required"] = [*there["required"], *new]
        there["$defs"] = {**schema["$defs"], **there["$defs"]} if new else there["$defs"]
        added, schema = len(new), there
    else:
        added = len(schema["properties"])
    _write(schema_file, schema)
    labels = orjson.loads(label_file.read_bytes())
    missing = 0
    for language in LANGUAGES:
        words = labels.setdefault(language, {})
        for key, text in _words(ruleset, games, schema, language):
            sort, _, name = key.partition(".")
            if key not in words and f"{sort}.{name.rpartition('.')[2]}" not in words:
                words[key] = text
                missing += 1
        labels[language] = dict(sorted(words.items()))
    _write(label_file, labels)
    return {"aids/view.json": added, "aids/labels.json": missing}


def _write(file: Path, data: JsonObject) -> None:
    file.write_bytes(orjson.dumps(data, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def _json(value: object) -> Any:
    return orjson.loads(orjson.dumps(value))


def _title(name: str) -> str:
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _sentence(text: str) -> str:
    first = " ".join(text.split()).partition(". ")[0].rstrip(".")
    return f"{first}." if first else ""


# Words


def _words(
    ruleset: Ruleset[Any], games: Subject, schema: JsonObject, language: str
) -> Iterator[tuple[str, str]]:
    """Yield all words that the laws demand. None of them is translated."""
    yield from zip(("list.and", "list.and_i"), AND[language], strict=True)
    for seat in range(ruleset.info.max_seats):
        yield f"seat.{seat}", SEATS[language][seat]
    yield "seat.none", NOBODY[language]
    for type_ in ruleset.move_types:
        name = type_.type
        parameters = [(p.name, p.kind) for p in type_.parameters()]
        yield f"move.{name}", _template(name, parameters)
        yield f"help.{name}", _sentence(type_.__doc__ or "") or f"{_title(name)}."
        if parameters:
            yield f"group.{name}", _title(name)
        for parameter in type_.parameters():
            yield f"field.{parameter.name}", _title(parameter.doc.rstrip(".") or parameter.name)
        yield from _vocabulary(parameters)
    for effect in ruleset.effects:
        yield f"effect.{effect.type}", _template(effect.type, effect.fields.items())
        yield from _vocabulary(effect.fields.items())
        for field in effect.fields:
            yield f"told.{field}", f"{_title(field)}."
    for error in ruleset.errors if hasattr(ruleset, "errors") else ():
        said = re.sub(r" ?\{(\w+)\}", lambda hole: f"[{hole[0]}]", error.sentence)
        yield f"error.{error.value}", _title(said)
    for option in ruleset.info.options:
        yield f"option.{option.name}", _title(option.name)
    yield from ((f"reason.{reason}", reason.replace("_", " ")) for reason in ruleset.end_reasons)
    yield from _met(games)
    docs = _field_docs(ruleset)
    for _name, described in objects(schema):
        for key in described["properties"]:
            yield f"shown.{key}", docs.get(key) or f"{_title(key)}."


def _met(games: Subject) -> Iterator[tuple[str, str]]:
    """Yield words for the questions that are asked, and for what results are made of."""
    decisions, parts = set(), set()
    for spot in games.positions():
        turn = games.ruleset.turn(spot.state)
        if isinstance(turn, Decision):
            decisions.add(turn.name)
        elif isinstance(turn, Finished):
            for standing in games.ruleset.result(spot.state).standings:
                parts |= {*standing.breakdown}
    yield from ((f"decision.{name}", name.replace("_", " ")) for name in sorted(decisions))
    yield from ((f"breakdown.{name}", name.replace("_", " ")) for name in sorted(parts))


def _template(name: str, fields: Iterable[tuple[str, Field[Any]]]) -> str:
    return _title(name) + "".join(_hole(field, kind) for field, kind in fields)


def _hole(name: str, kind: Field[Any]) -> str:
    """Return what a template says of a value; in brackets, if the value may be nothing."""
    inner, words = _inner(kind), name.replace("_", " ")
    if name in SEAT_NAMES:
        return f", {words} {{{name}:seat}}"
    ids = isinstance(inner, Choice | Index | Flag)
    said = f", {words} {{{name}:{name}}}" if ids else f", {words} {{{name}}}"
    return f"[{said}]" if isinstance(kind, Maybe | Optional | ListOf) else said


def _inner(kind: Any) -> Any:
    while isinstance(kind, Maybe | Optional | ListOf):
        kind = kind.item if isinstance(kind, ListOf) else kind.field
    return kind


def _vocabulary(fields: Iterable[tuple[str, Field[Any]]]) -> Iterator[tuple[str, str]]:
    for name, kind in fields:
        inner = _inner(kind)
        if isinstance(inner, Flag):
            yield from ((f"{name}.yes", "yes"), (f"{name}.no", "no"))
        elif isinstance(inner, Choice | Index):
            yield from ((f"{name}.{id_}", str(id_).replace("_", " ")) for id_ in inner.ids)
            yield f"{name}.none", "nothing"


def _field_docs(ruleset: Ruleset[Any]) -> Mapping[str, str]:
    """Return the docstrings of a state's fields, by their names."""
    try:
        source = textwrap.dedent(inspect.getsource(ruleset.state_type))
    except (OSError, TypeError, AttributeError):
        return {}
    body: list[ast.stmt] = []
    for node in ast.parse(source).body:
        body += node.body if isinstance(node, ast.ClassDef) else []
    docs = {}
    for field, after in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            value = after.value if isinstance(after, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                docs[field.target.id] = _sentence(value.value)
    return docs


# The schema of a view


class _View:
    """A schema that fits all views that were seen, and more."""

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self._ruleset = ruleset
        self._seats = ruleset.info.max_seats
        self._defs: JsonObject = {}

    def schema(self, views: list[JsonObject]) -> JsonObject:
        whole = self._object(views)
        return {**whole, "$defs": self._defs}

    def _object(self, values: list[JsonObject]) -> JsonObject:
        names = [*dict.fromkeys(key for value in values for key in value)]
        properties = {
            key: self._kind(key, [value[key] for value in values if key in value]) for key in names
        }
        always = [key for key in names if all(key in value for value in values)]
        return {
            "type": "object",
            "properties": properties,
            "required": always,
            "additionalProperties": False,
        }

    def _kind(self, name: str, values: list[Any]) -> JsonObject:
        there = [value for value in values if value is not None]
        kind = self._of(name, there)
        return kind if len(there) == len(values) else {"anyOf": [kind, {"type": "null"}]}

    def _of(self, name: str, values: list[Any]) -> JsonObject:
        if name == "viewer" or not values:
            return self._ref("seat", {"type": "integer", "minimum": 0, "maximum": self._seats - 1})
        if all(isinstance(value, bool) for value in values):
            return {"type": "boolean"}
        if all(isinstance(value, int) for value in values):
            return {"type": "integer", **({"minimum": 0} if min(values) >= 0 else {})}
        if all(isinstance(value, str) for value in values):
            return self._text({*values})
        if all(isinstance(value, list) for value in values):
            return self._list(name, values)
        if all(isinstance(value, dict) for value in values):
            return self._map(values) or self._ref(_one(name), self._object(values))
        kinds = {type(value) for value in values}
        return {"anyOf": [self._of(name, [v for v in values if type(v) is k]) for k in kinds]}

    def _list(self, name: str, values: list[list[Any]]) -> JsonObject:
        items = [item for value in values for item in value]
        lengths = {len(value) for value in values}
        by_seat = {*range(self._ruleset.info.min_seats, self._seats + 1)} == lengths
        each = {"x-each": "seat"} if by_seat else {}
        most = self._seats if by_seat else max(MOST, 2 * max(lengths))
        item = self._kind(_one(name), items or [0])
        return {**each, "type": "array", "items": item, "maxItems": most}

    def _map(self, values: list[JsonObject]) -> JsonObject | None:
        """Describe counts by id: objects whose keys are ids of a table."""
        keys = {key for value in values for key in value}
        table = self._table(keys)
        if not keys or table is None:
            return None
        items = [item for value in values for item in value.values()]
        names = self._ref(_one(table), {"x-table": table})
        kind = self._kind(table, items)
        return {"type": "object", "propertyNames": names, "additionalProperties": kind}

    def _text(self, values: set[str]) -> JsonObject:
        table = self._table(values)
        return {"type": "string"} if table is None else self._ref(_one(table), {"x-table": table})

    def _table(self, ids: set[str]) -> str | None:
        if ids <= {*self._ruleset.phases}:
            return "phases"
        if ids <= {*self._ruleset.end_reasons}:
            return "end_reasons"
        for name, rows in self._ruleset.data.tables.items():
            has_ids = isinstance(rows, list) and rows and isinstance(rows[0], dict)
            if has_ids and ids <= {row.get("id") for row in rows}:
                return str(name)
        return None

    def _ref(self, name: str, kind: JsonObject) -> JsonObject:
        self._defs.setdefault(name, kind)
        return {"$ref": f"#/$defs/{name}"}


def _one(name: str) -> str:
    """Return the name of one of several things."""
    return name.removesuffix("s") if len(name) > 3 else name
