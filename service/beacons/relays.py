"""Fetches rounds of beacons from their relays, which may be slow, lie, or not answer.

Nobody waits for a relay: each round is fetched in a thread, and whoever needs it asks again.
"""

import time
from collections import OrderedDict
from collections.abc import Mapping
from http import HTTPStatus
from threading import Lock, Thread
from typing import Any, NamedTuple

import orjson
import structlog

from service.beacons.chains import is_signed
from service.beacons.sources import OfferedChain
from service.outbound.asking import Asker, NoAnswerError
from service.outbound.targets import ANYWHERE, Target

log = structlog.get_logger(__name__)

SECONDS = 5.0
"""Time limit for the answer of a relay."""
FIRST_RETRY_SECONDS, LAST_RETRY_SECONDS = 1.0, 30.0
"""Time after which the relays are asked for a round again, at first and at most."""
MOST_ROUNDS = 1_000
"""Maximum number of rounds that are remembered; the oldest are forgotten."""
MOST_THREADS = 8
"""Maximum number of rounds that are fetched at the same time."""
_MOST_BYTES = 4_096


class RoundAnswer(NamedTuple):
    """A round's signature, in hex, if it is known; and whether relays failed to give it."""

    signature: str | None
    failed: bool


class _Round:
    def __init__(self) -> None:
        self.signature: str | None = None
        self.failed = False
        self.is_asked_for = False
        self.again_at = 0.0
        self.pause = FIRST_RETRY_SECONDS


class Relays:
    """The relays of the chains in ``sources`` (by their hashes)."""

    def __init__(self, sources: Mapping[str, OfferedChain], seconds: float = SECONDS) -> None:
        self._sources = sources
        self._asker = Asker(ANYWHERE, seconds)
        self._lock = Lock()
        self._rounds: OrderedDict[tuple[str, int], _Round] = OrderedDict()
        self._running = 0

    def find(self, chain: str, number: int) -> RoundAnswer:
        """Return the signature of a published round, if it is here; else begin to fetch it.

        A chain that is not among the sources counts as failed.
        """
        source = self._sources.get(chain)
        if source is None:
            return RoundAnswer(None, failed=True)
        with self._lock:
            found = self._rounds.setdefault((chain, number), _Round())
            while len(self._rounds) > MOST_ROUNDS:
                self._rounds.popitem(last=False)
            waits = found.is_asked_for or time.monotonic() < found.again_at
            if found.signature is None and not waits and self._running < MOST_THREADS:
                found.is_asked_for = True
                self._running += 1
                args = (source, number, found)
                Thread(target=self._fetch, args=args, name=f"beacon {number}", daemon=True).start()
            return RoundAnswer(found.signature, found.failed)

    def _fetch(self, source: OfferedChain, number: int, found: _Round) -> None:
        signature: str | None = None
        try:
            signature = self._ask_all(source, number)
        finally:
            with self._lock:
                found.signature, found.failed = signature, signature is None
                found.is_asked_for = False
                found.again_at = time.monotonic() + found.pause
                found.pause = min(2 * found.pause, LAST_RETRY_SECONDS)
                self._running -= 1

    def _ask_all(self, source: OfferedChain, number: int) -> str | None:
        """Return the signature that the first relay gives that has the right one."""
        for relay in source.relays:
            why = ""
            try:
                told = self._ask(relay, source.chain.hash, number)
                signature = _signature(told, number)
                if is_signed(source.chain.pinned(), number, bytes.fromhex(signature)):
                    return signature
                why = "the chain did not sign it"
            except NoAnswerError as error:
                why = error.why
            except ValueError as error:
                why = str(error)
            log.warning("beacon_not_fetched", relay=relay.host, round=number, why=why)
        return None

    def _ask(self, relay: Target, chain: str, number: int) -> bytes:
        path = f"{relay.path.rstrip('/')}/{chain}/public/{number}"
        answer = self._asker.get(relay._replace(path=path), _MOST_BYTES)
        if answer.status != HTTPStatus.OK:
            raise ValueError(f"status {answer.status}")
        return answer.body


def _signature(told: bytes, number: int) -> str:
    """Return the signature in a relay's answer. Raises ValueError."""
    found: Any = orjson.loads(told)
    if type(found) is not dict or found.get("round") != number:
        raise ValueError("not an answer about this round")
    signature = found.get("signature")
    if type(signature) is not str or bytes.fromhex(signature).hex() != signature:
        raise ValueError("no signature in hexadecimal digits")
    return signature
