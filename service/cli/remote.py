"""A client of a service over HTTP, for commands."""

from collections.abc import Iterator
from contextlib import contextmanager

from lonja_client import Changed, Client, Contradiction, Refused, Unreachable

from service.cli.common import Failure
from service.cli.terminal import troubles
from service.cli.words import word

PATIENCE_SECONDS = 5.0
"""Seconds that a command waits for a service that does not answer."""
TIMEOUT_SECONDS = 60.0


def service_at(
    url: str, key: str | None, *, language: str = "en", patience: float = PATIENCE_SECONDS
) -> Client:
    """Return a client of the service at an address. Raises Failure."""
    try:
        return Client(url, key, language=language, patience=patience, timeout=TIMEOUT_SECONDS)
    except ValueError as error:
        raise Failure(f"{str(error)[0].upper()}{str(error)[1:]}.") from None


@contextmanager
def failures(service: Client, asked: str = "") -> Iterator[None]:
    """Turn a service's refusal or silence into the Failure of a command, in the client's language.

    ``asked`` says what was requested. If it is given, the message of a refusal names it.
    """
    language = service.language
    try:
        yield
    except Refused as error:
        raise Failure(_refusal(language, asked, error)) from None
    except Unreachable as error:
        why = troubles.silence(language, error)
        raise Failure(word(language, "service_silent", url=service.url, why=why)) from None
    except Changed:
        raise Failure(word(language, "record_changed")) from None
    except Contradiction as error:
        raise Failure(troubles.tell(language, "two_histories", why=error)) from None


def _refusal(language: str, asked: str, error: Refused) -> str:
    why = troubles.refusal(language, error) if troubles.is_known(error) else error.title
    faults = [f"{one['field']}: {one['message']}" for one in error.problem.get("errors", ())]
    code = f" ({error.code}, {error.status})" if error.code else ""
    told = "; ".join([why.removesuffix("."), *faults])
    return word(language, "service_refuses", asked=asked or None, why=f"{told}{code}")
