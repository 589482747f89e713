"""The service as a player uses it: every request is repeated until it is answered, or in vain."""

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

from lonja_client.answers import GameSummary, Json, Me, RulesetSummary
from lonja_client.entropy import Entropies
from lonja_client.errors import CUT, Changed, Refused, Unreachable, refusal
from lonja_client.messages import Message, messages
from lonja_client.retries import Retries
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
DISPLACED_SECONDS = 5.0
"""A stream whose place was needed comes back after so long at the earliest."""
_OLDER = ("upgrade_unfinished", "invalid_body")
"""How a service, or a store, refuses that does not know the mode of entropy that is asked for."""

ME: Mapping[str, Any] = {"holder": "me"}
"""The holder of a seat: whoever opens the table."""
OPEN: Mapping[str, Any] = {"holder": "open"}
"""The holder of a seat: whoever takes it."""


def bot(name: str, **settings: Any) -> Mapping[str, Any]:
    """Return a bot of the service as the holder of a seat."""
    return {"holder": "bot", "bot": name, **({"settings": settings} if settings else {})}


class EventStream:
    """One connection of a stream, which ends when it breaks."""

    def __init__(self, answer: StreamedAnswer) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[Message]:
        """Yield the messages as they come. Raises Unreachable: it broke, or was silent."""
        return messages(self._answer)

    def close(self) -> None:
        """Break the connection, also under whoever waits for a message."""
        self._answer.close()


class Client:
    """A service, with a player's key or without; threads may share it.

    A request that is not answered, or that the service cannot answer just now, is sent again under
    the same ``Idempotency-Key`` for up to ``patience`` seconds, so it counts once; a stream that is
    cut goes on where it was. With a ``folder``, receipts are kept there, and entropy of one's own
    is brought to the luck of every table.
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
        warn: Callable[[str], None] = _LOG.warning,
    ) -> None:
        """``timeout`` is how many seconds an answer may take; ``patience`` 0 is one try.

        ``warn`` is told if the folder takes nothing: then no entropy is brought, and receipts are
        kept as long as the process is there.

        Raises ValueError: the address is none of HTTP, or the key cannot be sent.
        """
        self._transport = Transport(f"{url.rstrip('/')}/v1", key, language, timeout)
        self._settings: Mapping[str, Any] = {
            "language": language, "folder": folder, "patience": patience, "timeout": timeout,
            "warn": warn,
        }  # fmt: skip
        self.url = url.rstrip("/")
        self.language = language
        self.warn = warn
        self.folder = None if folder is None else Path(folder)
        self.entropies = None if self.folder is None else Entropies(self.folder / "entropy", warn)
        self.key = key or None
        """The key, which no log, address, ``repr`` or error of this client has."""
        self._patience = patience
        self._closed = threading.Event()
        self._me: Me | None = None

    def __repr__(self) -> str:
        return f"Client({self.url!r}, {'with' if self.key else 'without'} a key)"

    def __enter__(self) -> Self:
        """Return the client, which is closed on leaving."""
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Break every connection, also under whoever waits for an answer; no new one is made."""
        self._closed.set()
        self._transport.close()

    @property
    def clock_ahead(self) -> float:
        """By how many seconds the service's clock is ahead of the one here, by its last answer."""
        return self._transport.ahead

    # Players and tables

    def sign_up(self, name: str, kind: str = "person") -> "Client":
        """Become a player, a ``person`` or a ``bot``; return his client, whose ``key`` is to keep.

        Nobody can look it up again.
        """
        form = {"name": name, "kind": kind}
        try:
            key: str = self.post("/players", form)["key"]
        except Refused as refused:
            if refused.code != "already_answered":
                raise
            key = self.post("/players", form)["key"]  # the answer with the first one was lost
        return self.with_key(key)

    def with_key(self, key: str) -> "Client":
        """Return a client of the same service, with a key. Raises ValueError."""
        return Client(self.url, key, **self._settings)

    def me(self) -> Me:
        """Return the key's player, and what the key is for."""
        return cast("Me", self.get("/players/me"))

    @property
    def player_id(self) -> str:
        """The id of the key's player, which is asked for once."""
        return self._known_me["id"]

    @property
    def bound_seat(self) -> int | None:
        """The seat of a key for one seat (``Table.seat_key``), which is asked for once."""
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
        """Yield games, the newest first: by ``ruleset``, ``status``, ``player``, ``tag``, ….

        ``player="me"`` are one's own, ``asked=True`` those that wait for one.
        """
        query = {name: _spelt(value) for name, value in filters.items()}
        while True:
            page = self.get("/games", **query)
            yield from page["games"]
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    def table(self, game_id: str) -> Table:
        """Return the table of a game; nothing is asked yet."""
        return Table(self, game_id)

    def open(
        self,
        ruleset: str,
        seats: Sequence[Mapping[str, Any]],
        *,
        options: Mapping[str, Any] | None = None,
        decision_seconds: int | None = None,
        table: Mapping[str, Any] | None = None,
    ) -> Table:
        """Open a table with a holder for each seat: ``ME``, ``OPEN`` or ``bot("greedy")``.

        ``options`` are the ruleset's, ``decision_seconds`` is its clock, and ``table`` what else a
        host decides: ``visibility``, ``title``, ``tags``, ``seating``, ``rated``.
        """
        form: dict[str, Any] = {"ruleset": ruleset, "options": options or {}, "seats": [*seats]}
        if decision_seconds is not None:
            form["clock"] = {"decision_seconds": decision_seconds}
        if table is not None:
            form["table"] = table
        try:
            return self._opened({**form, **self._with_entropy(seats, table or {})})
        except Refused as refused:
            if refused.code not in _OLDER or self.entropies is None:
                raise
            return self._opened(form)

    def _with_entropy(
        self, seats: Sequence[Mapping[str, Any]], table: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the fields of a form that bring entropy to one's own seats; none, if none can."""
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
        table.receipts.keep(answer["receipt"])
        return table

    def notices(self, after: str = "") -> Iterator[Message]:
        """Yield what happens in all games of the player, until the client is closed.

        ``event`` says what (``asked``, ``started``, ``ended``, …), ``data`` where. ``resync`` comes
        first, and whenever something may be missing: read your games then. ``after`` is the ``id``
        to go on after.
        """
        return self.stream("/players/me/stream", {"after": after or None})

    # Requests

    def get(self, path: str, **query: object) -> Json:
        """Return the answer to a GET. Raises Refused, Unreachable."""
        return self.request("GET", path, query=query)

    def post(self, path: str, body: Any = None, *, idempotency_key: str | None = None) -> Json:
        """Return the answer to a POST, which is done once. Raises Refused, Unreachable."""
        return self.request("POST", path, body, idempotency_key=idempotency_key)

    def put(self, path: str, body: Any = None, *, idempotency_key: str | None = None) -> Json:
        """Return the answer to a PUT, as ``post``."""
        return self.request("PUT", path, body, idempotency_key=idempotency_key)

    def patch(self, path: str, body: Any = None, *, idempotency_key: str | None = None) -> Json:
        """Return the answer to a PATCH, as ``post``."""
        return self.request("PATCH", path, body, idempotency_key=idempotency_key)

    def delete(self, path: str, body: Any = None, *, idempotency_key: str | None = None) -> Json:
        """Return the answer to a DELETE, as ``post``."""
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
        """Return the answer to a request, at a path below ``/v1``; None if it has no body.

        It is sent again while that makes sense, always under one ``Idempotency-Key``.

        Raises:
            Refused: in the type of its code or status (``lonja_client.errors``).
            Unreachable: no answer came, for as long as the patience lasts.

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
        """Open one connection of a stream, after the message ``last_id``; one try.

        Raises Refused, Unreachable.
        """
        sent = {"Accept": "text/event-stream", "Accept-Encoding": "gzip"}
        if last_id:
            sent["Last-Event-ID"] = last_id
        with self._opened_answer(path, query, sent) as answer:
            yield EventStream(answer)

    def stream(self, path: str, query: Query = NOTHING) -> Iterator[Message]:
        """Yield the messages of a stream, each once; a connection that ends is opened again.

        Who is not let in any more is told so by what the new connection is answered.

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
        """Yield a record in pieces; one that is cut goes on where it was, if it is over.

        Raises Refused, Unreachable; Changed: it has changed since it was cut.
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
        """Open an answer that is read as it comes. Raises Refused, Unreachable."""
        request = Request("GET", path, query, headers=headers)
        with self._transport.open(request, SILENCE_SECONDS) as answer:
            if answer.status >= 300:
                raise _refusal(Answer(answer.status, answer.headers, answer.read()))
            yield answer


def _read(answer: Answer) -> Json:
    """Return the JSON of an answer, None if it has no body. Raises Refused."""
    if answer.status >= 300:
        raise _refusal(answer)
    if not answer.body:
        return None
    try:
        return json.loads(answer.body)
    except ValueError:
        raise refusal(answer.status, {}, 0.0) from None  # a proxy's page


def _refusal(answer: Answer) -> Refused:
    problem: Any = None
    with suppress(ValueError):  # a proxy's page
        problem = json.loads(answer.body)
    wait = answer.headers.get("retry-after", "")
    is_told = isinstance(problem, dict) and "code" in problem
    return refusal(
        answer.status, problem if is_told else {}, float(wait) if wait.isdecimal() else 0.0
    )


def _spelt(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value
