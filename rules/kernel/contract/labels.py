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
from collections.abc import Mapping
from functools import cache
from importlib import resources
from itertools import groupby

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
        return "".join(
            [
                literal if name is None else literal + _word(data[name], spec, words)
                for optional, pieces in _parsed(words[key])
                if not optional or all(_is_there(name, spec, data) for _, name, spec in pieces)
                for literal, name, spec in pieces
            ]
        )


def load_labels(package: str) -> dict[str, dict[str, str]]:
    """Read a package's words: language, then key, then template."""
    file = resources.files(package).joinpath("aids/labels.json")
    words: dict[str, dict[str, str]] = orjson.loads(file.read_bytes())
    return words


_Pieces = list[tuple[str, str | None, str]]
"""Text before, name or None, format spec."""


@cache
def _parsed(template: str) -> list[tuple[bool, _Pieces]]:
    """Split a template into parts, each optional or not."""
    parts = _OPTIONAL.split(template)  # every second one stood in brackets
    return [(number % 2 == 1, _pieces(part)) for number, part in enumerate(parts)]


def _pieces(part: str) -> _Pieces:
    pieces = string.Formatter().parse(part)
    return [(literal, name, spec or "") for literal, name, spec, _conversion in pieces]


def _is_there(name: str | None, spec: str, data: Mapping[str, object]) -> bool:
    if name is None:
        return True
    value = data.get(name)
    if type(value) is int:
        return value != 0 or _is_vocabulary(spec)  # there is a seat 0
    return bool(value)


def _is_vocabulary(spec: str) -> bool:
    return bool(spec) and "|" not in spec and spec != "+"


def _word(value: object, spec: str, words: Mapping[str, str]) -> str:
    """Write ``value`` as ``spec`` says."""
    if "|" in spec:
        one, many = spec.split("|")
        return f"{value} {one if value == 1 else many}"
    if spec == "+":
        return f"{value:+}"
    if isinstance(value, dict):
        value = [id_ for id_, number in value.items() for _ in range(number)]
    items = value if isinstance(value, list | tuple) else [value]
    if not spec:
        return ", ".join([str(item) for item in items])
    if spec.startswith("each "):
        owner = spec.removeprefix("each ")
        return ", ".join([f"{words[f'{owner}.{id_}']} {item}" for id_, item in enumerate(items)])
    if not items:
        return words.get(f"{spec}.none", "")
    counted = [(id_, len([*same])) for id_, same in groupby(items, _id)]
    return ", ".join([_several(words[f"{spec}.{id_}"], count) for id_, count in counted])


def _several(word: str, count: int) -> str:
    return word if count == 1 else f"{count} × {word}"


def _id(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
