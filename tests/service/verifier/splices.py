"""Forges records by splicing: inserts valid values from elsewhere, and signs the record again.

A broken value is found by its shape, and a value without a new commitment by its hash. So each
value here occurs in an honest record in such a place, and the forger is the operator with all
secrets and the key. A verifier can only find that the value does not belong there.
"""

import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.damage import counting, is_lost
from rules.kernel.proof.steps import batches_of
from rules.kernel.record.signatures import KEY_CHANGED
from service.records.game_file import Record
from tests.service.cli import records

Path = tuple[str | int, ...]
Place = tuple[str, ...]
"""A kind of event and the way to a value in it; `*` is any place of a list."""

SPLICED = ("by", "at", "body", "audiences")
"""The fields of an event that are spliced; others are computed again, or move with the event."""


class Game(NamedTuple):
    """A record, and its salt."""

    record: Record
    salt: bytes

    @property
    def ended(self) -> bool:
        """Whether the game was played to its end, with everything revealed."""
        return bool(self.record.copies[-2]["kind"] == "ended")

    @property
    def of_a_block(self) -> bool:
        return "tournament" in self.record.copies[0]["by"]


class Forged(NamedTuple):
    """A spliced record, and the place of the splice.

    ``native``: the value comes from the same place of another record, not only from a field of the
    same name.
    """

    place: Place
    how: str
    game: Game
    record: Record
    native: bool = True


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of each value inside ``value``, containers included; of lists, two items."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, child in value.items():
            yield from places(child, (*path, key))
    elif isinstance(value, list) and value:
        for index in dict.fromkeys((0, len(value) - 1)):
            yield from places(value[index], (*path, index))


def event_places(event: JsonObject) -> Iterator[Path]:
    """Yield the paths of the values of an event that are spliced."""
    for name in SPLICED:
        if name != "body":
            yield (name,)
        yield from ((name, *path) for path in places(event[name]))


def place_of(kind: str, path: Path) -> Place:
    return (kind, *("*" if isinstance(key, int) else key for key in path))


def found_at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


class Stock:
    """The values in honest records, by their place and by their name."""

    def __init__(self, games: Iterable[Game]) -> None:
        self._values: defaultdict[object, dict[bytes, None]] = defaultdict(dict)
        self.places: set[Place] = set()
        for game in games:
            for event in game.record.copies:
                for path in event_places(event):
                    self._add(place_of(event["kind"], path), found_at(event, path))

    def _add(self, place: Place, value: Any) -> None:
        self.places.add(place)
        for known in _kinds_of(place, value):
            self._values[known][_written(value)] = None

    def others(self, place: Place, value: Any, most: int) -> list[tuple[bool, Any]]:
        """Return similar values, each with whether it is from the same place; these come first."""
        native, named = _kinds_of(place, value)
        found: dict[bytes, bool] = {}
        for known in (native, named):
            others = sorted(self._values[known].keys() - found.keys() - {_written(value)})
            random.Random(str(place)).shuffle(others)
            is_own = known == native or _is_digest(value)
            found |= {
                other: is_own
                or (_names_admin(place, value) and _names_admin(place, orjson.loads(other)))
                for other in others
            }
        return [(own, orjson.loads(each)) for each, own in [*found.items()][:most]]


def _written(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _names_admin(place: Place, value: Any) -> bool:
    """Whether a value is an operator's name, which is as good in any event of operators."""
    return place[-1] == "admin" or (isinstance(value, dict) and value.keys() == {"admin"})


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 64


def _kinds_of(place: Place, value: Any) -> tuple[object, object]:
    """Return the classes of a value: its place; and its name, or just "digest"."""
    name = [key for key in place if key != "*"][-1]
    return place, "digest" if _is_digest(value) else (name, type(value).__name__)


def values_spliced(
    games: Mapping[str, Game], stock: Stock, most: int, *, once: bool
) -> Iterator[Forged]:
    """Splice each field of each kind of event, ``once`` or once for each game, with some values."""
    seen: set[Place] = set()
    for name, game in games.items():
        if not once:
            seen = set()
        sealed = records.forge(game.record, game.salt).copies
        for number, event in enumerate(game.record.copies, 1):
            if is_lost(counting(game.record.copies), number):
                continue  # its contents do not matter
            for path in event_places(event):
                place = place_of(event["kind"], path)
                if place in seen:
                    continue
                seen.add(place)
                for native, value in stock.others(place, found_at(event, path), most):
                    how = f"{name}: event {event['seq']}, {value!r:.80}"
                    record = _with(game, event["seq"], path, value)
                    if record.copies != sealed:  # otherwise the new commitments would undo it
                        yield Forged(place, how, game, record, native)


def _with(game: Game, seq: int, path: Path, value: Any) -> Record:
    """Return a record with another value in one place, and everything after it computed again."""
    changed = records.alone(game.record)
    found_at(changed.copies[seq - 1], path[:-1])[path[-1]] = value
    return records.forge(changed, game.salt)


def batches_spliced(games: Mapping[str, Game]) -> Iterator[Forged]:
    """Omit a batch of a finished game, repeat it, or swap it with the next one."""
    for name, game in games.items():
        batches = [*batches_of(game.record.copies)] if game.ended else []
        for number, batch in enumerate(batches[1:-1], 1):
            before, after = batches[:number], batches[number + 1 :]
            for way, order in {
                "left out": [*before, *after],
                "twice": [*before, batch, batch, *after],
                "swapped": [*before, after[0], batch, *after[1:]],
            }.items():
                how = f"{name}: batch {number + 1} of {len(batches)} {way}"
                kinds = [each[0]["kind"] for each in (batch, *after[: way == "swapped"])]
                kind = KEY_CHANGED if KEY_CHANGED in kinds else kinds[0]
                yield Forged((kind, way), how, game, in_order(game, order))


def in_order(game: Game, order: Sequence[Sequence[JsonObject]]) -> Record:
    """Return a record of other batches or in another order, with adapted numbers and times."""
    copies: list[JsonObject] = []
    numbers: dict[int, int] = {}
    times = sorted(batch[0]["at"] for batch in order)
    for batch, at in zip(order, times, strict=True):
        last = len(copies) + len(batch)
        for event in records.alone(Record({}, [*batch])).copies:
            numbers[event["seq"]] = len(copies) + 1
            copies.append({**event, "seq": len(copies) + 1, "last": last, "at": at})
    for event in copies:
        body = event["body"]
        for name in ("time_out", "failure", "hint", "signature"):
            if (told := body.get(name)) is not None:
                told["decision"] = numbers.get(told["decision"], told["decision"])
        if (told := body.get("undo")) is not None:
            told["to"] = numbers.get(told["to"], told["to"])
        for opened in body.get("opens", ()):
            opened["seq"] = numbers.get(opened["seq"], opened["seq"])
    return records.forge(Record(game.record.header, copies), game.salt)


def headers_spliced(
    games: Mapping[str, Game], others: Collection[Game] | None = None
) -> Iterator[Forged]:
    """Splice the header's fields, which the forger signs, and signed receipts.

    The values come from ``others``, or from all ``games``.
    """
    for name, game in games.items():
        for other in others or games.values():
            own, theirs = game.record.header, other.record.header
            for field in own.keys() - {"version", "public_key"}:
                if theirs[field] == own[field]:
                    continue
                changed = records.alone(game.record)
                changed.header[field] = theirs[field]
                if field != "receipt":
                    changed = records.forge(changed, game.salt)
                how = f"{name}: {theirs[field]!r:.80}"
                yield Forged(("header", field), how, game, changed)
