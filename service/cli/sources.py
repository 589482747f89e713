"""Where a game's events come from: a file, the service's Redis, or a service's HTTP API."""

import contextlib
import http.client
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote, urlencode, urlsplit

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.contract.seats import Seat
from rules.kernel.record.events import Event, copy_for
from service.cli.common import Failure
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError, RewoundError
from service.ledger.origin import Origin
from service.records import game_file
from service.runtime import Runtime

PAGE = 500
ATTEMPTS = 20
TIMEOUT_SECONDS = 30


class Source(Protocol):
    """One game, as one viewer is shown it."""

    def header(self) -> JsonObject:
        """Return the first line of the record; it fixes the version. Raises Failure."""
        ...

    def copies(self, version: int) -> Iterator[JsonObject]:
        """Yield the copies of the events up to ``version``. Raises Failure."""
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
        """The version that is read, even if the game goes on meanwhile."""
        return self._game.version

    @property
    def over(self) -> bool:
        """Whether everything is open."""
        return self._game.over

    def header(self) -> JsonObject:
        game, signer, damage = self._game, self._runtime.signer, self._table.damage
        if damage is not None:
            raise Failure(f"Nobody signs the record: {GameDamagedError(game.id, damage)}.")
        origin = Origin.of(self._runtime.redis, game.id)
        return game_file.header(
            game.id,
            game.created,
            game.version,
            game.status,
            None if game.over else self._viewer,
            signer.head(game) if origin is None else origin.receipt,
            signer.public_key.hex() if origin is None else origin.public_key,
        )

    def copies(self, version: int) -> Iterator[JsonObject]:
        for event, prev_hash in self._chained(version):
            yield copy_for(
                self._viewer, event, prev_hash, self._table.secrets.salt, self._game.access, version
            )

    def events(self) -> Iterator[Event]:
        """Yield the events with all their parts: for words, never for an export."""
        for event, _prev_hash in self._chained(self.version):
            yield event

    def _chained(self, version: int) -> Iterator[tuple[Event, bytes]]:
        for after in range(0, version, PAGE):
            limit = min(PAGE, version - after)
            try:
                yield from self._runtime.ledger.history(self._game, after, limit)
            except RewoundError:
                raise Failure(f"The stream of {self.game_id} was rewound: try again.") from None


class RemoteGame:
    """A game of a service that answers HTTP at ``url``, seen with ``key`` or as a spectator."""

    def __init__(self, url: str, game_id: str, key: str | None, viewer: Seat | None) -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise Failure(f"A service's address begins with http:// or https://, not {url!r}.")
        self._service = url.rstrip("/")
        self._base = f"{self._service}/v1/games/{quote(game_id, safe='')}"
        self._key = key
        self._viewer = viewer

    def header(self) -> JsonObject:
        game, head = self._settled()
        keys = self._json(f"{self._service}/v1/signing_keys")["keys"]
        if game.get("imported"):
            keys = [game["imported"]]
        (public_key,) = [k["public_key"] for k in keys if k["key_id"] == head["key_id"]]
        (first,) = self._lines(0, 1)
        return game_file.header(
            game["id"],
            first["body"]["game"],
            game["version"],
            game["status"],
            None if game["status"] in ("ended", "aborted") else self._viewer,
            head,
            public_key,
        )

    def _settled(self) -> tuple[JsonObject, JsonObject]:
        """Return the game and its signed head at one version, though it may go on meanwhile."""
        for _ in range(ATTEMPTS):
            game, head = self._json(self._base), self._json(f"{self._base}/head")
            if game["version"] == head["seq"]:
                return game, head
        raise Failure("The game moves too fast to be exported: try again.")

    def copies(self, version: int) -> Iterator[JsonObject]:
        for after in range(0, version, PAGE):
            yield from self._lines(after, min(PAGE, version - after))

    def _json(self, url: str) -> Any:
        return orjson.loads(self._get(url, "application/json"))

    def _lines(self, after: int, limit: int) -> list[JsonObject]:
        seat = "spectator" if self._viewer is None else self._viewer
        asked = urlencode({"after": after, "limit": limit, "seat": seat})
        body = self._get(f"{self._base}/events?{asked}", "application/x-ndjson")
        return [orjson.loads(line) for line in body.splitlines() if line]

    def _get(self, url: str, media_type: str) -> bytes:
        request = urllib.request.Request(url, headers={"Accept": media_type})  # noqa: S310 - the scheme is checked
        if self._key:
            request.add_header("Authorization", f"Bearer {self._key}")
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310
                body: bytes = answer.read()
                return body
        except urllib.error.HTTPError as error:
            raise Failure(f"The service refuses: {problem_of(error)}") from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise Failure(f"The service does not answer: {error}") from None


def problem_of(error: urllib.error.HTTPError) -> str:
    """Return what a service answered, in words."""
    with contextlib.suppress(Exception):
        problem = orjson.loads(error.read())
        return f"{problem['title']} ({problem['code']}, {error.code})"
    return f"HTTP {error.code}"


def file_exists(text: str) -> bool:
    """Whether ``text`` names a file rather than a game."""
    return Path(text).is_file()
