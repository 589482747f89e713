"""Groups the legal moves by type, then field by field, so that people can choose step by step.

A group has the moves of one type. Its ``choices`` are the values of the first field. ``then`` has
the choices of the next field; it stands in a choice, or beside ``choices`` if it is the same for
all of them. Consecutive numbers are joined to a range. All paths through the choices together are
the flat list of moves, each move once.

These labels are used: ``group.<type>`` names a type that has fields, ``help.<type>`` explains the
type, and ``field.<type>.<field>`` asks for a field. Without the last one, ``field.<field>`` asks
for the field in any type.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.labels import Labels
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat

RANGE = 3
"""Minimum number of consecutive numbers that are joined to a range."""

_PLAIN = {
    "en": {"true": "yes", "false": "no", "null": "none", "": "–"},
    "es": {"true": "sí", "false": "no", "null": "ninguno", "": "–"},
}
"""Labels of values that need no label of a game; the empty key stands for an omitted field."""


class _Row(NamedTuple):
    """A move: its fields in JSON, the template of its label, and the label."""

    fields: JsonObject
    template: str
    text: str


def grouped(
    ruleset: Ruleset[Any],
    state: Any,
    seat: Seat,
    moves: Sequence[Move[Any]],
    texts: Sequence[str],
    language: str,
) -> list[JsonObject]:
    """Return the legal ``moves`` of a seat in ranked groups; ``texts`` are the labels of the moves.

    Groups with choices come first, in the rules' order, and then groups without choices. If a label
    is missing, its key is shown instead.
    """
    labels = ruleset.labels
    by_type: dict[type[Move[Any]], list[_Row]] = {}
    for move, text in zip(moves, texts, strict=True):
        fields = {name: value for name, value in move.to_json().items() if name != "type"}
        row = _Row(fields, move.label_in(state, seat)[0], text)
        by_type.setdefault(type(move), []).append(row)
    groups = []
    for type_, rows in by_type.items():
        words = _Words(labels, language, type_.type)
        choices = _node(rows, (), words)
        label = rows[0].text if choices is None else words.of("group")
        groups.append(
            {
                "type": type_.type,
                "label": label,
                "help": words.of("help"),
                "count": len(rows),
                "choices": choices,
            }
        )
    groups.sort(key=lambda group: group["choices"] is None)
    return [{"rank": rank, **group} for rank, group in enumerate(groups, 1)]


class _Words(NamedTuple):
    """The labels for one type of move."""

    labels: Labels
    language: str
    type: str

    def of(self, sort: str) -> str:
        key = f"{sort}.{self.type}"
        return self.labels.tables[self.language].get(key, key)

    def field(self, name: str) -> str:
        words, key = self.labels.tables[self.language], f"field.{name}"
        return words.get(f"field.{self.type}.{name}") or words.get(key, key)

    def value(self, name: str, written: bytes, same: list[_Row], *, last: bool) -> str:
        """Return the text for a value of a field.

        This is the name of the value. If the value has no name, it is the label of a move that has
        the value.
        """
        plain = _PLAIN[self.language].get(written.decode())
        if plain is not None:
            return plain
        value = same[0].fields[name]
        said = self.labels.value(same[0].template, self.language, name, value)
        if said or type(value) is int:
            return said or str(value)
        known = self.labels.tables[self.language].get(f"{name}.{value}")
        return known or (same[0].text if last or len(same) == 1 else str(value))


def _node(rows: list[_Row], chosen: tuple[str, ...], words: _Words) -> JsonObject | None:
    """Return the choices of the first field that is not in ``chosen``.

    Each choice has a node for the next field; if the nodes are equal, all choices share one node.
    Return None if no field is left.
    """
    name = next((name for row in rows for name in row.fields if name not in chosen), None)
    if name is None:
        return None
    by_value: dict[bytes, list[_Row]] = {}
    for row in rows:
        written = encode(row.fields[name]) if name in row.fields else b""
        by_value.setdefault(written, []).append(row)
    choices: list[JsonObject] = []
    for written, same in by_value.items():
        then = _node(same, (*chosen, name), words)
        choice = {"value": same[0].fields[name]} if written else {"omitted": True}
        label = words.value(name, written, same, last=then is None)
        choices.append({**choice, "label": label, "then": then})
    then = choices[0]["then"]
    shared = all(choice["then"] == then for choice in choices)
    if shared:
        for choice in choices:
            del choice["then"]
    node: JsonObject = {"field": name, "label": words.field(name)}
    return {**node, "choices": _with_ranges(choices), **({"then": then} if shared else {})}


def _with_ranges(choices: list[JsonObject]) -> list[JsonObject]:
    """Join consecutive numbers that have no names and are followed by the same choices."""
    found: list[JsonObject] = []
    while choices:
        run = _run(choices)
        if run < RANGE:
            found.append(choices[0])
            del choices[0]
            continue
        first, last = choices[0], choices[run - 1]
        step = choices[1]["value"] - first["value"]
        more = {"then": first["then"]} if "then" in first else {}
        found.append({"min": first["value"], "max": last["value"], "step": step, **more})
        del choices[:run]
    return found


def _run(choices: list[JsonObject]) -> int:
    """Return the number of leading choices that can be joined to one range."""
    first, steps = choices[0], set()
    for length, (one, next_) in enumerate(pairwise(choices), 1):
        if not (_is_number(one) and _is_number(next_)):
            return length
        steps.add(next_["value"] - one["value"])
        if len(steps) > 1 or min(steps) < 1 or next_.get("then") != first.get("then"):
            return length
    return len(choices)


def _is_number(choice: JsonObject) -> bool:
    """Whether a choice is a number that has no name."""
    return type(choice.get("value")) is int and choice["label"] == str(choice["value"])
