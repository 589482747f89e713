"""Derives a game's labels and its view's schema from docstrings, fields and random games."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import orjson

from laws.book.drawings import draws_itself
from laws.games import Subject
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.fields import (
    Choice,
    Field,
    Flag,
    Index,
    ListOf,
    Maybe,
    Optional,
    PlaceNumber,
)
from rules.kernel.contract.generic import OWN
from rules.kernel.contract.labels import LANGUAGES, UNWRITTEN
from rules.kernel.contract.ruleset import Decision, GameOver, Ruleset
from rules.kernel.contract.schemas import objects
from rules.kernel.contract.seats import Seat

SEATS = {
    "en": ("Red", "Blue", "Green", "White", "Yellow", "Black", "Purple", "Orange"),
    "es": ("Rojo", "Azul", "Verde", "Blanco", "Amarillo", "Negro", "Morado", "Naranja"),
}
YES_NO_NONE = {"en": ("yes", "no", "nothing"), "es": ("sí", "no", "nada")}
AND = {"en": ("and", "and"), "es": ("y", "e")}
"""For each language, the word before the last item of a list, and its form before the sound "i"."""
NOBODY = {"en": "Nobody", "es": "Nadie"}
SEAT_NAMES = ("seat", "asked", "decider", "winner", "player", "leader", "owner", "dealer", "viewer")
"""Names of fields that always hold a seat, whatever their type."""
CODED = (
    "move",
    "help",
    "group",
    "field",
    "effect",
    "error",
    "option",
    "reason",
    "breakdown",
    "told",
    "shown",
    "where",
)
"""Kinds of labels whose keys all follow from the code or from random games."""
MOST = 100
"""The maximum length of a view's list, unless a random game has a longer one."""


class FillSummary(NamedTuple):
    """The result of ``fill``: added entries by file, entries to translate, and unused words."""

    added: Mapping[str, int]
    unwritten: int
    unused: Sequence[str]


def fill(ruleset: Ruleset[Any], package: Path) -> FillSummary:
    """Add missing entries to ``aids/labels.json`` and ``aids/view.json``.

    Existing entries stay unchanged. Derived entries are English; their Spanish is marked as still
    to be written.
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
    derived = dict(reversed([*_words(ruleset, games, schema)]))  # the first words for a key win
    known = {language: _known(ruleset, language) for language in LANGUAGES}
    missing = unwritten = 0
    for language in LANGUAGES:
        words = labels.setdefault(language, {})
        for key, text in derived.items():
            if key not in words and _shared(key) not in words:
                written = text if language == "en" else f"{UNWRITTEN}{text}"
                words[key] = known[language].get(key, written)
                missing += 1
                unwritten += words[key].startswith(UNWRITTEN)
        labels[language] = dict(sorted(words.items()))
    _write(label_file, labels)
    unused = [
        key
        for key in labels["en"]
        if key.partition(".")[0] in CODED and key not in derived and _shared(key) not in derived
    ]
    if (package / "aids" / "board.json").exists():
        unused = [key for key in unused if not key.startswith("where.")]
    return FillSummary({"aids/view.json": added, "aids/labels.json": missing}, unwritten, unused)


def _shared(key: str) -> str:
    """Return the key of the label that serves all objects with this property.

    For ``shown.player.coins`` this is ``shown.coins``.
    """
    sort, _, name = key.partition(".")
    return f"{sort}.{name.rpartition('.')[2]}"


def _known(ruleset: Ruleset[Any], language: str) -> dict[str, str]:
    """Return the labels, by key, whose texts are the same in the games of every ruleset.

    They are "and" in lists, the seats, and the words for yes, no and none of the ruleset's fields.
    """
    yes, no, none = YES_NO_NONE[language]
    fields = [*_fields(ruleset)]
    flags = {name for name, kind in fields if isinstance(_inner(kind), Flag)}
    ids = {_vocabulary_of(ruleset, name, kind) for name, kind in fields if name not in flags}
    return {
        **dict(zip(("list.and", "list.and_i"), AND[language], strict=True)),
        **{f"seat.{seat}": SEATS[language][seat] for seat in range(ruleset.info.max_seats)},
        "seat.none": NOBODY[language],
        **{f"{name}.yes": yes for name in flags},
        **{f"{name}.no": no for name in flags},
        **{f"{name}.none": none for name in ids - {"", "seat"}},
    }


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


def _words(ruleset: Ruleset[Any], games: Subject, schema: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield all words that the laws demand, in English."""
    yield from _known(ruleset, "en").items()
    for type_ in ruleset.move_types:
        name = type_.type
        parameters = [(p.name, p.kind) for p in type_.parameters()]
        yield f"move.{name}", _title(name) + _move_holes(ruleset, parameters)
        yield f"help.{name}", _sentence(type_.__doc__ or "") or f"{_title(name)}."
        if parameters:
            yield f"group.{name}", _title(name)
        for parameter in type_.parameters():
            yield f"field.{parameter.name}", _title(parameter.doc.rstrip(".") or parameter.name)
        yield from _vocabulary(ruleset, parameters)
    for effect in ruleset.effects:
        yield f"effect.{effect.type}", _line(ruleset, effect.type, [*effect.fields.items()])
        yield from _vocabulary(ruleset, effect.fields.items())
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
            if key not in ("viewer", "phase") and not draws_itself(ruleset):
                yield f"where.{key}", _called(key)


def _called(member: str) -> str:
    """Return the title of a view's member: "Your hand" for ``own_hand``."""
    own = member.startswith(OWN)
    return f"Your {member.removeprefix(OWN).replace('_', ' ')}" if own else _title(member)


def _met(games: Subject) -> Iterator[tuple[str, str]]:
    """Yield words for decisions, and for the parts of scores in results."""
    decisions, parts = set(), set()
    for spot in games.positions():
        turn = games.ruleset.turn(spot.state)
        if isinstance(turn, Decision):
            decisions.add(turn.name)
        elif isinstance(turn, GameOver):
            for standing in games.ruleset.result(spot.state).standings:
                parts |= {*standing.breakdown}
    yield from ((f"decision.{name}", name.replace("_", " ")) for name in sorted(decisions))
    yield from ((f"breakdown.{name}", name.replace("_", " ")) for name in sorted(parts))


def _move_holes(ruleset: Ruleset[Any], fields: Sequence[tuple[str, Field[Any]]]) -> str:
    """Return the part of a move's template that shows the move's parameters.

    The name of each parameter stands before it, except for the first parameter.
    """
    return "".join(
        _hole(ruleset, name, kind, f", {_plain(name)} " if at else " ")
        for at, (name, kind) in enumerate(fields)
    )


def _line(ruleset: Ruleset[Any], type_: str, fields: Sequence[tuple[str, Field[Any]]]) -> str:
    """Return the template of a log line.

    An example of such a line is "Red: prize won, points 3".
    """
    who = next((each for each in fields if _is_seat(ruleset, *each)), None)
    rest = [each for each in fields if each is not who]
    holes = [
        _hole(ruleset, name, kind, ": " if at == 0 and len(rest) == 1 else f", {_plain(name)} ")
        for at, (name, kind) in enumerate(rest)
    ]
    if who is None:
        return _title(type_) + "".join(holes)
    return f"{{{who[0]}:seat}}: {_plain(type_)}{''.join(holes)}"


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _hole(ruleset: Ruleset[Any], name: str, kind: Field[Any], before: str) -> str:
    """Return the part of a template for a field, in brackets if the field may be empty."""
    words = _vocabulary_of(ruleset, name, kind)
    said = f"{before}{{{name}:{words}}}" if words else f"{before}{{{name}}}"
    return f"[{said}]" if _may_lack(kind) else said


def _may_lack(kind: Field[Any]) -> bool:
    return isinstance(kind, Maybe | Optional | ListOf)


def _inner(kind: Any) -> Any:
    while isinstance(kind, Maybe | Optional | ListOf):
        kind = kind.item if isinstance(kind, ListOf) else kind.field
    return kind


def _is_seat(ruleset: Ruleset[Any], name: str, kind: Field[Any]) -> bool:
    inner = _inner(kind)
    numbered = isinstance(inner, PlaceNumber) and inner.first == 0
    return name in SEAT_NAMES or (numbered and inner.count == ruleset.info.max_seats)


def _vocabulary_of(ruleset: Ruleset[Any], name: str, kind: Field[Any]) -> str:
    """Return the vocabulary for the values of a field; it is empty if the values need no words."""
    inner = _inner(kind)
    if _is_seat(ruleset, name, kind):
        return "seat"
    if isinstance(inner, Flag):
        return name
    if isinstance(inner, Choice | Index):
        return _one(table_of(ruleset, {*inner.ids}) or name)
    return ""


def _fields(ruleset: Ruleset[Any]) -> Iterator[tuple[str, Field[Any]]]:
    """Yield the fields of all moves and effects."""
    for type_ in ruleset.move_types:
        yield from ((parameter.name, parameter.kind) for parameter in type_.parameters())
    for effect in ruleset.effects:
        yield from effect.fields.items()


def _vocabulary(
    ruleset: Ruleset[Any], fields: Iterable[tuple[str, Field[Any]]]
) -> Iterator[tuple[str, str]]:
    for name, kind in fields:
        inner = _inner(kind)
        if isinstance(inner, Choice | Index):
            words = _vocabulary_of(ruleset, name, kind)
            yield from ((f"{words}.{id_}", _plain(str(id_))) for id_ in inner.ids)


def seats_of(ruleset: Ruleset[Any]) -> set[str]:
    """Return the names of fields that hold a seat, in the state, moves and effects."""
    hints = get_type_hints(ruleset.state_type) if hasattr(ruleset, "state_type") else {}
    in_state = {name for name, hint in hints.items() if _has_seat(hint)}
    told = {name for name, kind in _fields(ruleset) if _is_seat(ruleset, name, kind)}
    return {*SEAT_NAMES, *in_state, *told}


def _has_seat(hint: object) -> bool:
    return hint is Seat or any(map(_has_seat, get_args(hint)))


def table_of(ruleset: Ruleset[Any], ids: set[str]) -> str | None:
    """Return the name of the published table that has all these ids."""
    for name, rows in ruleset.data.tables.items():
        has_ids = isinstance(rows, list) and rows and isinstance(rows[0], dict)
        if has_ids and ids <= {row.get("id") for row in rows}:
            return str(name)
    return None


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
    """Derives a schema from the views of some games.

    The schema accepts these views. It also accepts similar ones, such as views with longer lists.
    """

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self._ruleset = ruleset
        self._seats = ruleset.info.max_seats
        self._seat_names = seats_of(ruleset)
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
        if not values:
            return self._seat()
        if all(isinstance(value, bool) for value in values):
            return {"type": "boolean"}
        if all(isinstance(value, int) for value in values):
            if {name, f"{name}s"} & self._seat_names and {*values} <= {*range(self._seats)}:
                return self._seat()
            return {"type": "integer", **({"minimum": 0} if min(values) >= 0 else {})}
        if all(isinstance(value, str) for value in values):
            return self._text({*values})
        if all(isinstance(value, list) for value in values):
            return self._list(name, values)
        if all(isinstance(value, dict) for value in values):
            return self._map(values) or self._ref(_one(name), self._object(values))
        kinds = {type(value) for value in values}
        return {"anyOf": [self._of(name, [v for v in values if type(v) is k]) for k in kinds]}

    def _seat(self) -> JsonObject:
        return self._ref("seat", {"type": "integer", "minimum": 0, "maximum": self._seats - 1})

    def _list(self, name: str, values: list[list[Any]]) -> JsonObject:
        items = [item for value in values for item in value]
        lengths = {len(value) for value in values}
        by_seat = {*range(self._ruleset.info.min_seats, self._seats + 1)} == lengths
        each = {"x-each": "seat"} if by_seat else {}
        most = self._seats if by_seat else max(MOST, 2 * max(lengths))
        item = self._kind(_one(name), items or [0])
        return {**each, "type": "array", "items": item, "maxItems": most}

    def _map(self, values: list[JsonObject]) -> JsonObject | None:
        """Return the schema of objects whose keys are ids of a table; None if the keys are not."""
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
        return table_of(self._ruleset, ids)

    def _ref(self, name: str, kind: JsonObject) -> JsonObject:
        self._defs.setdefault(name, kind)
        return {"$ref": f"#/$defs/{name}"}


def _one(name: str) -> str:
    """Return the singular of a plural name."""
    return name.removesuffix("s") if len(name) > 3 else name
