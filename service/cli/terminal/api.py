"""Turns a service's refusal or silence into messages for the user of a terminal."""

from collections.abc import Iterator
from contextlib import contextmanager

import lonja_client

from service.cli.terminal import troubles
from service.cli.terminal.tables import MoveRefusedError


class UnreachableError(Exception):
    """The service does not answer; the message says why."""


class ServiceRefusedError(MoveRefusedError):
    """The service refuses the request; the message says why.

    ``passing`` says whether a retry makes sense, after ``retry_after`` seconds.
    """

    def __init__(self, told: str, error: lonja_client.Refused) -> None:
        super().__init__(told)
        self.status = error.status
        self.code = error.code
        self.retry_after = error.retry_after
        self.passing = error.passing


@contextmanager
def in_words(language: str) -> Iterator[None]:
    """Turn a client's errors into MoveRefusedError or UnreachableError, in ``language``."""
    try:
        yield
    except lonja_client.Unreachable as error:
        raise UnreachableError(troubles.silence(language, error)) from None
    except lonja_client.Refused as error:
        raise ServiceRefusedError(troubles.refusal(language, error), error) from None
    except lonja_client.Contradiction as error:
        raise MoveRefusedError(troubles.tell(language, "two_histories", why=error)) from None
    except lonja_client.Rewound:
        raise MoveRefusedError(troubles.tell(language, "rewound")) from None
