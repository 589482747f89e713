"""What a ruleset refuses, as values with stable codes."""

import reprlib

from rules.kernel.canonical import JsonObject


class IllegalMove(Exception):
    """A move that the rules refuse.

    ``code`` is one of the ruleset's error codes, ``message`` an English sentence that names the
    offending value, ``details`` the values themselves (canonical JSON).
    """

    def __init__(self, code: str, message: str, **details: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details: JsonObject = details


class BrokenRules(RuntimeError):
    """Rules that contradict themselves: they refused what they had allowed."""


class BadOptions(ValueError):
    """Options or a number of seats that a ruleset does not offer; ``option`` names the first."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


def shown(value: object) -> str:
    """Name an offending value in a message: short, printable and safe for any value at all."""
    try:
        return reprlib.repr(value)
    except ValueError:  # an int of more digits than Python prints
        return f"a {type(value).__name__} too long to show"
