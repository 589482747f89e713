"""The client of a service, for one player.

It repeats a failed request while a repetition may succeed.
"""

import json
import logging
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from lonja_client.answers import BotAccount, GameSummary, Json, Me, OwnSeek, RulesetSummary
from lonja_client.entropy import Entropies
from lonja_client.errors import CUT, Changed, LonjaError, Refused, Unreachable, refusal
from lonja_client.messages import Message, messages
from lonja_client.questions import Question
from lonja_client.retries import Retries
from lonja_client.signing import SigningKey, signing_field
from lonja_client.tables import Table
from lonja_client.transport import (
    NOTHING,
    SILENCE_SECONDS,
    Answer,
    Query,
    Request,
    StreamedAnswer,
    Transport,
)

_LOG = logging.getLogger("lonja_client")
PATIENCE_SECONDS = 60.0
TIMEOUT_SECONDS = 20.0
SEEK_SECONDS = 2.0
"""Interval at which the client looks whether a seek has found its game."""
DISPLACED_SECONDS = 5.0
"""Pause before the client reopens a stream that the service ended to make room for another one."""
OLDER = ("upgrade_unfinished", "invalid_body")
"""Codes with which an older service or store refuses a field that it does not know."""

ME: Mapping[str, Any] = {"holder": "me"}
"""The holder of a seat that is taken by the player who opens the table."""
OPEN: Mapping[str, Any] = {"holder": "open"}
"""The holder of a seat that anyone may take."""


def bot(name: str, **settings: Any) -> Mapping[str, Any]:
    """Return the value for ``Client.open`` that gives a seat to a bot of the service."""
    return {"holder": "bot", "bot": name, **({"settings": settings} if settings else {})}


def challenge(player: str = "any", instead: str | None = None) -> Mapping[str, Any]:
    """Return the value for ``Client.open`` that keeps a seat for a bot account.

    ``player`` is the account's id, or ``any``: one that is present and free. If the bot does not
    come, ``instead``, a bot of the service, takes the seat; if it is None, the seat is open then.
    """
    named = {} if instead is None else {"bot": instead}
    return {"holder": "challenged", "player": player, **named}


class EventStream:
    """One connection of a stream; the stream ends when the connection breaks."""

    def __init__(self, answer: StreamedAnswer) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[Message]:
        """Yield the messages as they come.

        Raises Unreachable: the connection broke, or was silent for too long.
        """
        return messages(self._answer)

    def close(self) -> None:
        """Break the connection, even while another thread waits for a message."""
        self._answer.close()


class Client:
    """Access to a service, with or without a player's key; threads may share the client.

    If a request gets no answer, or the service cannot answer it now, the client sends it again
    under the same ``Idempotency-Key`` for up to ``patience`` seconds. The service carries out the
    request only once. If a stream breaks, the client continues the stream from its last message.
    With a ``folder``, the client keeps receipts there, and contributes the player's entropy to the
    random draws of every game.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        language: str = "en",
        folder: str | Path | None = None,
        patience: float = PATIENCE_SECONDS,
        timeout: float = TIMEOUT_SECONDS,
        signing_key: SigningKey | None = None,
        warn: Callable[[str], None] = _LOG.warning,
    ) -> None:
        """Make a client; an answer may take ``timeout`` seconds, and ``patience`` 0 means one try.

        With the ``signing_key``, which only the caller holds, it signs all moves at tables with
        ``signatures``.

        ``warn`` gets a message if the folder cannot be written. Then the client contributes no
        entropy, and keeps receipts only in memory.

        Raises ValueError: ``url`` is not an HTTP address, or the key cannot be sent.
        """
        self._transport = Transport(f"{url.rstrip('/')}/v1", key, language, timeout)
        self._settings: Mapping[str, Any] = {
            "language": language, "folder": folder, "patience": patience, "timeout": timeout,
            "signing_key": signing_key, "warn": warn,
        }  # fmt: skip
        self.url = url.rstrip("/")
        self.language = language
        self.warn = warn
        self.folder = None if folder is None else Path(folder)
        self.entropies = None if self.folder is None else Entropies(self.folder / "entropy", warn)
        self.key = key or None
        """The player's key; no log, address, ``repr`` or error of this client contains it."""
        self.signing_key = signing_key
        self._patience = patience
        self._closed = threading.Event()
        self._me: Me | None = None

    def __repr__(self) -> str:
        return f"Client({self.url!r}, {'with' if self.key else 'without'} a key)"

    def __enter__(self) -> Self:
        """Return the client; leaving the context closes it."""
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Break every connection, even while other threads wait for answers; open no new one."""
        self._closed.set()
        self._transport.close()

    @property
    def clock_ahead(self) -> float:
        """How many seconds the service's clock was ahead of this computer's at the last answer."""
        return self._transport.ahead

    # Players and tables

    def sign_up(self, name: str, kind: str = "person") -> "Client":
        """Create a player, a ``person`` or a ``bot``; return a client for the new player.

        Keep the ``key`` of this client: nobody can look it up again.
        """
        form = {"name": name, "kind": kind}
        try:
            key: str = self.post("/players", form)["key"]
        except Refused as refused:
            if refused.code != "already_answered":
                raise
            key = self.post("/players", form)["key"]  # The first answer, with its key, was lost.
        return self.with_key(key)

    def with_key(self, key: str) -> "Client":
        """Return a client of the same service with another key. Raises ValueError."""
        return Client(self.url, key, **self._settings)

    def make_bot(
        self,
        name: str,
        version: str,
        takes: Mapping[str, Sequence[int]],
        *,
        author: str | None = None,
        page: str | None = None,
        concurrency: int = 1,
    ) -> "Client":
        """Create a bot account that you own; return a client for it, whose key only plays.

        ``takes`` has the numbers of seats that the bot plays, by ruleset. Keep the ``key`` of the
        returned client. If it is lost, request another: ``post("/players/me/bots/<id>/key")``.
        """
        form = {
            "name": name, "version": version, "author": author, "page": page,
            "takes": [{"ruleset": ruleset, "seats": [*seats]} for ruleset, seats in takes.items()],
            "concurrency": concurrency,
        }  # fmt: skip
        try:
            key: str = self.post("/players/me/bots", form)["key"]
        except Refused as refused:
            if refused.code != "already_answered":
                raise
            key = self.post(f"/players/me/bots/{refused.problem['id']}/key")["key"]
        return self.with_key(key)

    def bots(self, ruleset: str | None = None, seats: int | None = None) -> Sequence[BotAccount]:
        """Return the bot accounts that are present, perhaps only those that take such games."""
        found = self.get("/bots", ruleset=ruleset, seats=seats, limit=100)
        return cast("Sequence[BotAccount]", found["bots"])

    def me(self) -> Me:
        """Return the player of the key, and what the key is for.

        If the key is for one seat of one game only, the answer's ``key`` has ``game_id`` and
        ``seat``.
        """
        return cast("Me", self.get("/players/me"))

    @property
    def player_id(self) -> str:
        """The id of the key's player; it is requested once and then kept."""
        return self._known_me["id"]

    @property
    def bound_seat(self) -> int | None:
        """The seat to which the key is limited (``Table.seat_key``); None if it is for all seats.

        It is requested from the service once and then kept.
        """
        return self._known_me["key"].get("seat")

    @property
    def _known_me(self) -> Me:
        if self._me is None:
            self._me = self.me()
        return self._me

    def rulesets(self) -> Sequence[RulesetSummary]:
        """Return the games that the service knows."""
        return cast("Sequence[RulesetSummary]", self.get("/rulesets")["rulesets"])

    def games(self, **filters: object) -> Iterator[GameSummary]:
        """Yield games, the newest first.

        ``filters`` are the parameters of the API's list of games: ``ruleset``, ``status``,
        ``player``, ``tag`` and others. ``player="me"`` selects your own games, and ``asked=True``
        selects the games that wait for your move.
        """
        query = {name: _spelt(value) for name, value in filters.items()}
        while True:
            page = self.get("/games", **query)
            yield from page["games"]
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    def table(self, game_id: str) -> Table:
        """Return the table of a game, without sending a request."""
        return Table(self, game_id)

    def open(
        self,
        ruleset: str,
        seats: Sequence[Mapping[str, Any]],
        *,
        options: Mapping[str, Any] | None = None,
        decision_seconds: int | None = None,
        budget_seconds: int | None = None,
        increment_seconds: int = 0,
        table: Mapping[str, Any] | None = None,
        take_back: bool = False,
        hints: bool = False,
        signatures: bool = False,
        beacon: str | None = None,
    ) -> Table:
        """Open a table with a holder for each seat.

        A holder is ``ME``, ``OPEN``, ``bot("greedy")`` or ``challenge("p-…")``.

        ``options`` are the ruleset's options. ``decision_seconds`` is the time for a decision,
        ``budget_seconds`` a seat's time for all of its decisions, to which each of its answers adds
        ``increment_seconds``.
        ``table`` has the other settings of a host: ``visibility``, ``title``, ``tags``,
        ``seating``, ``rated``. ``take_back`` says whether seats may take back their moves,
        ``hints`` whether players may ask for hints, which all see, and ``signatures`` whether
        players sign their moves: then the client needs a ``signing_key``. With a ``beacon``, a
        round of the service's first public beacon goes into the luck; it says what becomes of the
        game if the round is late: ``abort`` or ``start``.

        Raises ValueError: with ``signatures``, but without a ``signing_key``.
        """
        if signatures:
            seats = [
                {**holder, **signing_field(self.signing_key)}
                if holder["holder"] == "me"
                else holder
                for holder in seats
            ]
        form: dict[str, Any] = {"ruleset": ruleset, "options": options or {}, "seats": [*seats]}
        if clock := _clock(decision_seconds, budget_seconds, increment_seconds):
            form["clock"] = clock
        if table is not None:
            form["table"] = table
        if take_back:
            form["take_back"] = True
        if hints:
            form["hints"] = True
        if signatures:
            form["signatures"] = "required"
        asked = {**form, **self._with_entropy(seats, table or {})}
        if beacon is not None:
            asked |= {"entropy_mode": "beacon", "beacon": {"late": beacon}}
        try:
            return self._opened(asked)
        except Refused as refused:
            if refused.code not in OLDER or self.entropies is None or beacon is not None:
                raise
            return self._opened(form)

    def seek(
        self,
        ruleset: str,
        seats: int,
        *,
        options: Mapping[str, Any] | None = None,
        decision_seconds: int | None = None,
        budget_seconds: int | None = None,
        increment_seconds: int = 0,
        rated: bool = False,
        opponents: str = "anybody",
        min_rating: int | None = None,
        max_rating: int | None = None,
        seconds: int = 600,
        until: threading.Event | None = None,
    ) -> Table | None:
        """Seek others who want the same game, wait for them, and return the table.

        The clock is as for ``open``. ``opponents`` are ``anybody``, ``people`` or ``bots``.
        ``min_rating`` and ``max_rating`` bound the ratings of the others. Return None if there were
        not enough in ``seconds``, or if the event ``until`` was set meanwhile: then the seek is
        cancelled.

        Raises Refused: also if the seek was refused while it waited, for example with the code
        ``too_many_games``.
        """
        form: dict[str, Any] = {
            "ruleset": ruleset, "seats": seats, "options": options or {}, "rated": rated,
            "opponents": opponents, "min_rating": min_rating, "max_rating": max_rating,
            "seconds": seconds,
        }  # fmt: skip
        if clock := _clock(decision_seconds, budget_seconds, increment_seconds):
            form["clock"] = clock
        stop = until or self._closed
        found = cast("OwnSeek", self.post("/seeks", form))
        try:
            while found["status"] == "waiting" and not stop.wait(SEEK_SECONDS):
                found = cast("OwnSeek", self.get(f"/seeks/{found['id']}"))
        except BaseException:  # an interruption, too: nobody waits any more
            with suppress(LonjaError):
                self.delete(f"/seeks/{found['id']}")
            raise
        if found["status"] == "waiting" and not self._closed.is_set():
            try:
                self.delete(f"/seeks/{found['id']}")
            except Refused as refused:
                if refused.code != "seek_matched":
                    raise
                found = cast("OwnSeek", self.get(f"/seeks/{found['id']}"))
        if found["status"] == "refused":
            raise refusal(HTTPStatus.CONFLICT, {"code": found["reason"]}, 0.0)
        return None if found["game"] is None else self.table(found["game"])

    def _with_entropy(
        self, seats: Sequence[Mapping[str, Any]], table: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the fields ``seats`` and ``entropy_mode`` of the request that opens a table.

        ``seats`` is the given list, in which your own seats have entropy. Without a folder, the
        client contributes no entropy: the result is an empty dict, and the request keeps the given
        seats.
        """
        if self.entropies is None:
            return {}
        is_drawn = table.get("seating") == "random"
        brought = [
            {**holder, **self.entropies.bring(None, None if is_drawn else seat)}
            if holder["holder"] == "me"
            else holder
            for seat, holder in enumerate(seats)
        ]
        return {"seats": brought, "entropy_mode": "lenient"}

    def _opened(self, form: Mapping[str, Any]) -> Table:
        answer = self.post("/games", form)
        table = Table(self, answer["id"])
        if "receipt" in answer:  # a service of another project may give no receipts
            table.receipts.keep(answer["receipt"])
        return table

    def notices(
        self, after: str = "", *, questions: bool = False, include: Sequence[str] = ()
    ) -> Iterator[Message]:
        """Yield what happens in all games of the player, until the client is closed.

        A message's ``event`` is its kind (for example, ``asked`` or ``ended``), and ``data`` names
        the game. The message ``resync`` comes first, and whenever messages may be missing: read
        your games then. ``after`` is the ``id`` of the message after which to continue. With
        ``questions``, each message ``asked`` has its question; see the method ``questions``.
        """
        query = {"after": after or None}
        if questions:
            query |= {"questions": "true", "include": ",".join(include) or None}
        return self.stream("/players/me/stream", query)

    def questions(self, include: Sequence[str] = (), *, comes: bool = False) -> Iterator[Question]:
        """Yield each decision of the player's seats in all games, until the client is closed.

        ``question.answer`` answers it. Questions that are still open come first, and again after
        each break of the connection, so a bot needs no memory. Entropy is revealed when a game
        waits for it. ``include=("words",)`` requests the labels of the legal moves.
        ``include=NUMBERS`` requests the numbers that ``question.choose`` needs. If ``comes`` is
        true, the player takes each seat that a table keeps for it (challenges and rematches).

        Raises Refused, Unreachable.
        """
        for message in self.notices(questions=True, include=include):
            if (question := self.question(message)) is not None:
                yield question
            elif message.event == "invited" and comes:
                self.come(message)
            elif message.event == "closed":
                self.table(message.data["game_id"]).reveal()
            elif message.event == "resync" and self.entropies is not None:
                for game in self.games(player="me", status="closed"):
                    self.table(game["id"]).reveal()

    def come(self, message: Message) -> bool:
        """Take the seat that a message ``invited`` of ``notices`` offers; return whether it worked.

        It does not if the seat is kept no more, or if the bot is busy. Raises Unreachable.
        """
        seat = message.data["seat"]
        path, key = f"/games/{message.data['game_id']}/seats/{seat}", self.signing_key
        try:
            self.put(path, {})
        except Refused as refused:
            if refused.code != "signing_key_missing" or key is None:
                return False
            try:
                self.put(path, signing_field(key))
            except Refused:
                return False
        return True

    def question(self, message: Message) -> Question | None:
        """Return the open question in a message of ``notices``; None if it has none."""
        asked = message.data.get("question") if message.event == "asked" else None
        return None if asked is None else Question(self.table(asked["game"]), asked)

    # Requests

    def get(self, path: str, **query: object) -> Json:
        """Send a GET and return its answer. Raises Refused, Unreachable."""
        return self.request("GET", path, query=query)

    def post(self, path: str, body: Any = None, *, idempotency_key: str | None = None) -> Json:
        """Send a POST, which takes effect once; return its answer. Raises Refused, Unreachable."""
        return self.request("POST", path, body, idempotency_key=idempotency_key)

    def put(self, path: str, body: Any = None, *, idempotency_key: str | None = None) -> Json:
        """Send a PUT and return its answer; see ``post``."""
        return self.request("PUT", path, body, idempotency_key=idempotency_key)

    def patch(self, path: str, body: Any = None, *, idempotency_key: str | None = None) -> Json:
        """Send a PATCH and return its answer; see ``post``."""
        return self.request("PATCH", path, body, idempotency_key=idempotency_key)

    def delete(self, path: str, body: Any = None, *, idempotency_key: str | None = None) -> Json:
        """Send a DELETE and return its answer; see ``post``."""
        return self.request("DELETE", path, body, idempotency_key=idempotency_key)

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Query = NOTHING,
        headers: Mapping[str, str] = NOTHING,
        idempotency_key: str | None = None,
    ) -> Json:
        """Send a request to a path below ``/v1``, and return the JSON of the answer.

        Return None if the answer has no JSON. The request is sent again, always under the same
        ``Idempotency-Key``, as long as this may help.

        Raises:
            Refused: the service refused; the type follows the code or status
                (``lonja_client.errors``).
            Unreachable: no answer came for ``patience`` seconds.
        """
        sent = {"Accept": "application/json", **headers}
        if method != "GET":
            sent["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        payload = None if body is None else json.dumps(body).encode()
        request = Request(method, path, query, payload, sent)
        retries = Retries(self._patience, self._closed)
        while True:
            try:
                return _read(self._transport.ask(request))
            except (Refused, Unreachable) as error:
                retries.failed(error)

    @contextmanager
    def connect(
        self, path: str, query: Query = NOTHING, last_id: str = ""
    ) -> Iterator[EventStream]:
        """Open one connection of a stream, after the message ``last_id``; try only once.

        Raises Refused, Unreachable.
        """
        sent = {"Accept": "text/event-stream", "Accept-Encoding": "gzip"}
        if last_id:
            sent["Last-Event-ID"] = last_id
        with self._opened_answer(path, query, sent) as answer:
            yield EventStream(answer)

    def stream(self, path: str, query: Query = NOTHING) -> Iterator[Message]:
        """Yield the messages of a stream, each once; a connection that ends is opened again.

        If the player has lost access meanwhile, the service refuses the new connection.

        Raises Refused, Unreachable.
        """
        retries = Retries(self._patience, self._closed)
        last_id = ""
        while True:
            why: Refused | Unreachable = Unreachable(CUT)
            try:
                with self.connect(path, query, last_id) as stream:
                    for message in stream:
                        if message.event == "displaced":
                            why = refusal(429, {"code": "stream_share_used"}, DISPLACED_SECONDS)
                        if message.event in ("displaced", "revoked"):
                            break
                        retries.succeeded()
                        last_id = message.id or last_id
                        yield message
            except (Refused, Unreachable) as error:
                why = error
            retries.failed(why)

    def download(self, path: str, query: Query = NOTHING) -> Iterator[bytes]:
        """Yield the record of a game in pieces.

        If the connection breaks and the game is over, the download continues where it was cut.

        Raises Refused, Unreachable; Changed: the record has changed since the connection broke.
        """
        retries = Retries(self._patience, self._closed)
        received, etag = 0, ""
        while True:
            sent = {"Accept": "application/x-ndjson"}
            if received:
                sent |= {"Range": f"bytes={received}-", "If-Range": etag}
            try:
                with self._opened_answer(path, query, sent) as answer:
                    if received and answer.status != HTTPStatus.PARTIAL_CONTENT:
                        raise Changed("it has changed since the connection was cut: try again")
                    if answer.headers.get("accept-ranges") == "bytes":
                        etag = answer.headers.get("etag", "")
                    for piece in answer:
                        retries.succeeded()
                        received += len(piece)
                        yield piece
                    return
            except (Refused, Unreachable) as error:
                if received and not etag:
                    raise
                retries.failed(error)

    @contextmanager
    def _opened_answer(
        self, path: str, query: Query, headers: Mapping[str, str]
    ) -> Iterator[StreamedAnswer]:
        """Open an answer whose body is read as it comes. Raises Refused, Unreachable."""
        request = Request("GET", path, query, headers=headers)
        with self._transport.open(request, SILENCE_SECONDS) as answer:
            if answer.status >= 300:
                raise _refusal(Answer(answer.status, answer.headers, answer.read()))
            yield answer


def _read(answer: Answer) -> Json:
    """Return the JSON of an answer; None if it has no body. Raises Refused."""
    if answer.status >= 300:
        raise _refusal(answer)
    if not answer.body:
        return None
    try:
        return json.loads(answer.body)
    except ValueError:
        raise refusal(answer.status, {}, 0.0) from None  # a proxy may answer with a page of HTML


def _refusal(answer: Answer) -> Refused:
    problem: Any = None
    with suppress(ValueError):  # a proxy may answer with a page of HTML
        problem = json.loads(answer.body)
    wait = answer.headers.get("retry-after", "")
    is_told = isinstance(problem, dict) and "code" in problem
    return refusal(
        answer.status, problem if is_told else {}, float(wait) if wait.isdecimal() else 0.0
    )


def _spelt(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def _clock(decision: int | None, budget: int | None, increment: int) -> dict[str, int]:
    """Return the clock of a request; empty if it names none."""
    clock = {} if decision is None else {"decision_seconds": decision}
    if budget is not None:
        clock |= {"budget_seconds": budget, "increment_seconds": increment}
    return clock
