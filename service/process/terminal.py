"""Printable output: text for terminals and logs, with control characters escaped.

Names, paths and headers come from strangers, and a terminal obeys control characters.
"""

import sys
import textwrap
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

_OBEYED = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Unicode categories: controls, direction marks, halves of surrogate pairs, ends of lines."""


def printable(text: str, kept: str = "") -> str:
    r"""Return a text in which the control characters, except ``kept``, are escaped.

    For example, the escape character becomes the four characters ``\x1b``.
    """
    if text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode()
        if unicodedata.category(character) in _OBEYED and character not in kept
        else character
        for character in text
    )


def printable_below(text: str) -> str:
    """Return lines in printable form, indented so that none looks like a line of a log."""
    return textwrap.indent(printable(text, kept="\n"), "    ")


@contextmanager
def printable_output() -> Iterator[None]:
    """Make all text written to standard output printable; bytes pass unchanged."""
    usual = sys.stdout
    sys.stdout = cast("TextIO", _Printable(usual))
    try:
        yield
    finally:
        sys.stdout = usual


class _Printable:
    """A stream of text."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(printable(text, kept="\n\t"))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
