"""A client of a service over HTTP, for commands."""

from collections.abc import Iterator
from contextlib import contextmanager

from lonja_client import Changed, Client, Refused, Unreachable

from service.cli.common import Failure

PATIENCE_SECONDS = 5.0
"""Seconds that a command waits for a service that does not answer."""
TIMEOUT_SECONDS = 60.0


def service_at(url: str, key: str | None) -> Client:
    """Return a client of the service at an address. Raises Failure."""
    try:
        return Client(url, key, patience=PATIENCE_SECONDS, timeout=TIMEOUT_SECONDS)
    except ValueError as error:
        raise Failure(f"{str(error)[0].upper()}{str(error)[1:]}.") from None


@contextmanager
def failures() -> Iterator[None]:
    """Turn a service's refusal or silence into the Failure of a command."""
    try:
        yield
    except Refused as error:
        code = f" ({error.code}, {error.status})" if error.code else ""
        raise Failure(f"The service refuses: {error.title}{code}") from None
    except Unreachable as error:
        raise Failure(f"The service does not answer: {error}") from None
    except Changed:
        raise Failure("The record has changed since the connection was cut: try again.") from None
