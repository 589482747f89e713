"""Reads streams, of which some may be damaged."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from redis.exceptions import ResponseError

from rules.kernel.record.events import Event
from service.ledger.store import stored_entries
from service.redis.commands import Commands, Word
from service.redis.keys import game_key


def ask(commands: Commands, each: Iterable[Sequence[Word]]) -> list[Any]:
    """Return the answers to commands that read; None for a key of another type.

    Raises:
        RedisError: the store does not answer one, which must not be taken for a lost stream.
    """
    answers = commands.ask(*each)
    for number, answer in enumerate(answers):
        if isinstance(answer, ResponseError) and str(answer).startswith("WRONGTYPE"):
            answers[number] = None
        elif isinstance(answer, Exception):
            raise answer
    return answers


def events_from(stream_id: str, seq: int, count: int = 1) -> Sequence[Word]:
    """Return the command that reads the event ``seq`` of a stream, and those after it."""
    last = f"{seq}-0" if count == 1 else "+"
    return "XRANGE", game_key(stream_id, "events"), f"{seq}-0", last, "COUNT", count


def events(answer: Any) -> Iterator[Event]:
    """Yield the events in an answer."""
    return (stored.event for stored in stored_entries(answer or ()))
