"""Clients that use the service only over HTTP, on this machine."""

import http.client
import random
import threading
import time
from collections.abc import Callable
from copy import copy
from typing import Any, NamedTuple, Self

import orjson

Json = dict[str, Any]
LOST = (OSError, http.client.HTTPException)
"""The errors that a client gets if the service dies."""


class Answer(NamedTuple):
    """An answer: status, headers and body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return orjson.loads(self.body)


class Client:
    """A client of the service at 127.0.0.1:port, with or without a key.

    Its requests come from ``address``, one of this machine's. Two players from one address play no
    rated games.
    """

    def __init__(
        self, port: int, key: str = "", id_: str = "", *, address: str = "127.0.0.1"
    ) -> None:
        self.port = port
        self.address = address
        self.key = key
        self.id = id_

    def connect(self, timeout: float) -> http.client.HTTPConnection:
        """Return a connection, which is not open yet."""
        source = (self.address, 0)
        return http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=timeout, source_address=source
        )

    def known_as(self, key: str, id_: str) -> Self:
        """Return a client of the same service, with a key."""
        found = copy(self)
        found.key, found.id = key, id_
        return found

    def ask(
        self, method: str, path: str, body: Any = None, *, timeout: float = 30.0, **headers: Any
    ) -> Answer:
        """Send one request. Raises one of LOST if there is no answer."""
        connection = self.connect(timeout)
        try:
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            if self.key:
                sent["Authorization"] = f"Bearer {self.key}"
            if body is not None:
                sent["Content-Type"] = "application/json"
            data = None if body is None else orjson.dumps(body)
            connection.request(method, path, data, sent)
            answer = connection.getresponse()
            return Answer(answer.status, dict(answer.headers), answer.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: Any) -> Json:
        """Return the JSON of a path; fail unless the status is 200."""
        answer = self.ask("GET", path, **headers)
        assert answer.status == 200, answer
        found: Json = answer.json
        return found

    def post(self, path: str, body: Any, **headers: Any) -> Json:
        answer = self.ask("POST", path, body, **headers)
        assert answer.status == 201, answer
        found: Json = answer.json
        return found

    def player(self, name: str = "Ana") -> Self:
        made = self.post("/v1/players", {"name": name})
        return self.known_as(made["key"], made["id"])

    def open(self, ruleset: str, *bots: str) -> str:
        """Open a table with the player and bots; return its path."""
        seats = [{"holder": "me"}, *({"holder": "bot", "bot": bot} for bot in bots)]
        game = self.post("/v1/games", {"ruleset": ruleset, "options": {}, "seats": seats})
        return f"/v1/games/{game['id']}"

    def events(self, game: str, after: int = 0) -> list[Json]:
        found: list[Json] = []
        at: int | None = after
        while at is not None:
            page = self.get(f"{game}/events?after={at}&limit=500")
            found += page["events"]
            at = page["next_after"]
        return found

    def is_over(self, game: str) -> bool:
        over: bool = self.get(game)["status"] in ("ended", "aborted")
        return over

    def next_move(self, game: str, rng: random.Random, seconds: float = 60.0) -> Json | None:
        """Wait for a decision and choose a random legal move; None at the end of the game."""

        def asked() -> Json | bool:
            listed = self.get(f"{game}/legal_moves")
            if listed["moves"]:
                return listed
            return self.is_over(game)

        listed = wait_for(asked, seconds)
        if isinstance(listed, bool):
            return None
        return {
            "seat": listed["seat"],
            "move": rng.choice(listed["moves"]),
            "expected_version": listed["version"],
        }

    def play_on(self, game: str, rng: random.Random) -> int:
        """Play until the game is over; return the number of moves."""
        moves = 0
        while (move := self.next_move(game, rng)) is not None:
            self.post(f"{game}/moves", move)
            moves += 1
        return moves


class Follower(threading.Thread):
    """Reads a game's stream until the game is over, and resumes it after each interruption.

    ``query`` is that of the stream.
    """

    def __init__(self, client: Client, game: str, query: str = "") -> None:
        super().__init__(daemon=True)
        self.events: list[Json] = []
        self.ended: Json | None = None
        self.connections = 0
        self.failure: BaseException | None = None
        self._client = client
        self._game = game
        self._query = query
        self._break_off = threading.Event()

    @property
    def version(self) -> int:
        return self.events[-1]["seq"] if self.events else 0

    def break_off(self) -> None:
        """Close the connection after the next event, and resume the stream."""
        self._break_off.set()

    def heard(self, event: Json) -> None:
        """Called with each event as soon as it has come."""

    def run(self) -> None:
        try:
            while self.ended is None:
                try:
                    self._read()
                except LOST:
                    time.sleep(0.02)
        except BaseException as error:  # noqa: BLE001 - the test tells
            self.failure = error

    def _read(self) -> None:
        connection = self._client.connect(30)
        try:
            headers = {"Authorization": f"Bearer {self._client.key}"}
            if self.events:
                headers["Last-Event-ID"] = str(self.version)
            connection.request("GET", f"{self._game}/stream{self._query}", headers=headers)
            answer = connection.getresponse()
            if answer.status == 503:
                time.sleep(0.05)
                return
            assert answer.status == 200, answer.read()
            self.connections += 1
            message: dict[str, str] = {}
            while line := answer.readline().decode():
                name, _, value = line.rstrip("\n").partition(": ")
                if name:
                    message[name] = value
                    continue
                if self._hear(message):
                    return
                message = {}
        finally:
            connection.close()

    def _hear(self, message: dict[str, str]) -> bool:
        """Process one message; return whether to close the connection."""
        if message.get("event") == "end":
            self.ended = orjson.loads(message["data"])
            return True
        if "data" in message:
            event = orjson.loads(message["data"])
            assert event["seq"] == int(message["id"]) == self.version + 1
            self.events.append(event)
            self.heard(event)
            if self._break_off.is_set():
                self._break_off.clear()
                return True
        return False


def wait_for(what: Callable[[], Any], seconds: float = 60.0) -> Any:
    """Call ``what`` until its result is true, and return that; fail if this takes too long.

    The pauses grow, because each call takes processor time from the service.
    """
    pause, deadline = 0.01, time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(pause)
        pause = min(pause * 1.2, 0.2)
    return found


def answers(port: int, path: str = "/healthz", *, seconds: float = 2.0) -> bool:
    """Whether the service answers within ``seconds``."""
    try:
        return Client(port).ask("GET", path, timeout=seconds).status == 200
    except LOST:
        return False
