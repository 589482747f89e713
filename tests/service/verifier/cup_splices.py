"""Forges records of tournaments by splicing: inserts valid values from elsewhere, signed again.

The forger is the operator: everything that follows from a changed value is computed again, even the
results of a game in the stream. So a verifier can only find that the value does not belong there.
"""

import copy
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.shapes import GAME_KINDS
from rules.kernel.proof.steps import batches_of
from rules.kernel.record.events import from_copy
from service.records.game_file import Record
from service.tournaments.tournament import Tournament, game_id, ranks_and_scores
from tests.service.cli import records
from tests.service.tournaments.forging import File, Forger
from tests.service.verifier.cups import Cup
from tests.service.verifier.splices import (
    Game,
    Path,
    Place,
    Stock,
    event_places,
    found_at,
    place_of,
)


class Original(NamedTuple):
    """A tournament with its record."""

    cup: Cup
    file: File

    @classmethod
    def of(cls, cup: Cup) -> "Original":
        # As in a record that was read, no value is shared.
        return cls(cup, File.of(orjson.loads(orjson.dumps(cup.record()))))

    @property
    def over(self) -> bool:
        return self.cup.tournament.over

    def salts(self) -> dict[str, bytes]:
        return {each.game.id: each.secrets.salt for each in self.cup.games.values()}


class Forged(NamedTuple):
    """A spliced record, and the place of the splice: in the stream, or in a game (``in_game``)."""

    place: Place
    how: str
    original: Original
    lines: list[JsonObject]
    native: bool = True
    in_game: bool = False


def stocks(originals: Mapping[str, Original], tables: Iterable[Game]) -> tuple[Stock, Stock]:
    """Return the values of all streams, and those of all games, including ``tables``."""
    streams = [Game(Record({}, each.file.stream), b"") for each in originals.values()]
    games = [Game(game, b"") for each in originals.values() for game in each.file.games]
    return Stock(streams), Stock([*games, *tables])


def streams_spliced(
    originals: Mapping[str, Original], stock: Stock, most: int, *, once: bool
) -> Iterator[Forged]:
    """Splice each field of each kind of event in streams, ``once`` or once for each tournament."""
    seen: set[Place] = set()
    for name, original in originals.items():
        for event, path, place in _places(original.file.stream, seen, once=once):
            for native, value in stock.others(place, found_at(event, path), most):
                file = copy.deepcopy(original.file)
                put(file.stream[event["seq"] - 1], path, value)
                how = f"{name}: event {event['seq']}, {value!r:.80}"
                yield Forged(place, how, original, sealed(original, file), native)


def games_spliced(
    originals: Mapping[str, Original],
    stock: Stock,
    most: int,
    *,
    once: bool,
    kinds: Collection[str] = GAME_KINDS,
) -> Iterator[Forged]:
    """Splice each field of some kinds of event in games; the stream gets the new results."""
    seen: set[Place] = set()
    for name, original in originals.items():
        for number, game in enumerate(original.file.games):
            events = [event for event in game.copies if event["kind"] in kinds]
            for event, path, place in _places(events, seen, once=once or number > 0):
                for native, value in stock.others(place, found_at(event, path), most):
                    file = copy.deepcopy(original.file)
                    put(file.games[number].copies[event["seq"] - 1], path, value)
                    how = f"{name}: game {number}, event {event['seq']}, {value!r:.80}"
                    lines = sealed(original, file, number)
                    if lines != original.file.lines():
                        yield Forged(place, how, original, lines, native, in_game=True)


def _places(
    copies: Sequence[JsonObject], seen: set[Place], *, once: bool
) -> Iterator[tuple[JsonObject, Path, Place]]:
    """Yield the places of a stream that were not ``seen`` (unless ``once``: not in this stream)."""
    if not once:
        seen.clear()
    for event in copies:
        for path in event_places(event):
            place = place_of(event["kind"], path)
            if place not in seen:
                seen.add(place)
                yield event, path, place


def put(event: JsonObject, path: Path, value: object) -> None:
    found_at(event, path[:-1])[path[-1]] = copy.deepcopy(value)


def batches_spliced(originals: Mapping[str, Original]) -> Iterator[Forged]:
    """Omit a batch of a stream, repeat it, or swap it with the next one."""
    for name, original in originals.items():
        batches = [*batches_of(original.file.stream)]
        for number, batch in enumerate(batches[1:], 1):
            before, after = batches[:number], batches[number + 1 :]
            ways = {"left out": [*before, *after], "twice": [*before, batch, batch, *after]}
            if after:
                ways["swapped"] = [*before, after[0], batch, *after[1:]]
            for way, order in ways.items():
                if way == "left out" and not after:
                    continue  # this is the unchanged stream
                file = copy.deepcopy(original.file)
                file.stream = in_order(order)
                how = f"{name}: batch {number + 1} of {len(batches)} {way}"
                yield Forged((batch[0]["kind"], way), how, original, sealed(original, file))


def in_order(order: Sequence[Sequence[JsonObject]]) -> list[JsonObject]:
    """Return a stream of other batches or in another order, with adapted numbers and times."""
    stream: list[JsonObject] = []
    times = sorted(batch[0]["at"] for batch in order)
    for batch, at in zip(order, times, strict=True):
        last = len(stream) + len(batch)
        for event in copy.deepcopy([*batch]):
            stream.append({**event, "seq": len(stream) + 1, "last": last, "at": at})
    return stream


def whole_games_spliced(
    originals: Mapping[str, Original], others: Mapping[str, Original] | None = None
) -> Iterator[Forged]:
    """Put each game in the place of another game of its tournament, of ``others``, or of all."""
    elsewhere = [
        (f"a game of {name}", game)
        for name, each in (others or originals).items()
        for game in each.file.games[:1]
    ]
    for name, original in originals.items():
        for number in range(len(original.file.games)):
            here = [("another", game) for game in original.file.games]
            for what, game in [*here, *elsewhere]:
                file = copy.deepcopy(original.file)
                file.games[number] = copy.deepcopy(game)
                lines = sealed(original, file, number, forged=False)
                if lines != original.file.lines():
                    how = f"{name}: {what} for game {number}"
                    yield Forged(("game", "another"), how, original, lines)


def headers_spliced(
    originals: Mapping[str, Original], others: Mapping[str, Original] | None = None
) -> Iterator[Forged]:
    """Splice the header's fields, from ``others`` or from all."""
    for name, original in originals.items():
        for other in (others or originals).values():
            for field in original.file.header.keys() - {"version", "public_key"}:
                value = other.file.header[field]
                if value == original.file.header[field]:
                    continue
                file = copy.deepcopy(original.file)
                file.header[field] = value
                how = f"{name}: {value!r:.80}"
                yield Forged(("header", field), how, original, file.lines())


def sealed(
    original: Original, file: File, changed: int | None = None, *, forged: bool = True
) -> list[JsonObject]:
    """Return the lines of a record, with everything computed again that follows from the stream.

    The game ``changed`` is replaced by ``forged``, with its own salt.
    """
    salts = original.salts()
    if changed is not None:
        if forged:
            game = file.games[changed]
            file.games[changed] = records.forge(game, salts[game.game_id])
        _tell(file, changed)
    else:
        _keep_games(file)
    return Forger(original.cup.secrets.salt, records.SIGNER).forge(file).lines()


def _tell(file: File, number: int) -> None:
    """Put the present result of a game into the stream."""
    for place, (told, game) in enumerate(file.results()):
        if place != number:
            continue
        told["version"], told["head"] = len(game.copies), game.copies[-1]["hash"]
        failed = [c["body"] for c in game.copies if c["kind"] == "bot_failed"]
        told["failures"] = [
            [body["failure"]["seat"], body["failure"]["decision"], body["error"]] for body in failed
        ]
        with suppress(Exception):  # a game without a result has none to put
            (ended,) = (c["body"]["result"] for c in game.copies if c["kind"] == "ended")
            told["ranks"], told["scores"] = ranks_and_scores(ended, len(told["ranks"]))


def _keep_games(file: File) -> None:
    """Keep in the record the games that its stream names, and correct their number."""
    tournament = Tournament(file.header["tournament_id"])
    with suppress(Exception):  # a stream that cannot be folded keeps all games
        for event in file.stream:
            tournament.apply(from_copy(event))
        own = {game.game_id: game for game in file.games}
        named = [
            game_id(tournament.id, tournament.blocks[number], rotation)
            for number in sorted(tournament.results)
            for rotation in range(len(tournament.results[number]))
        ]
        file.games = [own[name] for name in named]
        file.header |= {"games": len(file.games), "status": tournament.status}
