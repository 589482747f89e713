"""Words for ids, in Spanish and English.

Templates are ``str.format`` strings whose format spec names a vocabulary: with
``{"move.take": "Take {good:good}", "good.rum": "rum"}``, taking rum reads "Take rum". A spec with
a bar names one and many: ``{amount:peso|pesos}`` reads "1 peso" or "3 pesos".
"""

import string
from collections.abc import Mapping
from typing import Any

LANGUAGES = ("en", "es")


class Labels(string.Formatter):
    """The words of one ruleset: ``tables[language][key]``."""

    def __init__(self, tables: Mapping[str, Mapping[str, str]]) -> None:
        self.tables = tables

    def text(self, key: str, language: str, **data: object) -> str:
        """Fill the template ``key`` with ``data``.

        Raises:
            KeyError: no such key, or the template needs a value that ``data`` lacks.

        """
        words = self.tables[language]
        return self.vformat(words[key], (), _Bound(data, words))

    def format_field(self, value: Any, format_spec: str) -> str:
        """Translate ``value``, or each item of a list, by ``format_spec``; with a bar, count it."""
        if not format_spec:
            return str(value.value if isinstance(value, _Word) else value)
        words, inner = value.words, value.value
        if "|" in format_spec:
            one, many = format_spec.split("|")
            return f"{inner} {one if inner == 1 else many}"
        items = inner if isinstance(inner, list | tuple) else [inner]
        return ", ".join(words[f"{format_spec}.{_id(item)}"] for item in items)


class _Word:
    """A value that remembers its language's words while a template is filled."""

    __slots__ = ("value", "words")

    def __init__(self, value: object, words: Mapping[str, str]) -> None:
        self.value = value
        self.words = words


class _Bound(dict[str, _Word]):
    def __init__(self, data: Mapping[str, object], words: Mapping[str, str]) -> None:
        super().__init__({name: _Word(value, words) for name, value in data.items()})


def _id(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
