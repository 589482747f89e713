"""Verification of records of any length.

The events are read in stretches. All steps check one stretch before the next stretch is read. A
stretch consists of whole batches. A step keeps only what it noted of earlier stretches.
"""

from abc import ABC, abstractmethod
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.outline import Contradiction
from rules.kernel.proof.shape import is_digest
from rules.kernel.proof.shapes import MOST_IN_BATCH
from rules.kernel.proof.verdicts import Check, unreadable
from rules.kernel.record.events import genesis

Copies = Sequence[JsonObject]

STRETCH = 64
"""A stretch ends with the first batch that makes it this long, in events. It is small, so that a
stretch is still in the processor's cache when the next step checks it.
"""


class ChainedBatch(NamedTuple):
    """A batch of a record, and its position in the chain.

    ``first`` is the number of its first event. ``prev`` has the hash before each event, and then
    the hash of the last event. ``written`` gets the canonical bytes of the visible parts of each
    event.
    """

    first: int
    copies: list[JsonObject]
    prev: list[bytes]
    written: list[dict[str, bytes]]


def stretches(stream_id: str, copies: Iterable[JsonObject]) -> Iterator[list[ChainedBatch]]:
    """Yield the stretches of a stream, whose copies must have the shape of events."""
    first, head = 1, genesis(stream_id)
    stretch: list[ChainedBatch] = []
    for batch in batches_of(copies):
        prev = [head, *[bytes.fromhex(copy["hash"]) for copy in batch]]
        stretch.append(ChainedBatch(first, batch, prev, []))
        first, head = first + len(batch), prev[-1]
        if first - stretch[0].first >= STRETCH:
            yield stretch
            stretch = []
    yield stretch


def batches_of(copies: Iterable[JsonObject], first: int = 1) -> Iterator[list[JsonObject]]:
    """Yield the batches of a stream; the event ``first`` begins the first batch.

    A batch that is incomplete has fewer events than its ``last`` promises.
    """
    batch: list[JsonObject] = []
    for number, copy in enumerate(copies, first):
        batch.append(copy)
        if number == batch[0]["last"] or len(batch) == MOST_IN_BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


class Step(ABC):
    """One check of a record, which gets the record stretch by stretch.

    If a record is so strange that the check raises an error, the check fails.
    """

    name = ""

    def __init__(self) -> None:
        self.check = Check(self.name)
        self.over = False
        """Whether this step needs no more batches."""

    def see(self, stretch: Iterable[ChainedBatch]) -> None:
        """Check the batches of the next stretch. It raises no error: an error fails the check."""
        try:
            for batch in stretch:
                if self.over:
                    return
                self.examine(batch)
        except Contradiction as error:
            self.check.fail(str(error))
            self.over = True
        except Exception as error:  # noqa: BLE001 - whatever a strange record provokes
            self.check, self.over = unreadable(self.name, error), True

    def end(self) -> Check:
        """Return the result of this check. Call it after the last stretch of the record."""
        return self.check

    @abstractmethod
    def examine(self, batch: ChainedBatch) -> None:
        """Check the next batch. It may raise any error."""


class Heads:
    """The hashes of a stream's events: the first 8 bytes of each, with the number of the event."""

    def __init__(self, copies: Copies) -> None:
        self._copies = copies
        self._noted = 0
        self._places: defaultdict[str, array[int]] = defaultdict(lambda: array("Q"))

    def holds(self, wanted: str, before: int) -> bool:
        """Whether an event with a number below ``before`` has this hash."""
        for index in range(self._noted, before - 1):
            hash_ = self._copies[index]["hash"]
            self._places[hash_[:3]].append(int(hash_[3:11], 16) << 32 | index)
        self._noted = before - 1
        return is_digest(wanted) and any(
            place >> 32 == int(wanted[3:11], 16)
            and self._copies[place & 0xFFFFFFFF]["hash"] == wanted
            for place in self._places[wanted[:3]]
        )
