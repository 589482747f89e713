"""Labels: texts and names of ids, in Spanish and English.

Templates are ``str.format`` strings whose format spec names a vocabulary. With ``{"move.take":
"Take {good:good}", "good.rum": "rum"}``, taking rum reads "Take rum".

A list reads "sugar, rum and wood". The label ``list.and`` has the word before the last item, and
``list.and_i`` the word before the sound of an i (Spanish "e"); without these labels there is a
comma. Equal neighbours in a list are counted: "2 × rum and sugar". An object of counts by id reads
in the same way. An empty list reads as the label ``<vocabulary>.none``.

A label with a bar has a singular and a plural, and a number always precedes it: with
``{"unit.cigars": "cigar|cigars"}`` a list reads "2 cigars".

Other format specs: ``{n:peso|pesos}`` has a singular and a plural, "1 peso" or "3 pesos".
``{n:{good:unit}}`` takes both from the label ``unit.<id>``, where the value ``good`` is the id.
``{steps:+}`` shows the sign. ``{bids:each seat}`` names the owner of each value of a list: "Red 2
and Blue 0".

Text in brackets is omitted if one of its values is None, false, an empty list, or the number 0. So
a sentence that stands entirely in brackets can be empty.
"""

import re
import string
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import groupby
from typing import Any, NamedTuple

import orjson

LANGUAGES = ("en", "es")
UNWRITTEN = "TODO: "
"""Prefix of a label that `lonja new --fill` derived and that the author has to translate."""
_OPTIONAL = re.compile(r"\[(.*?)\]")
_NESTED = re.compile(r"{(\w+):(\w+)}")
_SOUNDS_AS_I = re.compile(r"i|hi(?![aeo])", re.IGNORECASE)


class Labels:
    """The labels of one ruleset: ``tables[language][key]``."""

    def __init__(self, tables: Mapping[str, Mapping[str, str]]) -> None:
        self.tables = tables

    def text(self, key: str, language: str, **data: object) -> str:
        """Fill the template ``key`` with ``data``.

        Raises:
            KeyError: there is no such key, or ``data`` lacks a value that the template needs.
        """
        words = self.tables[language]
        try:
            return "".join(
                [
                    text if say is None else text + say(data[name], words, data)
                    for optional, pieces in _parsed(words[key])
                    if not optional or all(_is_there(piece, data) for piece in pieces)
                    for text, name, say, _counts in pieces
                ]
            )
        except KeyError as error:
            raise KeyError(_lacking(key, language, words, data, error.args[0])) from None

    def value(self, key: str, language: str, name: str, value: object) -> str | None:
        """Return the text that the template ``key`` shows for ``value``.

        ``name`` is the placeholder of the value in the template. Return None if the template has no
        text for the value. If the template shows the value itself, too, the result has both:
        "A3 (wood)".
        """
        words = self.tables[language]
        pieces = [
            piece for _, part in _parsed(words.get(key, "")) for piece in part if piece.name == name
        ]
        named = next((piece.say for piece in pieces if piece.counts), None)
        if named is None:
            return None
        try:
            said = named(value, words, {})
        except KeyError:
            return None
        return said if all(piece.counts for piece in pieces) else f"{value} ({said})"


def _lacking(
    key: str, language: str, words: Mapping[str, str], data: Mapping[str, object], name: object
) -> str:
    """Describe what is missing: the label, a value of its template, or a value's name."""
    if key not in words:
        return f"there is no word {key!r} in {language!r}"
    if name in {piece.name for _, part in _parsed(words[key]) for piece in part} - data.keys():
        return f"{key!r} names {name!r} in {language!r}, which is none of its values {[*data]}"
    return f"there is no word {name!r} in {language!r}, which {key!r} needs for {dict(data)}"


def load_labels(package: str) -> dict[str, dict[str, str]]:
    """Read a package's labels: a mapping from language to key to template."""
    file = resources.files(package).joinpath("aids/labels.json")
    words: dict[str, dict[str, str]] = orjson.loads(file.read_bytes())
    return words


_Words = Mapping[str, str]
_Data = Mapping[str, object]
_Say = Callable[[Any, _Words, _Data], str]


class _Piece(NamedTuple):
    """A text, and the value that follows it, if any."""

    text: str
    name: str
    say: _Say | None
    counts: bool
    """Whether 0 counts as a value that is present, as for seat 0."""


@cache
def _parsed(template: str) -> list[tuple[bool, list[_Piece]]]:
    """Split a template into parts, each optional or not."""
    parts = _OPTIONAL.split(template)  # Every second part stood in brackets.
    return [(number % 2 == 1, _pieces(part)) for number, part in enumerate(parts)]


def _pieces(part: str) -> list[_Piece]:
    return [
        _Piece(text, name or "", None if name is None else _sayer(spec or ""), _names(spec or ""))
        for text, name, spec, _conversion in string.Formatter().parse(part)
    ]


def _is_there(piece: _Piece, data: Mapping[str, object]) -> bool:
    if piece.say is None:
        return True
    value = data.get(piece.name)
    if type(value) is int:
        return value != 0 or piece.counts
    return bool(value)


def _names(spec: str) -> bool:
    """Whether a format spec is the name of a vocabulary."""
    return bool(spec) and not any(sign in spec for sign in "|{+")


def _sayer(spec: str) -> _Say:
    """Return the function that turns a value into text, as the format spec ``spec`` says."""
    if nested := _NESTED.fullmatch(spec):
        name, vocabulary = nested.groups()
        return lambda value, words, data: _counted(words[f"{vocabulary}.{data[name]}"], value)
    if "|" in spec:
        return lambda value, _words, _data: _counted(spec, value)
    if spec == "+":
        return lambda value, _words, _data: f"{value:+}"
    if not spec:
        return lambda value, words, _data: joined([str(item) for item in _items(value)], words)
    if spec.startswith("each "):
        owner = spec.removeprefix("each ")
        return lambda value, words, _data: joined(
            [f"{words[f'{owner}.{id_}']} {item}" for id_, item in enumerate(_items(value))], words
        )
    return lambda value, words, _data: _word(value, spec, words)


def joined(items: Sequence[str], words: _Words) -> str:
    """Join texts with commas, and with the label for "and" before the last."""
    if len(items) < 2:
        return "".join(items)
    *first, last = items
    known = "list.and_i" if _SOUNDS_AS_I.match(last) else "list.and"
    return ", ".join(first) + (f" {words[known]} " if known in words else ", ") + last


def _items(value: object) -> Sequence[object]:
    if isinstance(value, dict):
        return [id_ for id_, number in value.items() for _ in range(number)]
    return value if isinstance(value, list | tuple) else [value]


def _word(value: object, vocabulary: str, words: _Words) -> str:
    """Return the text for an id, a list of ids, or an object of counts by id."""
    if type(value) is str or type(value) is int:
        return words[f"{vocabulary}.{value}"]
    items = _items(value)
    if not items:
        return words.get(f"{vocabulary}.none", "")
    counted = [(id_, len([*same])) for id_, same in groupby(items, _id)]
    return joined([_several(words[f"{vocabulary}.{id_}"], n) for id_, n in counted], words)


def _several(word: str, count: int) -> str:
    if "|" in word:
        return _counted(word, count)
    return word if count == 1 else f"{count} × {word}"


def _counted(forms: str, count: object) -> str:
    """Return a number followed by the singular or the plural."""
    one, many = forms.split("|")
    return f"{count} {one if count == 1 else many}"


def _id(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
