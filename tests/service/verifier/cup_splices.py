"""Forges records of tournaments by splicing: what is well-formed, from elsewhere, sealed anew.

The forger is the operator: of a value of the stream or of a game all that follows is made anew, the
results that the stream tells of a game too: what is left to find is that it does not belong.
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
    """A tournament, and its record."""

    cup: Cup
    file: File

    @classmethod
    def of(cls, cup: Cup) -> "Original":
        # As when it is read: no value is a part of two others.
        return cls(cup, File.of(orjson.loads(orjson.dumps(cup.record()))))

    @property
    def over(self) -> bool:
        return self.cup.tournament.over

    def salts(self) -> dict[str, bytes]:
        return {each.game.id: each.secrets.salt for each in self.cup.games.values()}


class Forged(NamedTuple):
    """A record that was spliced, and where: in the stream, or in a game (``in_game``)."""

    place: Place
    how: str
    original: Original
    lines: list[JsonObject]
    native: bool = True
    in_game: bool = False


def stocks(originals: Mapping[str, Original], tables: Iterable[Game]) -> tuple[Stock, Stock]:
    """Return the values of all streams, and those of all games, other ``tables`` too."""
    streams = [Game(Record({}, each.file.stream), b"") for each in originals.values()]
    games = [Game(game, b"") for each in originals.values() for game in each.file.games]
    return Stock(streams), Stock([*games, *tables])


def streams_spliced(
    originals: Mapping[str, Original], stock: Stock, most: int, *, once: bool
) -> Iterator[Forged]:
    """Splice each field of each kind of event of the streams, ``once`` or once a tournament."""
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
    """Splice each field of some kinds of event of the games; the stream then tells of them so."""
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
    """Yield the places of a stream that were not ``seen``, or not in it unless ``once``."""
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
    """Leave a batch of a stream out, repeat it, or swap it with the next."""
    for name, original in originals.items():
        batches = [*batches_of(original.file.stream)]
        for number, batch in enumerate(batches[1:], 1):
            before, after = batches[:number], batches[number + 1 :]
            ways = {"left out": [*before, *after], "twice": [*before, batch, batch, *after]}
            if after:
                ways["swapped"] = [*before, after[0], batch, *after[1:]]
            for way, order in ways.items():
                if way == "left out" and not after:
                    continue  # it is how it stood before
                file = copy.deepcopy(original.file)
                file.stream = in_order(order)
                how = f"{name}: batch {number + 1} of {len(batches)} {way}"
                yield Forged((batch[0]["kind"], way), how, original, sealed(original, file))


def in_order(order: Sequence[Sequence[JsonObject]]) -> list[JsonObject]:
    """Return a stream of other batches, or in another order: numbers and times are made to fit."""
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
    """Put each game in the place of another, of its tournament or of ``others``, or else of all."""
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
    """Splice the header's fields, from ``others`` or else from all."""
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
    """Return the lines of a record, with all that follows from the stream made anew.

    One of its games was ``changed``; it is ``forged`` with its own salt.
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
    """Have the stream tell of a game as it is now."""
    for place, (told, game) in enumerate(file.results()):
        if place != number:
            continue
        told["version"], told["head"] = len(game.copies), game.copies[-1]["hash"]
        failed = [c["body"] for c in game.copies if c["kind"] == "bot_failed"]
        told["failures"] = [
            [body["failure"]["seat"], body["failure"]["decision"], body["error"]] for body in failed
        ]
        with suppress(Exception):  # what has no result tells none
            (ended,) = (c["body"]["result"] for c in game.copies if c["kind"] == "ended")
            told["ranks"], told["scores"] = ranks_and_scores(ended, len(told["ranks"]))


def _keep_games(file: File) -> None:
    """Have the record hold the games that its stream names, as far as it has them, and say so."""
    tournament = Tournament(file.header["tournament_id"])
    with suppress(Exception):  # what cannot be followed keeps what it has
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
