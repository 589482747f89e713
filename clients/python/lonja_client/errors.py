"""The errors that the client raises, each a ``LonjaError``."""

from collections.abc import Mapping, Sequence
from typing import Any

from lonja_client.answers import Receipt

NO_LISTENER, NO_NAME, NO_ROUTE, NO_TRUST, NO_ANSWER, CUT, CLOSED = (
    "no_listener", "no_name", "no_route", "no_trust", "no_answer", "cut", "closed",
)  # fmt: skip
"""Why no answer came: nothing listens there; the name is unknown; the network does not lead there;
the certificate is not trusted; it took too long; the connection broke; the client is closed."""

_WORDS = {
    NO_LISTENER: "nothing listens there",
    NO_NAME: "nobody knows this name",
    NO_ROUTE: "the network does not lead there",
    NO_TRUST: "its certificate is not trusted",
    NO_ANSWER: "no answer in time",
    CUT: "the connection was cut",
    CLOSED: "the client is closed",
}
_WAIT_FOR_SOMEBODY = frozenset(
    ("too_many_games", "too_many_tournaments", "too_many_analyses", "storage_nearly_full")
)
"""Refusals that no retry cures: something must be ended or removed first."""


class LonjaError(Exception):
    """Anything that this client raises, but for bad arguments."""


class Unreachable(LonjaError):
    """The service does not answer; ``why`` is NO_LISTENER or one of its kind."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(f"{_WORDS[why]}: {detail}" if detail else _WORDS[why])
        self.why = why
        self.detail = detail


class Refused(LonjaError):
    """The service has answered that it does not do what was asked.

    ``status`` is that of HTTP. ``code`` is stable and what programs decide by; it is "" if the
    answer is none of Lonja, but a proxy's page. ``problem`` is the whole answer (RFC 9457), and
    ``retry_after`` after how many seconds the same may be asked again, as far as it says so.
    """

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after: float = 0.0) -> None:
        self.status = status
        self.problem = problem
        self.code = str(problem.get("code", ""))
        self.title = str(problem.get("title", f"HTTP {status}"))
        self.detail = str(problem.get("detail") or self.title)
        self.retry_after = retry_after
        super().__init__(f"{self.detail} ({self.code or 'no problem of Lonja'}, {status})")

    @property
    def passing(self) -> bool:
        """Whether a later retry may succeed without anybody doing anything."""
        return self.status in (429, 502, 503, 504) and self.code not in _WAIT_FOR_SOMEBODY


class Unauthorized(Refused):
    """401: a key is needed, or this one is unknown or its time is over."""


class Forbidden(Refused):
    """403: the key, or its player, may not do this."""


class NotFound(Refused):
    """404: it is not there, or not for the caller to see."""


class Conflict(Refused):
    """409: how things stand does not allow it."""


class StaleVersion(Conflict):
    """The game went on: ``events`` are what was missed."""

    @property
    def events(self) -> Sequence[Any]:
        """The events since the version that was sent, as the caller may see them."""
        found: Sequence[Any] = self.problem.get("events", ())
        return found


class Invalid(Refused):
    """400, 413, 415 or 422: the request is not what the service takes; ``errors`` say where."""

    @property
    def errors(self) -> Sequence[Any]:
        """The faults of the request: each has ``field``, ``message`` and ``value``."""
        found: Sequence[Any] = self.problem.get("errors", ())
        return found


class IllegalMove(Invalid):
    """The rules refuse the move: ``reason`` is their own code."""

    @property
    def reason(self) -> str:
        """The rules' own code."""
        return str(self.problem.get("reason", ""))


class TooMany(Refused):
    """429: a limit is reached; if it is ``passing``, it was waited for in vain."""


class ServiceFailed(Refused):
    """5xx: the service, its storage or a proxy before it fails."""


class Rewound(LonjaError):
    """The service's storage has lost events that were told: read the game again.

    ``version`` is the newest event that is left, and ``lost`` are one's receipts of what is not.
    """

    def __init__(self, game_id: str, version: int, lost: Sequence[Receipt]) -> None:
        self.game_id, self.version, self.lost = game_id, version, lost
        signed = f"; of {len(lost)} of them there is a receipt" if lost else ""
        super().__init__(f"{game_id} has lost the events after {version}{signed}")


class Contradiction(LonjaError):
    """Two histories of one game: a ``receipt`` and what was ``found`` do not fit together.

    ``found`` has ``seq`` and ``hash`` of the event, head or receipt that it is held against. Keep
    both: together they prove that the service told two stories.
    """

    def __init__(self, why: str, receipt: Receipt, found: Mapping[str, Any]) -> None:
        self.receipt = receipt
        self.found = found
        super().__init__(
            f"{why}: the receipt of {receipt['game_id']} has {receipt['hash']} as event"
            f" {receipt['seq']}, what was found has {found['hash']} as event {found['seq']}"
        )


class Changed(LonjaError):
    """What was being downloaded has changed since the connection was cut: begin again."""


_BY_CODE: dict[str, type[Refused]] = {"stale_version": StaleVersion, "illegal_move": IllegalMove}
_BY_STATUS: dict[int, type[Refused]] = {
    400: Invalid, 401: Unauthorized, 403: Forbidden, 404: NotFound, 409: Conflict, 413: Invalid,
    415: Invalid, 422: Invalid, 429: TooMany,
}  # fmt: skip


def refusal(status: int, problem: Mapping[str, Any], retry_after: float) -> Refused:
    """Return the error of an answer, in the type of its code or else of its status."""
    fallback = ServiceFailed if status >= 500 else Refused
    kind = _BY_CODE.get(str(problem.get("code")), _BY_STATUS.get(status, fallback))
    return kind(status, problem, retry_after)
