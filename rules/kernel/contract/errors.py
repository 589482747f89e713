"""Refusals of a ruleset, as values with stable codes."""

import reprlib
from enum import StrEnum
from typing import NamedTuple, Self

from rules.kernel.canonical import JsonObject


class ErrorCode(StrEnum):
    """A game's refusal codes; a member is a code and an English sentence.

    ``SPACE_OCCUPIED = "space_occupied", "there is a house on {space_id}"``: the sentence may use
    the move's parameters, as in JSON, and the values that ``of`` adds. A value of the wrong kind is
    also ``{value}``, under any parameter's name.
    """

    sentence: str

    def __new__(cls, code: str, sentence: str) -> Self:
        """Make a member that equals its code."""
        self = str.__new__(cls, code)
        self._value_ = code
        self.sentence = sentence
        return self

    def of(self, **details: object) -> "Refusal":
        """Refuse, with the values (canonical JSON) that the refusal depends on."""
        # Bypasses NamedTuple's constructor: most refusals are made only to skip a move.
        return tuple.__new__(Refusal, (self, details))


class Refusal(NamedTuple):
    """Why a move is refused; an ErrorCode alone has no ``details``."""

    error: ErrorCode
    details: JsonObject


MaybeRefusal = ErrorCode | Refusal | None
"""Why a move is refused; None if it is legal."""


class IllegalMove(Exception):
    """A move that the rules refuse.

    ``code`` is one of the ruleset's error codes, ``message`` an English sentence that names the
    offending value, ``details`` the values themselves (canonical JSON). ``said`` are the values for
    its words: the move's parameters and the details.
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
    """Rules that contradict themselves: they refused what they had allowed."""


class BadOptions(ValueError):
    """Options or a number of seats that a ruleset does not offer; ``option`` names the first."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


def shown(value: object) -> str:
    """Return an offending value for a message: short, printable and safe for any value."""
    try:
        return reprlib.repr(value)
    except ValueError:  # Python refuses to print an int of more digits
        return f"a {type(value).__name__} too long to show"


def _said(value: object) -> str:
    """Say ids as they are, and anything else so that it cannot disturb a message."""
    return value if type(value) is str and value.isidentifier() else shown(value)
