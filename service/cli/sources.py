"""Sources of a game's events: a file, the service's Redis, or a service's HTTP API."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol
from urllib.parse import quote

from lonja_client import SPECTATOR

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.contract.seats import Seat
from rules.kernel.record.events import Event
from service.cli import downloads
from service.cli.common import Failure
from service.cli.remote import service_at
from service.ledger import export
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError, RewoundError
from service.runtime import Runtime


class GameSource(Protocol):
    """One game, as one viewer sees it."""

    def header(self) -> JsonObject:
        """Return the first line of the record; must be called first. Raises Failure."""
        ...

    def copies(self) -> Iterator[JsonObject]:
        """Yield the lines after the record's header: the copies of the events. Raises Failure."""
        ...


class StoredGame:
    """A game in the Redis of the service on this machine; ``viewer`` is a seat or None."""

    def __init__(self, runtime: Runtime, game_id: str, viewer: Seat | None) -> None:
        self._runtime = runtime
        self._viewer = viewer
        self.game_id = game_id
        try:
            self._table = runtime.ledger.table(game_id)
        except GameDamagedError as error:
            raise Failure(f"The game cannot be read: {error}.") from None
        except (GameNotFoundError, ValueError):
            raise Failure(f"There is no game {game_id!r} here.") from None
        except UnknownRulesetError as error:
            raise Failure(f"The game cannot be read: {error}.") from None
        self._game = self._table.game
        if viewer is not None and not 0 <= viewer < len(self._game.seats):
            raise Failure(f"There is no seat {viewer} in this game.")

    @property
    def version(self) -> int:
        """The version up to which events are read, even if the game goes on meanwhile."""
        return self._game.version

    @property
    def over(self) -> bool:
        """Whether everything is revealed."""
        return self._game.over

    def header(self) -> JsonObject:
        try:
            return export.header(self._runtime, self._table, self._viewer)
        except GameDamagedError as error:
            raise Failure(f"Nobody signs the record: {error}.") from None

    def copies(self) -> Iterator[JsonObject]:
        with self._rewound():
            yield from export.copies(self._runtime, self._table, self._viewer)

    def events(self) -> Iterator[Event]:
        """Yield the events with all their parts.

        They are for describing the game in words. They must not be exported, because they are not
        limited to what the viewer may see.
        """
        with self._rewound():
            for event, _prev_hash in export.chained(self._runtime.ledger, self._table):
                yield event

    @contextmanager
    def _rewound(self) -> Iterator[None]:
        try:
            yield
        except RewoundError:
            raise Failure(f"The stream of {self.game_id} was rewound: try again.") from None


class RemoteGame:
    """A game of the service at ``url``, as the holder of ``key`` or a spectator sees it."""

    def __init__(
        self, url: str, game_id: str, key: str | None, viewer: Seat | None, language: str
    ) -> None:
        self._lines = _sent(url, game_id, key, viewer, language)

    def header(self) -> JsonObject:
        return next(self._lines)

    def copies(self) -> Iterator[JsonObject]:
        return self._lines


def _sent(
    url: str, game_id: str, key: str | None, viewer: Seat | None, language: str
) -> Iterator[JsonObject]:
    """Yield the lines of a record from a service. Raises Failure."""
    with service_at(url, key, language=language) as service:
        path = f"/games/{quote(game_id, safe='')}/record"
        yield from downloads.game(service, path, SPECTATOR if viewer is None else viewer)
