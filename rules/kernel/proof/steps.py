"""How a record of any length is looked at: in stretches, each by all steps of the verification.

A stretch has whole batches. Nothing but what a step notes is kept of those before.
"""

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.shapes import MOST_IN_BATCH
from rules.kernel.proof.verdicts import Check, Failures
from rules.kernel.record.events import genesis

Copies = Sequence[JsonObject]

STRETCH = 1024
"""A stretch ends with the batch in which it comes to so many events."""


class Stretch(NamedTuple):
    """Some batches of a record, one after the other.

    ``first`` is the number of the first event, ``prev`` has the hash before each event and, at the
    end, that of the last one.
    """

    first: int
    copies: list[JsonObject]
    batches: list[list[JsonObject]]
    prev: list[bytes]

    def numbered(self) -> Iterator[tuple[int, JsonObject]]:
        """Yield each event with its number."""
        return enumerate(self.copies, self.first)


def stretches(stream_id: str, copies: Iterable[JsonObject]) -> Iterator[Stretch]:
    """Yield a stream, whose events have the shape of events, in stretches."""
    first, head = 1, genesis(stream_id)
    found, batches = list[JsonObject](), list[list[JsonObject]]()
    for batch in batches_of(copies):
        found += batch
        batches.append(batch)
        if len(found) >= STRETCH:
            stretch = _stretch(first, found, batches, head)
            yield stretch
            first, head = first + len(found), stretch.prev[-1]
            found, batches = [], []
    if found:
        yield _stretch(first, found, batches, head)


def _stretch(
    first: int, copies: list[JsonObject], batches: list[list[JsonObject]], head: bytes
) -> Stretch:
    return Stretch(first, copies, batches, [head, *[bytes.fromhex(c["hash"]) for c in copies]])


def batches_of(copies: Iterable[JsonObject]) -> Iterator[list[JsonObject]]:
    """Yield the batches of a stream; one that is cut has fewer events than it says."""
    batch: list[JsonObject] = []
    last = 0
    for number, copy in enumerate(copies, 1):
        if not batch:
            last = copy["last"]
        batch.append(copy)
        if number == last or len(batch) == MOST_IN_BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


class Step(ABC):
    """One check, made stretch by stretch: what a strange record provokes is a failure of it."""

    name = ""

    def __init__(self) -> None:
        self.check = Check(self.name)
        self.over = False
        """Whether nothing more is to be looked at."""

    def see(self, stretch: Stretch) -> None:
        """Look at the next stretch; raises nothing."""
        if self.over:
            return
        try:
            self.look(stretch)
        except Exception as error:  # noqa: BLE001 - whatever a strange record provokes
            told = f"the record is not readable: {type(error).__name__} {error}"
            self.check, self.over = Check(self.name, 1, Failures([told])), True

    def end(self) -> Check:
        """Return what was found, when all was seen."""
        return self.check

    @abstractmethod
    def look(self, stretch: Stretch) -> None:
        """Look at the next stretch. Raises whatever the record provokes."""


_BUCKETS = 1 << 12


class Heads:
    """The hashes of a stream, in 8 bytes each: a part of it, and where it stands."""

    def __init__(self, copies: Copies) -> None:
        self._copies = copies
        self._buckets = [array("Q") for _ in range(_BUCKETS)]

    def add(self, number: int, hash_: bytes) -> None:
        """Note the hash of the event ``number``."""
        first = int.from_bytes(hash_[:6])
        self._buckets[first & (_BUCKETS - 1)].append(first >> 16 << 32 | number)

    def holds(self, wanted: bytes) -> bool:
        """Whether an event that was added has this hash."""
        first = int.from_bytes(wanted[:6])
        found = self._buckets[first & (_BUCKETS - 1)]
        return any(
            each >> 32 == first >> 16
            and self._copies[(each & 0xFFFFFFFF) - 1]["hash"] == wanted.hex()
            for each in found
        )
