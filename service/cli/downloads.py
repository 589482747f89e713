"""Downloads the records of games and tournaments from a service.

The record of a game is at ``GET /v1/games/{game_id}/record``.
"""

from collections.abc import Callable, Iterator

from lonja_client import Client

from rules.kernel.canonical import JsonObject
from service.cli.common import Failure
from service.cli.remote import failures
from service.records import game_file, tournament_file
from service.records.game_file import MAX_LINE_BYTES, RecordError

Read = Callable[[Iterator[JsonObject]], Iterator[JsonObject]]


def game(service: Client, path: str, seat: int | str) -> Iterator[JsonObject]:
    """Yield the lines of a game's record, as ``seat`` sees the game.

    ``path`` is the path of the record on the service.

    Raises:
        Failure: the service does not send the record, or the answer is not a complete record.
    """
    return _whole(_lines(service, service.download(path, {"seat": seat})), _game)


def tournament(service: Client, path: str) -> Iterator[JsonObject]:
    """Yield the lines of a tournament's record, as ``game`` does."""
    return _whole(_lines(service, service.download(path)), _tournament)


def _whole(lines: Iterator[JsonObject], read: Read) -> Iterator[JsonObject]:
    """Yield the lines of one record, and check that nothing follows it."""
    try:
        yield from read(lines)
        _need_end(lines)
    except RecordError as error:
        raise Failure(f"The service sends no whole record: {error}.") from None


def _game(lines: Iterator[JsonObject]) -> Iterator[JsonObject]:
    header = _next(lines)
    game_file.check_header(header)
    yield header
    for _ in range(header["version"]):
        yield _next(lines)


def _tournament(lines: Iterator[JsonObject]) -> Iterator[JsonObject]:
    header = _next(lines)
    tournament_file.check_header(header)
    yield header
    for _ in range(header["version"]):
        yield _next(lines)
    for _ in range(header["games"]):
        yield from _game(lines)


def _need_end(lines: Iterator[JsonObject]) -> None:
    if next(lines, None) is not None:
        raise RecordError("there is more after its end")


def _next(lines: Iterator[JsonObject]) -> JsonObject:
    found = next(lines, None)
    if found is None:
        raise RecordError("it was cut")
    return found


def _lines(service: Client, pieces: Iterator[bytes]) -> Iterator[JsonObject]:
    """Yield the lines of an answer that comes in ``pieces``.

    Raises:
        Failure: the service refuses, or its answer stops.
        RecordError: a line is malformed or too long.
    """
    number, cut = 0, b""
    with failures(service):
        for piece in pieces:
            *lines, cut = (cut + piece).split(b"\n")
            for text in lines:
                number += 1
                yield game_file.line(text + b"\n", number)
            if len(cut) > MAX_LINE_BYTES:
                break
    if cut:
        game_file.line(cut, number + 1)  # raises RecordError
