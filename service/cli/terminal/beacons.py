"""What the terminal says of the beacon that goes into a game's luck."""

from collections.abc import Iterator

from rules.kernel.canonical import JsonObject
from rules.kernel.record.beacons import round_after, round_ms
from rules.kernel.record.instants import from_ms, to_ms
from service.cli.terminal.texts import say

_QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
"""The chain of the League of Entropy, which everybody can ask for its rounds."""

Beacon = JsonObject
"""What the service tells of a game's beacon (the schema ``Beacon`` of the API)."""


def terms(beacon: Beacon, url: str, language: str) -> Iterator[str]:
    """Yield what a beacon means for a game that has not started, at the service with this URL."""
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
    return "quicknet (League of Entropy)" if chain == _QUICKNET else f"{chain[:16]}…"
