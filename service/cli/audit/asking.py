"""What the service of a log answers to strangers, asked no faster than it allows."""

import threading
import time
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from lonja_client import Client, LonjaError, Refused

from rules.kernel.canonical import JsonObject
from service.auditing import fates
from service.cli.remote import TIMEOUT_SECONDS

PATIENCE_SECONDS = 150.0
"""Time for which a request is repeated while the service asks for patience: its limits count by the
minute."""
PAGE = 1000
"""Maximum number of events in an answer."""
_SEALED = frozenset(("game_sealed", "not_your_seat"))


class EventAnswer(NamedTuple):
    """What the service shows of an id: its fate, and the headers after an event.

    ``why`` is the service's own reason if it shows no events; ``version`` their number.
    """

    fate: str
    version: int
    headers: list[JsonObject]
    why: str = ""


class FetchedRecord(NamedTuple):
    """A record in a file; without one, the fate of its id, and why there is none.

    ``silent`` says that the service does not answer.
    """

    file: Path | None
    fate: str
    why: str = ""
    silent: bool = False


class Service:
    """A service, which threads may share."""

    def __init__(self, url: str, rate: float) -> None:
        """``rate`` is the maximum number of requests a second. Raises ValueError: no address."""
        self._client = Client(url, patience=PATIENCE_SECONDS, timeout=TIMEOUT_SECONDS)
        self._interval = 1 / rate
        self._next = 0.0
        self._lock = threading.Lock()
        self._keys: dict[str, str] | None = None

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def get(self, path: str, **query: object) -> JsonObject:
        """Return an answer. Raises LonjaError."""
        self._wait()
        found: JsonObject = self._client.get(path, **query)
        return found

    def shown(self, id_: str, after: int) -> EventAnswer:
        """Return what the service shows of the events after number ``after``.

        Raises LonjaError: it does not answer.
        """
        path = f"{path_of(id_)}/{'headers' if id_.startswith('g') else 'events'}"
        headers: list[JsonObject] = []
        try:
            while True:
                page = self.get(path, after=after + len(headers), limit=PAGE)
                headers += page["events"]
                if not page["events"] or page["next_after"] is None:
                    return EventAnswer(fates.OPEN, after + len(headers), headers)
        except Refused as error:
            return self._refused(id_, error)

    def _refused(self, id_: str, error: Refused) -> EventAnswer:
        """Return what follows from a refusal. Raises LonjaError."""
        if error.code in _SEALED:
            return EventAnswer(fates.SEALED, int(self.get(path_of(id_))["version"]), [])
        return EventAnswer(_fate(error), 0, [], str(error))

    def head(self, id_: str) -> JsonObject | None:
        """Return the service's receipt of the newest event; None if it gives none."""
        try:
            return self.get(f"{path_of(id_)}/head")
        except LonjaError:
            return None

    def public_key(self, receipt: JsonObject) -> str | None:
        """Return the key (hex) that the service says has signed a receipt. Raises LonjaError."""
        if self._keys is None:
            found = self.get("/signing_keys")["keys"]
            self._keys = {one["key_id"]: one["public_key"] for one in found}
        return self._keys.get(receipt["key_id"])

    def record(self, id_: str, file: Path) -> FetchedRecord:
        """FetchedRecord a record into a file."""
        self._wait()
        try:
            with file.open("wb") as opened:
                opened.writelines(self._client.download(f"{path_of(id_)}/record"))
        except LonjaError as error:
            file.unlink()
            if not isinstance(error, Refused):
                return FetchedRecord(None, fates.UNTOLD, str(error), silent=True)
            sealed = error.code in _SEALED
            return FetchedRecord(None, fates.SEALED if sealed else _fate(error), str(error))
        return FetchedRecord(file, fates.OVER_NOW)

    def _wait(self) -> None:
        with self._lock:
            now = time.monotonic()
            turn = max(self._next, now)
            self._next = turn + self._interval
        time.sleep(turn - now)


def path_of(id_: str) -> str:
    """Return the path of a game or tournament."""
    return f"/games/{id_}" if id_.startswith("g") else f"/tournaments/{id_}"


def _fate(error: Refused) -> str:
    """Return the fate of an id of which the service shows nothing."""
    if error.status == HTTPStatus.NOT_FOUND:
        return fates.DROPPED
    if error.status == HTTPStatus.CONFLICT:
        return fates.SUSPENDED if error.code.endswith("_damaged") else fates.UNTOLD
    return fates.UNTOLD
