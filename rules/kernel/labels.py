"""Words for ids, in Spanish and English.

Templates are ``str.format`` strings whose format spec names a vocabulary: with
``{"move.take": "Take {good:good}", "good.rum": "rum"}``, taking rum reads "Take rum". A spec with
a bar names one and many: ``{amount:peso|pesos}`` reads "1 peso" or "3 pesos". A list is told with
commas, and what stands in it several times in a row is counted: "2 × rum, sugar".
"""

import string
from collections.abc import Mapping
from functools import cache
from itertools import groupby

LANGUAGES = ("en", "es")


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
                for literal, name, spec in _parsed(words[key])
            ]
        )


@cache
def _parsed(template: str) -> list[tuple[str, str | None, str]]:
    """Split a template into (text before, name or None, format spec)."""
    pieces = string.Formatter().parse(template)
    return [(literal, name, spec or "") for literal, name, spec, _conversion in pieces]


def _word(value: object, spec: str, words: Mapping[str, str]) -> str:
    """Translate ``value``, or each item of a list, by ``spec``; with a bar, count it."""
    if "|" in spec:
        one, many = spec.split("|")
        return f"{value} {one if value == 1 else many}"
    items = value if isinstance(value, list | tuple) else [value]
    if not spec:
        return ", ".join([str(item) for item in items])
    return ", ".join(
        [_several(words[f"{spec}.{id_}"], len([*same])) for id_, same in groupby(items, _id)]
    )


def _several(word: str, count: int) -> str:
    return word if count == 1 else f"{count} × {word}"


def _id(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
