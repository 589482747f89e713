"""The generic drawing of a view, for rulesets without their own.

It knows a game only by its words and its view's schema. A member of the view is labelled with the
game's word for it as a place, a part of the score or an option, or else with its name; seats and
ids with their words, from the vocabulary called like the member, or like the definition of the
schema that has the ids. The meaning of a member (``shown.<member>``) is in a reference part.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.drawing import Drawing, Line, Part, Span, line, wrapped
from rules.kernel.contract.labels import Labels

_SEEN = {"en": "What is seen", "es": "Lo que se ve"}
_MEANS = {"en": "What it means", "es": "Lo que significa"}
_NOBODY = {"en": "Nobody is asked", "es": "Nadie tiene que decidir"}
"""The heading of a phase that has no words: the end, or nature's."""
_SEAT = {"en": "Seat", "es": "Asiento"}
_NAMING = ("where", "breakdown", "option")
"""Which words of a game may name a member."""
_SAYING = ("move", "help", "group", "field", "effect", "error", "shown", "told", "text", "decision")
"""Which words name no id."""
_PLAIN = (bool, int, str, type(None))
_AROUND = ("viewer", "phase", "ruleset")
"""What the heading says, or whoever shows the drawing; a service adds the ruleset's id."""
_BETWEEN = " · "


def draw(
    view: JsonObject, labels: Labels, schema: JsonObject, language: str, columns: int
) -> Drawing:
    """Return a drawing of any view: each seat's values, the others, and their meanings."""
    return _Drawn(labels.tables[language], schema, language, columns).draw(view)


class _Drawn:
    def __init__(
        self, words: Mapping[str, str], schema: JsonObject, language: str, columns: int
    ) -> None:
        self._words = words
        self._schema = schema
        self._language = language
        self._columns = columns

    def draw(self, view: JsonObject) -> Drawing:
        seats = self._by_seat(view)
        held = {name for each in seats for name in each}
        if isinstance(view.get("players"), list):
            held.add("players")
        told = [n for n in view if n not in _AROUND and n not in held]
        phase = str(view.get("phase", ""))
        asked = self._words.get(f"decision.{phase}") or self._known(phase, "phase")
        heading = asked or _NOBODY[self._language]
        seen = self._row([(n, view[n], self._kind(self._schema, n)) for n in told])
        parts = [Part(_SEEN[self._language], tuple(seen))] if told else []
        if means := tuple(self._meanings([n for n in view if n not in _AROUND])):
            parts.append(Part(_MEANS[self._language], means, reference=True))
        players = [row for seat, has in enumerate(seats) for row in self._player(seat, has, view)]
        return Drawing(tuple(wrapped(line(heading), self._columns)), tuple(players), tuple(parts))

    # Seats' values

    def _by_seat(self, view: JsonObject) -> list[JsonObject]:
        """Return what each seat has: of ``players``, or of the lists that have an item a seat.

        Without a schema that says so, those are the longest lists of one length.
        """
        players = view.get("players")
        if isinstance(players, list):
            return players
        kinds = {name: self._kind(self._schema, name) for name in view}
        lists = {
            name: value
            for name, value in view.items()
            if isinstance(value, list) and all(isinstance(item, _PLAIN) for item in value)
        }
        each = {n: value for n, value in lists.items() if kinds[n].get("x-each") == "seat"}
        if not each:
            lengths = Counter(len(value) for value in lists.values())
            most = max((length for length, many in lengths.items() if many > 1), default=0)
            each = {n: value for n, value in lists.items() if len(value) == most}
        count = max((len(value) for value in each.values()), default=0)
        return [{n: v[seat] for n, v in each.items() if seat < len(v)} for seat in range(count)]

    def _player(self, seat: int, held: JsonObject, view: JsonObject) -> list[Line]:
        name = Span(self._seat(seat), f"seat.{seat}" if seat <= 4 else "")
        within = self._kind(self._schema, "players") if "players" in view else self._schema
        of_items = within.get("items", within)
        rows = [(n, v, self._item(self._kind(of_items, n), view, n)) for n, v in held.items()]
        said = _BETWEEN.join([self._told(*row) for row in rows])
        return wrapped(line(name, f": {said}"), self._columns)

    def _item(self, kind: JsonObject, view: JsonObject, name: str) -> JsonObject:
        """Return the kind of what a seat has, which is an item of a list by seat."""
        return (
            self._resolved(kind.get("items", {}))
            if "players" not in view and name in view
            else kind
        )

    # Words

    def _row(self, members: list[tuple[str, Any, JsonObject]]) -> list[Line]:
        """Say members behind each other, as many in a line as there is room."""
        rows: list[str] = []
        for told in [self._told(*member) for member in members]:
            if rows and len(rows[-1]) + len(_BETWEEN) + len(told) <= self._columns:
                rows[-1] += _BETWEEN + told
            else:
                rows.append(told)
        return [part for row in rows for part in wrapped(line(row), self._columns)]

    def _told(self, name: str, value: Any, kind: JsonObject) -> str:
        return f"{self._named(name)} {self._said(value, kind, name)}"

    def _meanings(self, names: list[str]) -> Iterator[Line]:
        """Say what members mean, where that is more than what they are called."""
        for name in names:
            called, sentence = self._named(name), self._words.get(f"shown.{name}", "")
            if sentence and sentence.rstrip(".").lower() != called.lower():
                told = line(Span(called, "strong"), Span(f": {sentence}", "muted"))
                yield from wrapped(told, self._columns)

    def _named(self, name: str) -> str:
        found = (self._words.get(f"{kind}.{name}") for kind in _NAMING)
        named = next((word for word in found if word), name.replace("_", " "))
        return named[:1].upper() + named[1:]

    def _said(self, value: Any, kind: JsonObject, name: str) -> str:
        if isinstance(value, bool):
            return "✓" if value else "–"
        if value is None or value in ([], {}):
            return "–"
        if isinstance(value, list):
            items = self._resolved(kind.get("items", {}))
            return f"({', '.join([self._said(item, items, name) for item in value])})"
        if isinstance(value, dict):
            return f"({', '.join(self._members(value, kind, name))})"
        if kind.get("title") == "seat" and isinstance(value, int):
            return self._seat(value)
        return self._word(value, name, kind) if isinstance(value, str) else str(value)

    def _members(self, value: JsonObject, kind: JsonObject, name: str) -> Iterator[str]:
        for key, item in value.items():
            if "properties" in kind or not isinstance(kind.get("additionalProperties"), dict):
                yield self._told(key, item, self._kind(kind, key))
            else:
                amount = self._resolved(kind["additionalProperties"])
                ids = self._resolved(kind.get("propertyNames", {}))
                yield f"{self._word(key, name, ids)} {self._said(item, amount, key)}"

    def _seat(self, seat: int) -> str:
        return self._words.get(f"seat.{seat}") or f"{_SEAT[self._language]} {seat + 1}"

    def _word(self, id_: str, name: str, kind: JsonObject) -> str:
        """Return the word for an id of a member, or of the kind that has it."""
        return self._known(id_, name, kind.get("title", "")) or id_.replace("_", " ")

    def _known(self, id_: str, *names: str) -> str | None:
        """Return the word of the first vocabulary called so that has this id, or the only one.

        Of a word that is counted, that is the singular.
        """
        called = [kind for name in names for kind in (name, name.removesuffix("s"))]
        own = (self._words.get(f"{kind}.{id_}", "").partition("|")[0] for kind in called)
        if found := next((word for word in own if word and not _is_template(word)), ""):
            return found
        words = {
            word
            for key, word in self._words.items()
            if key.partition(".")[0] not in _SAYING
            and key.partition(".")[2] == id_
            and not _is_template(word)
        }
        return words.pop() if len(words) == 1 else None

    # The schema

    def _kind(self, schema: JsonObject, name: str) -> JsonObject:
        return self._resolved(self._resolved(schema).get("properties", {}).get(name, {}))

    def _resolved(self, kind: JsonObject) -> JsonObject:
        """Follow references, and leave null out; a seat is called so in ``title``."""
        for _ in range(8):
            some = [one for one in kind.get("anyOf", ()) if one.get("type") != "null"]
            if some:
                kind = some[0]
            elif "$ref" in kind:
                name = kind["$ref"].rpartition("/")[2]
                kind = {**self._schema.get("$defs", {}).get(name, {}), "title": name}
            else:
                break
        return kind


def _is_template(word: str) -> bool:
    """Whether it says more than an id: a value, or how many there are."""
    return "{" in word or "|" in word
