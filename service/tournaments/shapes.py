"""The shapes of what a tournament's events hold (docs/tournaments.md, "The stream").

A shape is a function that says whether a value fits, a list of one shape, or an object with a shape
for each of its fields, of which none may be missing or be more.
"""

import re
from collections.abc import Callable
from typing import Any

from rules.kernel.contract.errors import shown
from rules.kernel.record.batch import BLOCK_ABANDONED
from service.process.limits import SERVICE_REASONS
from service.tournaments.formats import FORMATS
from service.tournaments.plan import (
    AFTER_FAILURE,
    BOT,
    MAX_GAMES,
    MAX_SEATS,
    MAX_SETTING,
    POINTS,
    ROTATIONS,
    TIE_BREAKS,
)

_DIGEST = re.compile(r"[0-9a-f]{64}")


def misfit(value: Any, shape: Any, where: str) -> str | None:
    """Return what is wrong with a value, by the name of the first field; None if it fits."""
    if isinstance(shape, dict):
        if not isinstance(value, dict) or value.keys() != shape.keys():
            return f"{where} has not the fields {', '.join(shape)}"
        inner = ((value[name], shape[name], f"{where}.{name}") for name in shape)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            return f"{where} is no list: {shown(value)}"
        inner = ((item, shape[0], f"{where}.{number}") for number, item in enumerate(value))
    else:
        return None if shape(value) else f"{where} cannot be {shown(value)}"
    found = (misfit(*each) for each in inner)
    return next((wrong for wrong in found if wrong is not None), None)


def text(value: Any) -> bool:
    """Whether it is a string."""
    return type(value) is str


def flag(value: Any) -> bool:
    """Whether it is true or false."""
    return type(value) is bool


def integer(value: Any) -> bool:
    """Whether it is an integer, and no truth value."""
    return type(value) is int


def digest(value: Any) -> bool:
    """Whether it is 64 digits of lower-case hexadecimal."""
    return type(value) is str and _DIGEST.fullmatch(value) is not None


def between(least: int, most: int) -> Callable[[Any], bool]:
    """Return whether something is an integer from ``least`` to ``most``."""
    return lambda value: type(value) is int and least <= value <= most


def one_of(known: tuple[str, ...]) -> Callable[[Any], bool]:
    """Return whether something is one of these strings."""
    return lambda value: type(value) is str and value in known


def nothing_or(shape: Any) -> Callable[[Any], bool]:
    """Return whether something is null, or fits."""
    return lambda value: value is None or misfit(value, shape, "") is None


def _settings(value: Any) -> bool:
    fits = between(1, MAX_SETTING)
    return isinstance(value, dict) and all(fits(setting) for setting in value.values())


def _format(value: Any) -> bool:
    if not isinstance(value, dict) or not one_of(tuple(FORMATS))(value.get("type")):
        return False
    options = {option.name: option.kind for option in FORMATS[value["type"]].options}
    return value.keys() == {"type", *options} and all(
        kind.accepts(value[name]) for name, kind in options.items()
    )


def _failure(value: Any) -> bool:
    """Whether it is ``[seat, decision, reason]``."""
    shape = (natural, positive, text)
    return (
        isinstance(value, list)
        and len(value) == len(shape)
        and all(fits(item) for fits, item in zip(shape, value, strict=True))
    )


def _failures(value: Any) -> bool:
    """Whether it is the policy of a plan, with one of the two limits."""
    shape = {"then": one_of(AFTER_FAILURE), "disqualify_after": natural}
    limits = ({"seconds": positive}, {"processor_seconds": positive})
    return any(misfit(value, {**shape, **limit}, "") is None for limit in limits)


natural, positive = between(0, 2**53 - 1), between(1, 2**53 - 1)
_TABLES = {"edition": text, "digest": digest}
_BOT = {"bot": text, "version": text, "digest": digest}
_PLAN = {
    "name": text,
    "ruleset": text,
    "rules_version": text,
    "rules_digest": digest,
    "tables": nothing_or(_TABLES),
    "options": lambda value: isinstance(value, dict),
    "seats": between(2, MAX_SEATS),
    "entries": [
        {
            "name": text,
            "kind": one_of((BOT,)),
            "bot": text,
            "version": text,
            "settings": _settings,
            "entropy_commitment": nothing_or(digest),
        }
    ],
    "format": _format,
    "rotations": one_of(ROTATIONS),
    "points": one_of(POINTS),
    "tie_breaks": [one_of(TIE_BREAKS)],
    "failures": _failures,
    "rated": flag,
}
_RESULT = {
    "version": positive,
    "head": digest,
    "ranks": [positive],
    "scores": [integer],
    "failures": [_failure],
    "cpu_us": [natural],
}
_STOP = {"reason": text, "after_block": natural, "seed": digest}
_SALT = {"salt_secret": digest}

_PAUSED = {"paused": {"reason": one_of((BLOCK_ABANDONED,)), "block": positive}}
"""Of a pause by the service; the host gives no reason."""

PARTS: dict[str, dict[str, Any]] = {
    "created": {"created": {"plan": _PLAN, "chance": {"scope": text, "commitment": digest}}},
    "entropy_revealed": {"entropy_revealed": {"entry": natural, "entropy": digest}},
    "started": {},
    "code_declared": {"code_declared": {"rules_digest": digest, "bots": [_BOT]}},
    "paired": {
        "paired": {
            "round": positive,
            "first_block": positive,
            "lineups": [[natural]],
            "byes": [natural],
        }
    },
    "block_ended": {"block_ended": {"block": positive, "games": [_RESULT]}},
    "block_abandoned": {
        "block_abandoned": {
            "block": positive,
            "try": positive,
            "rotation": natural,
            "seat": natural,
            "decision": positive,
            "reason": one_of(SERVICE_REASONS),
            "games": [nothing_or({"version": positive, "head": digest})],
        }
    },
    "disqualified": {"disqualified": {"entry": natural, "block": positive, "reason": text}},
    "paused": {},
    "resumed": {},
    "extended": {"extended": {"games": between(1, MAX_GAMES)}},
    "ended": {"ended": _STOP, "salt": _SALT},
    "cancelled": {"cancelled": _STOP, "salt": _SALT},
}
"""The parts of each kind; all of them are public."""


def misfits(copy: dict[str, Any]) -> list[str]:
    """Return what is wrong with the parts of an event's copy: too few, too many, or misshapen."""
    parts = _PAUSED if "paused" in copy["parts"] else PARTS.get(copy["kind"])
    if parts is None:
        return [f"there is no kind {shown(copy['kind'])}"]
    if not parts.keys() == copy["parts"].keys() == copy["body"].keys():
        return [f"{copy['kind']} has and shows the parts {sorted(parts)}, and no others"]
    if any(audience != "public" for audience in copy["audiences"].values()):
        return ["all of a tournament is public"]
    found = (misfit(copy["body"][name], shape, name) for name, shape in parts.items())
    return [wrong for wrong in found if wrong is not None]
