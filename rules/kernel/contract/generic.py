"""The generic drawing of a view, for rulesets without a drawing of their own.

It knows a game only by its labels and the schema of its view. The heading of a member of the view
is the first label that exists: ``where.<member>``, ``breakdown.<member>`` or ``option.<member>``.
The name of a seat or an id is a label. The label's vocabulary has the name of the member, or the
name of the ids' definition in the schema. The values of each seat stand in a table of the seats.
Values that only the viewer has (``own_…``) come first, and options last. Empty values are left out.
A reference part explains the members (``shown.<member>``).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.drawing import (
    NARROWEST,
    Drawing,
    Line,
    Part,
    Span,
    line,
    text_of,
    wrapped,
)
from rules.kernel.contract.labels import Labels

_SEEN = {"en": "What is seen", "es": "Lo que se ve"}
_MEANS = {"en": "What it means", "es": "Lo que significa"}
_NOBODY = {"en": "Nobody is asked", "es": "Nadie tiene que decidir"}
"""The heading of a phase that has no label, such as the end or a draw."""
_SEAT = {"en": "Seat", "es": "Asiento"}
_NAMING = ("where", "breakdown", "option")
"""Prefixes of labels that can be the heading of a member."""
_SAYING = ("move", "help", "group", "field", "effect", "error", "shown", "told", "text", "decision")
"""Prefixes of labels that are not names of ids."""
_PLAIN = (bool, int, str, type(None))
_AROUND = ("viewer", "phase", "ruleset")
"""Members that are not drawn, because the heading or the program around the drawing shows them; a
service adds the ruleset's id.
"""
OWN = "own_"
"""Prefix of the names of members that only the viewer has."""
_BETWEEN = " · "
_GAP = "  "
_HEADS = (78, 16, 8)
"""Widths of the headings of columns, tried in this order until the table fits."""
_NONE = "–"
"""The text of an empty cell."""


class _Member(NamedTuple):
    """A member of a view: its name, value, and kind in the schema."""

    name: str
    value: Any
    kind: JsonObject


def draw(
    view: JsonObject, labels: Labels, schema: JsonObject, language: str, columns: int
) -> Drawing:
    """Return a drawing of any view: the values of each seat, other values, and their meanings."""
    return _Board(labels.tables[language], schema, language, columns).draw(view)


def unnamed(view: JsonObject, labels: Labels, schema: JsonObject, language: str) -> list[str]:
    """Return the keys of labels that are needed to draw a view and are missing."""
    drawn = _Board(labels.tables[language], schema, language, NARROWEST)
    drawn.draw(view)
    return sorted(drawn.lacks)


class _Board:
    def __init__(
        self, words: Mapping[str, str], schema: JsonObject, language: str, columns: int
    ) -> None:
        self._words = words
        self._schema = schema
        self._language = language
        self._columns = columns
        self.lacks: set[str] = set()
        """Keys of words that were needed and not found."""

    def draw(self, view: JsonObject) -> Drawing:
        seats = self._by_seat(view)
        held = {member.name for each in seats for member in each} | {"players"}
        told = [n for n in view if n not in _AROUND and (n not in held or not seats)]
        heading = [line(self._heading(str(view["phase"])))] if "phase" in view else []
        members = [_Member(n, view[n], self._kind(self._schema, n)) for n in told]
        seen = self._row(sorted(members, key=self._rank))
        parts = [Part(_SEEN[self._language], tuple(seen))] if seen else []
        if means := tuple(self._meanings([n for n in view if n not in _AROUND])):
            parts.append(Part(_MEANS[self._language], means, reference=True))
        return Drawing(
            tuple(row for whole in heading for row in wrapped(whole, self._columns)),
            tuple(self._seats(seats)),
            tuple(parts),
        )

    def _heading(self, phase: str) -> str:
        asked = self._words.get(f"decision.{phase}") or self._known(phase, "phase")
        return asked or _NOBODY[self._language]

    def _rank(self, member: _Member) -> int:
        """Return the rank of a member: the viewer's own members first, options last."""
        if member.name.startswith(OWN):
            return 0
        return 2 if f"option.{member.name}" in self._words else 1

    # Seats' values

    def _by_seat(self, view: JsonObject) -> list[list[_Member]]:
        """Return the members of each seat.

        A seat's members come from its item in ``players``, and from its item in each list that has
        one item for each seat. The schema marks these lists by ``x-each``.

        If the view has neither ``players`` nor marked lists, this method guesses which lists have
        one item for each seat. It looks only at lists of plain values. It finds the greatest length
        that at least two of them have, and takes all lists of this length.
        """
        players = view.get("players")
        players = players if isinstance(players, list) else []
        within = self._resolved(self._kind(self._schema, "players").get("items", {}))
        lists = {n: v for n, v in view.items() if isinstance(v, list) and n != "players"}
        each = {
            n: v for n, v in lists.items() if self._kind(self._schema, n).get("x-each") == "seat"
        }
        if not each and not players:
            simple = {n: v for n, v in lists.items() if all(isinstance(i, _PLAIN) for i in v)}
            lengths = Counter(len(value) for value in simple.values())
            most = max((length for length, many in lengths.items() if many > 1), default=0)
            each = {n: v for n, v in simple.items() if len(v) == most}
        count = max((len(value) for value in (players, *each.values())), default=0)
        items = {n: self._resolved(self._kind(self._schema, n).get("items", {})) for n in each}
        return [
            [
                _Member(n, v, self._kind(within, n))
                for own in players[s : s + 1]
                for n, v in own.items()
            ]
            + [_Member(n, v[s], items[n]) for n, v in each.items() if s < len(v)]
            for s in range(count)
        ]

    def _seats(self, seats: list[list[_Member]]) -> list[Line]:
        """Return a table of the seats' values, or lines for each seat if the table is too wide."""
        had = [name for each in seats for name, value, _kind in each if not _is_nothing(value)]
        names = [*dict.fromkeys(member.name for each in seats for member in each)]
        names = [name for name in names if name in had]
        rows = [{member.name: member for member in each} for each in seats]
        cells = [
            [self._cell(row[name]) if name in row else _NONE for name in names] for row in rows
        ]
        heads = [self._named(name) for name in names]
        for wide in _HEADS:
            broken = [_broken(head, wide) for head in heads]
            widths = [
                max(len(text) for text in (*head, *(row[at] for row in cells)))
                for at, head in enumerate(broken)
            ]
            owner = max((len(self._seat(seat)) for seat in range(len(seats))), default=0)
            if owner + sum(len(_GAP) + column for column in widths) <= self._columns:
                return self._table(owner, widths, broken, cells)
        return [
            row
            for seat, each in enumerate(seats)
            for row in wrapped(line(self._owner(seat), ": ", self._flow(each)), self._columns)
        ]

    def _table(
        self,
        owner: int,
        widths: Sequence[int],
        heads: Sequence[Sequence[str]],
        cells: Sequence[Sequence[str]],
    ) -> list[Line]:
        """Return the table of the seats; the heading of a column may have several lines."""
        high = max((len(head) for head in heads), default=0)
        above = [[""] * (high - len(head)) + [*head] for head in heads]
        numbers = [all(_is_number(row[at]) for row in cells) for at in range(len(widths))]

        def placed(texts: Sequence[str]) -> str:
            return "".join(
                _GAP + (text.rjust(wide) if number else text.ljust(wide))
                for text, wide, number in zip(texts, widths, numbers, strict=True)
            ).rstrip()

        titles = [
            line(" " * owner, Span(placed([head[row] for head in above]), "muted"))
            for row in range(high)
        ]
        return [
            *titles,
            *(
                line(self._owner(seat), " " * (owner - len(self._seat(seat))), placed(row))
                for seat, row in enumerate(cells)
            ),
        ]

    def _owner(self, seat: int) -> Span:
        return Span(self._seat(seat), f"seat.{seat}" if seat <= 4 else "")

    def _cell(self, member: _Member) -> str:
        if member.value is True:
            return "✓"
        return (
            _NONE
            if _is_nothing(member.value)
            else self._said(member.value, member.kind, member.name)
        )

    # Words

    def _flow(self, members: Sequence[_Member]) -> str:
        there = [member for member in members if not _is_nothing(member.value)]
        return _BETWEEN.join([self._told(member, " ") for member in there])

    def _row(self, members: Sequence[_Member]) -> list[Line]:
        """Return members in lines; each stands in the first line that has room for it."""
        rows: list[str] = []
        for told in [self._told(member) for member in members if not _is_nothing(member.value)]:
            room = self._columns - len(_BETWEEN) - len(told)
            at = next((at for at, row in enumerate(rows) if len(row) <= room), len(rows))
            rows[at : at + 1] = [rows[at] + _BETWEEN + told if at < len(rows) else told]
        return [part for row in rows for part in wrapped(line(row), self._columns)]

    def _told(self, member: _Member, sign: str = ": ") -> str:
        """Return a member's name and value; if the value is True, return only the name."""
        named = self._named(member.name)
        if member.value is True:
            return named
        return f"{named}{sign}{self._said(member.value, member.kind, member.name)}"

    def _meanings(self, names: list[str]) -> Iterator[Line]:
        """Yield an explanation of each member whose explanation says more than its name."""
        for name in names:
            called, sentence = self._named(name), self._words.get(f"shown.{name}", "")
            if sentence and sentence.rstrip(".").lower() != called.lower():
                told = line(Span(called, "strong"), Span(f": {sentence}", "muted"))
                yield from wrapped(told, self._columns)

    def _named(self, name: str) -> str:
        found = (self._words.get(f"{kind}.{name}") for kind in _NAMING)
        named = next((word for word in found if word), None)
        if named is None:
            self.lacks.add(f"where.{name}")
            named = name.replace("_", " ")
        return named[:1].upper() + named[1:]

    def _said(self, value: Any, kind: JsonObject, name: str) -> str:
        """Return the text for a value; a list or object within another one stands in brackets."""
        if isinstance(value, bool):
            return "✓" if value else _NONE
        if _is_nothing(value):
            return _NONE
        if isinstance(value, list):
            items = self._resolved(kind.get("items", {}))
            return ", ".join(_counted([self._within(item, items, name) for item in value]))
        if isinstance(value, dict):
            return ", ".join(self._members(value, kind, name))
        if kind.get("title") == "seat" and isinstance(value, int):
            return self._seat(value)
        return self._word(value, name, kind) if isinstance(value, str) else str(value)

    def _within(self, value: Any, kind: JsonObject, name: str) -> str:
        said = self._said(value, kind, name)
        return f"({said})" if isinstance(value, list | dict) and value else said

    def _members(self, value: JsonObject, kind: JsonObject, name: str) -> Iterator[str]:
        for key, item in value.items():
            if "properties" in kind or not isinstance(kind.get("additionalProperties"), dict):
                inner = self._kind(kind, key)
                yield f"{self._named(key)} {self._within(item, inner, key)}"
            else:
                amount = self._resolved(kind["additionalProperties"])
                ids = self._resolved(kind.get("propertyNames", {}))
                yield f"{self._word(key, name, ids)} {self._within(item, amount, key)}"

    def _seat(self, seat: int) -> str:
        return self._words.get(f"seat.{seat}") or f"{_SEAT[self._language]} {seat + 1}"

    def _word(self, id_: str, name: str, kind: JsonObject) -> str:
        """Return the name of an id, from the vocabulary of its member or of its kind."""
        title = kind.get("title", "")
        if known := self._known(id_, name, title):
            return known
        if "x-table" in kind:
            self.lacks.add(f"{title}.{id_}")
        return id_.replace("_", " ")

    def _known(self, id_: str, *names: str) -> str | None:
        """Return the name of an id from the first vocabulary in ``names`` that contains the id.

        If none of them contains it, look in all vocabularies, and return the name if there is only
        one. If a name has a singular and a plural, return the singular.
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
        """Follow a schema's references, and leave out null.

        If the result is a definition, its ``title`` is the definition's name.
        """
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
    """Whether a label contains placeholders, or a singular and a plural.

    Such a label cannot be the name of an id.
    """
    return "{" in word or "|" in word


def _is_nothing(value: Any) -> bool:
    """Whether a value is None, false or empty, so that it is left out; 0 is an amount."""
    return value is None or value is False or value in ([], {}, "")


def _broken(head: str, columns: int) -> list[str]:
    """Break a heading into lines between words, without cutting any word."""
    longest = max(map(len, head.split()), default=0)
    return [text_of(row) for row in wrapped(line(head), max(columns, longest), 0)]


def _is_number(cell: str) -> bool:
    return cell == _NONE or cell.removeprefix("-").isdecimal()


def _counted(said: Sequence[str]) -> Iterator[str]:
    """Yield texts; equal neighbours are joined to one text with their count, except numbers."""
    for text, same in groupby(said):
        count = len([*same])
        if count == 1 or _is_number(text):
            yield from [text] * count
        else:
            yield f"{count} × {text}"
