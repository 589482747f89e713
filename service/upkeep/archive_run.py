"""A run of the archive: packs are written, and games leave the store, a pack at a time."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verdicts import Report
from service.archive.archive import Archive, WrittenPack
from service.archive.files import Files
from service.records.game_file import Record
from service.redis.keys import game_key
from service.tournaments.record.export import TournamentRecordSource
from service.upkeep.archiving import Packer, PackingOutcome, finished
from service.upkeep.besides import BesideFiles, LackingPack
from service.upkeep.due import Due
from service.upkeep.moving import MoveOutcome, Mover


class MoveOptions(NamedTuple):
    """How games leave the store: see ``Mover``. With ``due``, only those that have to.

    That is about writing packs: games that are in one leave in any case.
    """

    again: bool = False
    adopts: bool = False
    due: Due | None = None


class ArchiveRun:
    """What one run does, and has done, in a folder."""

    def __init__(
        self,
        stored: TournamentRecordSource,
        archive: Archive,
        files: Files,
        verify_game: Callable[[Record], Report],
        list_again: Callable[[str], None],
    ) -> None:
        """For ``verify_game`` see ``Packer``, for ``list_again`` see ``Mover``."""
        self._stored = stored
        self._archive = archive
        self._files = files
        self._verify_game = verify_game
        self._list_again = list_again
        self.besides = BesideFiles(stored.ledger.store, files)
        self._complete, self._is_begun = 0, False
        """How many new packs were looked after, and whether the older ones were, too."""
        self._records = 0
        self._later: set[str] = set()
        self._damaged: set[str] = set()
        """The games that were ended as damaged."""
        self._packs: list[WrittenPack] = []
        self._left: dict[str, PackingOutcome] = {}
        self._lacking: dict[str, LackingPack] = {}
        self._counts: Counter[str] = Counter()
        self._moved: dict[str, MoveOutcome] = {}
        """The games that had to stay, or were taken aside."""
        self._listed: dict[str, str] = {}
        """Why games that have left could not leave the lists."""

    @cached_property
    def _mover(self) -> Mover:
        stored, key = self._stored, self._stored.signer.public_key.hex()
        return Mover(stored.ledger, self._files, self.besides, self._list_again, key)

    def expect_own_packs(self) -> None:
        """Expect that no other installation has written to the folder. Raises as ``Mover``."""
        self._mover.expect_new_ones_own()

    def packing(self, due: Due | None = None) -> Iterator[Iterator[PackingOutcome]]:
        """Yield the steps of the run; games can leave after each.

        A step writes about a pack, and the file beside it, and yields each game and tournament.
        """
        now = self._stored.ledger.store.clock.ask()
        rest_ms = None if due is None else due.rest_ms
        outcomes = self._packer(rest_ms).pack(self._finished(now - (rest_ms or 0)))
        yield self._step(_until_full(outcomes))
        while (first := next(outcomes, None)) is not None:
            yield self._step(_until_full(chain([first], outcomes)))
        if due is not None:
            yield from self._freeing(due, now)

    def _freeing(self, due: Due, now: int) -> Iterator[Iterator[PackingOutcome]]:
        """Yield further steps, with the oldest games, as long as the store has to lose bytes."""
        outcomes, gone = self._packer(None).pack(self._finished(now)), -1
        while excess := due.excess(self._stored.ledger.store.redis):
            if self._counts["gone"] == gone or (first := next(outcomes, None)) is None:
                return  # all that can leave now has left
            gone = self._counts["gone"]
            yield self._step(self._until_freed(chain([first], outcomes), excess))

    def _finished(self, until_ms: int) -> Iterator[str]:
        return finished(self._stored, until_ms, private=self._archive.takes_private)

    def _until_freed(
        self, outcomes: Iterator[PackingOutcome], excess: int
    ) -> Iterator[PackingOutcome]:
        """Yield outcomes up to a full pack, or until games have about this size, in bytes."""
        redis = self._stored.ledger.store.redis
        for one in _until_full(outcomes):
            yield one
            if one.packed:
                found: Any = redis.memory_usage(game_key(one.id, "events"))
                excess -= found or 0
                if excess <= 0:
                    return

    def _packer(self, rest_ms: int | None) -> Packer:
        return Packer(self._stored, self._archive, self._verify_game, rest_ms)

    def _step(self, outcomes: Iterator[PackingOutcome]) -> Iterator[PackingOutcome]:
        for one in outcomes:
            self._records += one.packed
            if one.later:
                self._later.add(one.id)
            else:
                self._later.discard(one.id)  # it ended some days ago, or the store was full
            self._damaged |= {one.id} if one.damaged else set()
            self._left |= {one.id: one} if one.left else {}
            self._packs += one.packs
            yield one
        for private in (False, True):
            self._packs += filter(None, [self._archive.finish(private=private)])
        new = [pack.name for pack in self._packs[self._complete :]]
        lacking = self.besides.complete(new if self._is_begun else None)
        self._lacking |= {each.name: each for each in lacking}
        self._complete, self._is_begun = len(self._packs), True

    def move(self, moving: MoveOptions) -> Iterator[MoveOutcome]:
        """Let games leave the store, after each step; yield each. Raises as ``Mover``."""
        adopted = self._mover.adopt(self._archive.disputed()) if moving.adopts else ()
        written = [pack.name for pack in self._packs]
        for one in chain(adopted, self._mover.move(written, again=moving.again)):
            done = (("gone", one.gone), ("noted", one.noted), ("unlisted", one.unlisted))
            self._counts.update(name for name, is_so in done if is_so)
            if one.gone:
                self._moved.pop(one.id, None)  # it had to stay at an earlier step
            known = self._moved.get(one.id)
            if (one.stays or one.aside) and (known is None or not known.other):
                self._moved[one.id] = one
            self._listed.pop(one.id, None)
            self._listed |= {one.id: one.listed} if one.listed else {}
            yield one

    def to_json(self) -> JsonObject:
        """Return what was written."""
        packs, left = self._packs, self._left.values()
        return {
            "packs": [{"name": p.name, "bytes": p.size, "records": len(p.rows)} for p in packs],
            "records": self._records,
            "later": len(self._later),
            "damaged": len(self._damaged),
            "left_out": [{"id": o.id, "why": o.left, "other_history": o.other} for o in left],
            "beside": {
                "written": self.besides.written,
                "rewritten": self.besides.rewritten,
                "lacking": [each._asdict() for each in self._lacking.values()],
            },
        }

    def moved_to_json(self) -> JsonObject:
        """Return what has left the store."""
        moved, listed = self._moved.values(), Counter(self._listed.values())
        stay = [{"id": o.id, "why": o.stays, "other_history": o.other} for o in moved if o.stays]
        return {
            **{name: self._counts[name] for name in ("gone", "unlisted", "noted")},
            "aside": [o.id for o in moved if o.aside],
            "stay": stay,
            "listed": [{"why": why, "games": games} for why, games in sorted(listed.items())],
        }


def _until_full(outcomes: Iterator[PackingOutcome]) -> Iterator[PackingOutcome]:
    """Yield outcomes up to one with which a pack became full."""
    for one in outcomes:
        yield one
        if one.packs:
            return
