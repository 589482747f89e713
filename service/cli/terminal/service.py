"""A table of a running service: its public API, its stream, and nothing else."""

import http.client
import socket
import ssl
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.preview import DRAW, END, REVEAL
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from service.cli import common
from service.cli.terminal.choosing import Legal
from service.cli.terminal.tables import Position, Refused, Told, name
from service.cli.terminal.texts import say
from service.terminal import printable

TIMEOUT_SECONDS = 30
PAUSE_SECONDS = 1.0
"""So long a broken stream is left alone."""
TRIES = 3
PAGE = 200
_STOPS = {DRAW: "stops_draw", REVEAL: "stops_reveal", END: "stops_end"}


class UnreachableError(Exception):
    """The service does not answer; the message says why."""


class Api:
    """Requests to one service, with a key or without."""

    def __init__(self, url: str, key: str | None, language: str) -> None:
        """Raises ValueError: the address is none of HTTP."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"a service's address begins with http:// or https://, not {url!r}")
        self.url = url.rstrip("/")
        self.language = language
        self._host, self._port = parts.hostname, parts.port
        self._base = f"{parts.path.rstrip('/')}/v1"
        self._secure = parts.scheme == "https"
        self._headers = {"Accept-Language": language}
        self.has_key = bool(key)
        if key:
            self._headers["Authorization"] = f"Bearer {key}"

    def get(self, path: str, **query: object) -> Any:
        """Return an answer. Raises Refused, UnreachableError."""
        return self._ask("GET", path, None, query)

    def post(self, path: str, body: object, **headers: str) -> Any:
        """Return the answer to a form; the same again if it was lost. Raises as ``get``."""
        return self._ask("POST", path, body, {}, headers)

    def put(self, path: str, body: object) -> Any:
        """Return the answer to what was put. Raises as ``get``."""
        return self._ask("PUT", path, body, {})

    def open(self, path: str, query: Mapping[str, object]) -> "Stream":
        """Open a stream. Raises Refused, UnreachableError."""
        connection = self._connection()
        try:
            connection.connect()
            plug = connection.sock
            connection.request("GET", self._path(path, query), headers=self._headers)
            answer = connection.getresponse()
            if answer.status != 200:
                raise _refusal(answer.status, answer.read())
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise UnreachableError(str(error) or type(error).__name__) from None
        return Stream(plug, answer)

    def _ask(
        self,
        method: str,
        path: str,
        body: object,
        query: Mapping[str, object],
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        sent = {**self._headers, **(headers or {})}
        payload = None
        if body is not None:
            payload = orjson.dumps(body)
            sent["Content-Type"] = "application/json"
        tries = TRIES if method != "POST" or "Idempotency-Key" in sent else 1
        while True:
            try:
                status, told = self._try(method, self._path(path, query), payload, sent)
            except (OSError, http.client.HTTPException) as error:
                tries -= 1
                if not tries:
                    raise UnreachableError(str(error) or type(error).__name__) from None
                time.sleep(PAUSE_SECONDS)
            else:
                if status >= 400:
                    raise _refusal(status, told)
                return orjson.loads(told)

    def _try(
        self, method: str, path: str, payload: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        connection = self._connection()
        try:
            connection.request(method, path, payload, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        if self._secure:
            return http.client.HTTPSConnection(
                self._host, self._port, timeout=TIMEOUT_SECONDS,
                context=ssl.create_default_context(),
            )  # fmt: skip
        return http.client.HTTPConnection(self._host, self._port, timeout=TIMEOUT_SECONDS)

    def _path(self, path: str, query: Mapping[str, object]) -> str:
        asked = {key: value for key, value in query.items() if value is not None}
        return f"{self._base}{path}" + (f"?{urlencode(asked)}" if asked else "")


def _refusal(status: int, body: bytes) -> Refused:
    try:
        problem = orjson.loads(body)
        detail = problem.get("detail") or problem["title"]
        return Refused(printable(f"{detail} ({problem['code']})"))
    except (ValueError, KeyError, TypeError, AttributeError):
        return Refused(f"HTTP {status}")


class Stream:
    """Server-sent events, as they come."""

    def __init__(self, plug: Any, answer: http.client.HTTPResponse) -> None:
        self._plug = plug
        self._answer = answer

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """Yield each message's name and data; it ends with the connection. Raises OSError."""
        name = "message"
        for raw in self._answer:
            field, _, value = raw.decode().rstrip("\n").partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                yield name, orjson.loads(value)
                name = "message"

    def close(self) -> None:
        """Break the connection, also under whoever waits for a message."""
        try:
            self._plug.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # it is broken already


class Message(NamedTuple):
    """What a stream brought: an event with what stands after it, or why there is none."""

    event: JsonObject | None
    trouble: str = ""


class ServiceTable:
    """A game of a service, at a seat of one's own or as a spectator (None)."""

    def __init__(
        self, api: Api, game: JsonObject, ruleset: Ruleset[Any], seat: Seat | None
    ) -> None:
        """``game`` is as the API answers; everything that happened is asked for. Raises Refused."""
        self._api = api
        self._id: str = game["id"]
        self._path = _path(self._id)
        self.seat = seat
        self.ruleset = ruleset
        self.language = api.language
        self.log: list[Told] = []
        self._stream: Stream | None = None
        self._messages: Iterator[tuple[str, Any]] = iter(())
        self._closed = False
        self._position = self._now(game)
        self._read_log()

    @property
    def comes_back(self) -> str:
        """How to come back to the table."""
        return say(self.language, "come_back", url=self._api.url, game=self._id)

    @property
    def _eyes(self) -> str | int:
        return "spectator" if self.seat is None else self.seat

    def position(self) -> Position:
        """Return how the game stood after the last event that came."""
        return self._position

    def preview(self, move: JsonObject) -> Sequence[str]:
        """Return what a legal move would do. Raises Refused."""
        form = self._form(move)
        try:
            found = self._api.post(f"{self._path}/preview", form)
        except UnreachableError as error:
            raise Refused(str(error)) from None
        told = [effect["text"] for effect in found["effects"][len(_says(self.ruleset, move)) :]]
        if found["stops_at"] is not None:
            told.append(say(self.language, _STOPS[found["stops_at"]]))
        elif found["next"] is not None:
            seats = [Seat(seat) for seat in found["next"]["seats"]]
            asks = found["next"]["label"]
            if seats == [self.seat]:
                told.append(say(self.language, "next_you", asks=asks))
            else:
                who = ", ".join(name(self.ruleset, seat, self.language) for seat in seats)
                told.append(say(self.language, "next_other", who=who, asks=asks))
        return told

    def play(self, move: JsonObject) -> None:
        """Make a move; what it does comes with the stream. Raises Refused."""
        sent = {"Idempotency-Key": str(uuid.uuid4())}
        before = self._position
        try:
            self._api.post(f"{self._path}/moves", self._form(move), **sent)
        except UnreachableError as error:
            raise Refused(str(error)) from None
        if self._position is before:  # else the stream was faster
            self._position = replace(before, question="", asked="", decision=0, legal=None)

    def _form(self, move: JsonObject) -> JsonObject:
        return {"seat": self.seat, "move": move, "expected_version": self._position.version}

    def think(self) -> Message | None:
        """Wait for what happens next; None: nothing will."""
        if self._closed or self._position.over:
            return None
        try:
            if self._stream is None:
                self._connect()
            name, data = next(self._messages, ("broken", None))
        except (OSError, ValueError, http.client.HTTPException) as error:
            return self._broken(str(error))
        except UnreachableError as error:
            return self._broken(str(error))
        except Refused as error:
            return self._broken(str(error))
        if name == "message":
            return Message(data)
        if name == "end":
            return self._ended()
        return self._broken(name)

    def _connect(self) -> None:
        include = "words,state" if self.seat is None else "words,state,legal_moves,groups"
        query = {"include": include, "after": self._position.version, "seat": self._eyes}
        self._stream = self._api.open(f"{self._path}/stream", query)
        self._messages = iter(self._stream)

    def _broken(self, why: str) -> Message | None:
        """Leave a broken stream alone for a while; None if it was left on purpose."""
        self._stream = None
        if self._closed:
            return None
        time.sleep(PAUSE_SECONDS)
        return Message(None, say(self.language, "lost", why=why))

    def _ended(self) -> Message | None:
        self._closed = True
        return Message(None)

    def take(self, thought: Message) -> None:
        """Take over what a message brought."""
        event = thought.event
        if event is None:
            if thought.trouble and (not self.log or self.log[-1].lines != [thought.trouble]):
                self.log.append(Told(self._position.version, [thought.trouble]))
            elif self._closed:
                self._settle()
            return
        self._tell(event)
        if event["seq"] == event["last"]:  # no one is asked within a batch
            legal = event.get("legal_moves")
            self._position = self._stands(event["state"], legal, event.get("groups"))
            if self._position.over:
                self._settle()

    def _tell(self, event: JsonObject) -> None:
        if event["words"]:
            lines = [printable(text) for text in event["words"]]  # names come from strangers
            self.log.append(Told(event["seq"], lines))

    def _settle(self) -> None:
        try:
            self._position = self._now(self._api.get(self._path))
        except (Refused, UnreachableError):
            return  # the last position that came stands

    def close(self) -> None:
        """Stop waiting for what happens."""
        self._closed = True
        if self._stream is not None:
            self._stream.close()

    def _now(self, game: JsonObject) -> Position:
        """Ask how the game stands. Raises Refused, UnreachableError."""
        state = self._api.get(f"{self._path}/state", seat=self._eyes)
        moves = None
        if self.seat is not None and any(d["seat"] == self.seat for d in state["decisions"]):
            moves = self._api.get(f"{self._path}/legal_moves", seat=self.seat, group="true")
        legal = None if moves is None else moves
        return self._stands(state, legal, None if legal is None else legal["groups"], game)

    def _stands(
        self,
        state: JsonObject,
        moves: JsonObject | None,
        groups: list[JsonObject] | None,
        game: JsonObject | None = None,
    ) -> Position:
        decisions = state["decisions"]
        legal = None
        if moves and moves["moves"]:
            legal = Legal(moves["moves"], moves["labels"], groups or moves.get("groups") or [])
        over = state["status"] in ("ended", "aborted")
        return Position(
            state["version"],
            self.seat,
            state["state"],
            decisions[0]["name"] if decisions else "",
            decisions[0]["label"] if decisions else "",
            tuple(Seat(decision["seat"]) for decision in decisions),
            next((one["id"] for one in decisions if one["seat"] == self.seat), 0),
            legal,
            None if game is None else game["result"],
            over,
        )

    def _read_log(self) -> None:
        """Ask for all that happened."""
        after = 0
        while after < self._position.version:
            limit = min(PAGE, self._position.version - after)
            page = self._api.get(
                f"{self._path}/events", after=after, limit=limit, include="words", seat=self._eyes
            )["events"]
            if not page:
                return
            for event in page:
                self._tell(event)
            after = page[-1]["seq"]


def _says(ruleset: Ruleset[Any], move: JsonObject) -> Sequence[str]:
    """Return the effects that only repeat a move, which come first."""
    return ruleset.recorded_move(move).says


@contextmanager
def failures() -> Iterator[None]:
    """Tell what a service refuses, or that it does not answer, as a command does: as Failure."""
    try:
        yield
    except ValueError as error:
        raise common.Failure(f"{str(error)[0].upper()}{str(error)[1:]}.") from None
    except Refused as error:
        raise common.Failure(f"The service refuses: {error}") from None
    except UnreachableError as error:
        raise common.Failure(f"The service does not answer: {error}") from None


def open_table(
    api: Api, registry: Registry, game_id: str, seat: Seat | None, *, plays: bool = True
) -> ServiceTable:
    """Return the table of a game, at one's own seat if one ``plays`` and has any there.

    Otherwise one looks on, with the eyes of ``seat`` if that is allowed.

    Raises:
        Refused, UnreachableError: the service says so, or says nothing.
        Failure: its ruleset is not installed here.

    """
    game = api.get(_path(game_id))
    ruleset = common.find_ruleset(registry, game["ruleset"])
    if plays:
        own = own_seats(api, game)
        seat = seat if seat in own else next(iter(own), None)
    return ServiceTable(api, game, ruleset, seat)


def sit_down(api: Api, game_id: str, seat: Seat) -> None:
    """Take a seat. Raises Refused, UnreachableError."""
    api.put(f"{_path(game_id)}/seats/{seat}", {"holder": "me"})


def _path(game_id: str) -> str:
    return f"/games/{quote(game_id, safe='')}"


def own_seats(api: Api, game: JsonObject) -> list[Seat]:
    """Return the seats that the key's player holds. Raises Refused, UnreachableError."""
    if not api.has_key:
        return []
    me = api.get("/players/me")["id"]
    return [Seat(one["seat"]) for one in game["seats"] if one.get("player") == me]


def new_game(api: Api, ruleset: str, seats: int, seat: Seat, bot: str, options: JsonObject) -> str:
    """Open a table against bots; return its id. Raises Refused, UnreachableError."""
    holders = [
        {"holder": "me"} if number == seat else {"holder": "bot", "bot": bot}
        for number in range(seats)
    ]
    form = {"ruleset": ruleset, "options": options, "seats": holders}
    sent = {"Idempotency-Key": str(uuid.uuid4())}
    found: str = api.post("/games", form, **sent)["id"]
    return found
