"""The errors that the client raises, each a ``LonjaError``."""

from collections.abc import Mapping, Sequence
from typing import Any

from lonja_client.answers import Receipt

NO_LISTENER, NO_NAME, NO_ROUTE, NO_TRUST, NO_ANSWER, CUT, CLOSED = (
    "no_listener", "no_name", "no_route", "no_trust", "no_answer", "cut", "closed",
)  # fmt: skip
"""Reasons why no answer came: nothing listens at the address; the name is unknown; the network has
no route; the certificate is not trusted; the answer took too long; the connection broke; the client
is closed."""

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
"""Refusals that last until somebody ends or removes something; a retry does not help."""


class LonjaError(Exception):
    """Base of all errors that this client raises, except errors for bad arguments."""


class Unreachable(LonjaError):
    """The service does not answer; ``why`` is the reason, for example ``NO_LISTENER``."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(f"{_WORDS[why]}: {detail}" if detail else _WORDS[why])
        self.why = why
        self.detail = detail


class Refused(LonjaError):
    """The service has answered that it refuses the request.

    ``status`` is the HTTP status. ``code`` is stable, so programs can branch on it. It is "" if the
    answer comes from a proxy. ``problem`` is the whole answer (RFC 9457). ``retry_after`` is the
    number of seconds to wait before a repetition, if the answer gives it.
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
        """Whether the refusal may end by itself, so that a later retry may succeed."""
        return self.status in (429, 502, 503, 504) and self.code not in _WAIT_FOR_SOMEBODY


class Unauthorized(Refused):
    """401: the request needs a key, or the key is unknown or has expired."""


class Forbidden(Refused):
    """403: the key, or its player, lacks the permission."""


class NotFound(Refused):
    """404: the requested object does not exist, or the caller may not see it."""


class Conflict(Refused):
    """409: the present state does not allow the request."""


class StaleVersion(Conflict):
    """The game went on since the version that was sent; ``events`` are the missed events."""

    @property
    def events(self) -> Sequence[Any]:
        """The events since the version that was sent, as the caller may see them."""
        found: Sequence[Any] = self.problem.get("events", ())
        return found


class Invalid(Refused):
    """400, 413, 415 or 422: the request is invalid; ``errors`` names the faulty fields."""

    @property
    def errors(self) -> Sequence[Any]:
        """The faults of the request: each has ``field``, ``message`` and ``value``."""
        found: Sequence[Any] = self.problem.get("errors", ())
        return found


class IllegalMove(Invalid):
    """The rules refuse the move; ``reason`` is the rules' own code."""

    @property
    def reason(self) -> str:
        """The code of the refusal, defined by the rules."""
        return str(self.problem.get("reason", ""))


class TooMany(Refused):
    """429: a limit is reached.

    If the limit is temporary (``passing``), the client has already repeated the request in vain.
    """


class ServiceFailed(Refused):
    """5xx: the service, its storage or a proxy failed."""


class Rewound(LonjaError):
    """The service's storage has lost events that it had sent: read the game again.

    ``version`` is the newest event that is left, and ``lost`` are the receipts of lost events.
    """

    def __init__(self, game_id: str, version: int, lost: Sequence[Receipt]) -> None:
        self.game_id, self.version, self.lost = game_id, version, lost
        signed = f"; of {len(lost)} of them there is a receipt" if lost else ""
        super().__init__(f"{game_id} has lost the events after {version}{signed}")


class Contradiction(LonjaError):
    """The service told two histories of one game: ``receipt`` contradicts ``found``.

    ``found`` is the event, head or receipt that the receipt was compared with; it has ``seq`` and
    ``hash``. Keep both: together they prove that the service told two histories.
    """

    def __init__(self, why: str, receipt: Receipt, found: Mapping[str, Any]) -> None:
        self.receipt = receipt
        self.found = found
        super().__init__(
            f"{why}: the receipt of {receipt['game_id']} has {receipt['hash']} as event"
            f" {receipt['seq']}, what was found has {found['hash']} as event {found['seq']}"
        )


class Changed(LonjaError):
    """The record has changed since its download was cut: begin again."""


_BY_CODE: dict[str, type[Refused]] = {"stale_version": StaleVersion, "illegal_move": IllegalMove}
_BY_STATUS: dict[int, type[Refused]] = {
    400: Invalid, 401: Unauthorized, 403: Forbidden, 404: NotFound, 409: Conflict, 413: Invalid,
    415: Invalid, 422: Invalid, 429: TooMany,
}  # fmt: skip


def refusal(status: int, problem: Mapping[str, Any], retry_after: float) -> Refused:
    """Return the error for an answer.

    The code decides the type of the error. If the code has no type, the status decides.
    """
    fallback = ServiceFailed if status >= 500 else Refused
    kind = _BY_CODE.get(str(problem.get("code")), _BY_STATUS.get(status, fallback))
    return kind(status, problem, retry_after)
