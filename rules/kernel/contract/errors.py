"""Refusals of moves, as values with stable codes."""

import reprlib
from enum import StrEnum
from typing import NamedTuple, Self

from rules.kernel.canonical import JsonObject


class ErrorCode(StrEnum):
    """The codes with which a game refuses moves; each member has a code and an English sentence.

    For example, ``SPACE_OCCUPIED = "space_occupied", "there is a house on {space_id}"``. The
    sentence may use the move's parameters, as in JSON, and the values that ``of`` adds. If a
    parameter has a value that is not of its kind, ``{value}`` stands for this value.
    """

    sentence: str

    def __new__(cls, code: str, sentence: str) -> Self:
        """Make a member of the enum; it equals the text ``code``."""
        self = str.__new__(cls, code)
        self._value_ = code
        self.sentence = sentence
        return self

    def of(self, **details: object) -> "Refusal":
        """Return the refusal with ``details``: the values that cause it (canonical JSON)."""
        # This skips NamedTuple's slower constructor: a search for legal moves makes many refusals.
        return tuple.__new__(Refusal, (self, details))


class Refusal(NamedTuple):
    """The reason why a move is refused; a plain ErrorCode is a reason without ``details``."""

    error: ErrorCode
    details: JsonObject


MaybeRefusal = ErrorCode | Refusal | None
"""The reason why a move is refused; None if it is legal."""


class IllegalMove(Exception):
    """A move that the rules refuse.

    ``code`` is one of the ruleset's error codes, ``message`` an English sentence that names the
    offending value, and ``details`` has the values themselves (canonical JSON). ``said`` has the
    values for the label of the refusal: the move's parameters and the details.
    """

    def __init__(self, code: str, message: str, **details: object) -> None:
        super().__init__(message)
        self.code = code.value if isinstance(code, ErrorCode) else code
        self.message = message
        self.details: JsonObject = details
        self.said: JsonObject = details

    @classmethod
    def of(cls, refused: ErrorCode | Refusal, parameters: JsonObject) -> Self:
        """Return the refusal of a move with these parameters."""
        error, details = refused if isinstance(refused, Refusal) else (refused, {})
        said = {**parameters, **details}
        words = {name: _said(value) for name, value in said.items()}
        illegal = cls(error, error.sentence.format(**words), **details)
        illegal.said = said
        return illegal


class BrokenRules(RuntimeError):
    """Rules that contradict themselves, for example by refusing what they had allowed."""


class BadOptions(ValueError):
    """Options or seats that a ruleset does not offer; ``option`` names the first of them."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


def shown(value: object) -> str:
    """Return an offending value as short, printable text for a message."""
    try:
        return reprlib.repr(value)
    except ValueError:  # Python refuses to print an int of more than 4,300 digits
        return f"a {type(value).__name__} too long to show"


def _said(value: object) -> str:
    """Return ids as they are, and other values in a form that cannot disturb a message."""
    return value if type(value) is str and value.isidentifier() else shown(value)
