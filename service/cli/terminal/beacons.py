"""Lines of the terminal about a game's beacon: its terms, and the round that is awaited."""

from collections.abc import Iterator

from rules.kernel.canonical import JsonObject
from rules.kernel.record.beacons import round_after, round_ms
from rules.kernel.record.instants import from_ms, to_ms
from service.beacons.chains import QUICKNET
from service.cli.terminal.texts import say

Beacon = JsonObject
"""A game's ``beacon`` in answers of the API (its schema ``Beacon``)."""


def terms(beacon: Beacon, url: str, language: str) -> Iterator[str]:
    """Yield the terms of a game that has not started, at the service with this URL."""
    late = say(language, f"beacon_{beacon['late']}")
    yield say(language, "beacon", chain=_name(beacon), late=late)
    yield say(language, "beacon_foreseen", url=url)


def awaited(beacon: Beacon, closed_at: str, language: str) -> str:
    """Say which round a game waits for, if its last seat was taken at ``closed_at``."""
    number = round_after(beacon, to_ms(closed_at))
    at = from_ms(round_ms(beacon, number))
    return say(language, "beacon_awaited", round=number, chain=_name(beacon), at=at)


def _name(beacon: Beacon) -> str:
    chain: str = beacon["chain"]
    return "quicknet (League of Entropy)" if chain == QUICKNET.hash else f"{chain[:16]}…"
