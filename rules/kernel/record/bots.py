"""The part ``bot`` of a move: the bot's code, settings and thoughts (docs/format.md, "Events")."""

from functools import lru_cache
from typing import NamedTuple

from rules.kernel.canonical import Canonical, JsonObject, decoded, digest, encode_known

SHORT = "short"
"""The field of a bot's ``seated``: its moves do not repeat what follows from ``seated``."""

CPU = "cpu_us"
"""The field with the processor time of a decision, in microseconds, if a budget limits it."""


class BotDecision(NamedTuple):
    """A bot's report of a decision: the digest of its code, the events it tried, its thoughts.

    ``thoughts`` must be canonical.
    """

    digest: str
    nodes: int
    thoughts: JsonObject
    whole: bool = False
    """Whether the move repeats what its seat says, as services before 0.3.0 record it."""
    cpu_us: int | None = None
    """The processor time of the decision, in microseconds, if it counts against a budget."""


def bot_part(holder: JsonObject, how: BotDecision) -> Canonical:
    """Return the part ``bot`` of a move, with what follows from the seat's ``holder``."""
    settings = holder["settings"]
    return decoded(
        {
            "bot": holder["bot"],
            "version": holder["version"],
            "digest": how.digest,
            "settings": settings_digest(holder),
            "budget": settings.get("nodes", 0),
            "nodes": how.nodes,
            "thoughts": how.thoughts,
        }
    )


def short_part(how: BotDecision, recorded: str) -> Canonical:
    """Return the part without what follows from the holder.

    It has the digest only if that of the seat's move before (``recorded``) is another.
    """
    told: JsonObject = {"nodes": how.nodes, "thoughts": how.thoughts}
    if how.cpu_us is not None:
        told[CPU] = how.cpu_us
    return decoded(told if how.digest == recorded else {**told, "digest": how.digest})


def without_form(seat: JsonObject) -> JsonObject:
    """Return the part of a ``seated`` without the form in which a bot's moves are recorded."""
    return {name: value for name, value in seat.items() if name != SHORT}


def settings_digest(holder: JsonObject) -> str:
    """Return the digest of a bot's settings."""
    return _digest(encode_known(holder["settings"]))


@lru_cache(maxsize=1024)
def _digest(settings: bytes) -> str:
    return digest(settings).hex()
