"""Words for ids, in Spanish and English.

Templates are ``str.format`` strings whose format spec names a vocabulary: with
``{"move.take": "Take {good:good}", "good.rum": "rum"}``, taking rum reads "Take rum". A list
reads with commas, and repeats in a row are counted: "2 × rum, sugar"; so does an object of counts
by id. An empty one reads as the word of ``none``. Other specs: ``{n:peso|pesos}`` has a singular
and a plural, "1 peso" or "3 pesos"; ``{steps:+}`` has a sign; ``{bids:each seat}`` says whose each
value of a list is: "Red 2, Blue 0". Text in brackets is left out if one of its values is None, no,
an empty list, or the number 0.
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
_OPTIONAL = re.compile(r"\[(.*?)\]")


class Labels:
    """The words of one ruleset: ``tables[language][key]``."""

    def __init__(self, tables: Mapping[str, Mapping[str, str]]) -> None:
        self.tables = tables

    def text(self, key: str, language: str, **data: object) -> str:
        """Fill the template ``key`` with ``data``.

        Raises:
            KeyError: no such key, or the template needs a value that ``data`` lacks.

        """
        words = self.tables[language]
        try:
            return "".join(
                [
                    text if say is None else text + say(data[name], words)
                    for optional, pieces in _parsed(words[key])
                    if not optional or all(_is_there(piece, data) for piece in pieces)
                    for text, name, say, _counts in pieces
                ]
            )
        except KeyError as error:
            raise KeyError(_lacking(key, language, words, data, error.args[0])) from None

    def value(self, key: str, language: str, name: str, value: object) -> str | None:
        """Say one value as the template ``key`` names it; None if no vocabulary has a word for it.

        Where the template says the value itself too, so does this: "A3 (wood)".
        """
        words = self.tables[language]
        pieces = [
            piece for _, part in _parsed(words.get(key, "")) for piece in part if piece.name == name
        ]
        named = next((piece.say for piece in pieces if piece.counts), None)
        if named is None:
            return None
        try:
            said = named(value, words)
        except KeyError:
            return None
        return said if all(piece.counts for piece in pieces) else f"{value} ({said})"


def _lacking(
    key: str, language: str, words: Mapping[str, str], data: Mapping[str, object], name: object
) -> str:
    """Say what is missing: the word itself, a value that it names, or a value's word."""
    if key not in words:
        return f"there is no word {key!r} in {language!r}"
    if name in {piece.name for _, part in _parsed(words[key]) for piece in part} - data.keys():
        return f"{key!r} names {name!r} in {language!r}, which is none of its values {[*data]}"
    return f"there is no word {name!r} in {language!r}, which {key!r} needs for {dict(data)}"


def load_labels(package: str) -> dict[str, dict[str, str]]:
    """Read a package's words: language, then key, then template."""
    file = resources.files(package).joinpath("aids/labels.json")
    words: dict[str, dict[str, str]] = orjson.loads(file.read_bytes())
    return words


_Words = Mapping[str, str]
_Say = Callable[[Any, _Words], str]


class _Piece(NamedTuple):
    """A text, and the value said after it, if one is."""

    text: str
    name: str
    say: _Say | None
    counts: bool
    """Whether the number 0 is a value that is there: there is a seat 0."""


@cache
def _parsed(template: str) -> list[tuple[bool, list[_Piece]]]:
    """Split a template into parts, each optional or not."""
    parts = _OPTIONAL.split(template)  # every second one stood in brackets
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
    return bool(spec) and "|" not in spec and spec != "+"


def _sayer(spec: str) -> _Say:
    """Return what says a value as ``spec`` has it."""
    if "|" in spec:
        one, many = spec.split("|")
        return lambda value, _words: f"{value} {one if value == 1 else many}"
    if spec == "+":
        return lambda value, _words: f"{value:+}"
    if not spec:
        return lambda value, _words: ", ".join([str(item) for item in _items(value)])
    if spec.startswith("each "):
        owner = spec.removeprefix("each ")
        return lambda value, words: ", ".join(
            [f"{words[f'{owner}.{id_}']} {item}" for id_, item in enumerate(_items(value))]
        )
    return lambda value, words: _word(value, spec, words)


def _items(value: object) -> Sequence[object]:
    if isinstance(value, dict):
        return [id_ for id_, number in value.items() for _ in range(number)]
    return value if isinstance(value, list | tuple) else [value]


def _word(value: object, vocabulary: str, words: _Words) -> str:
    """Say an id, or several."""
    if type(value) is str or type(value) is int:
        return words[f"{vocabulary}.{value}"]
    items = _items(value)
    if not items:
        return words.get(f"{vocabulary}.none", "")
    counted = [(id_, len([*same])) for id_, same in groupby(items, _id)]
    return ", ".join([_several(words[f"{vocabulary}.{id_}"], count) for id_, count in counted])


def _several(word: str, count: int) -> str:
    return word if count == 1 else f"{count} × {word}"


def _id(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
