"""Reads packs again, and heals what is lost in one place from the copy in another.

A pack is whole if its bytes have the SHA-256 that is its name, and a file beside a pack if it can
be read; a private pack needs one, which says who may read its games. Of two that are whole and
differ, the copy's is the older one.

A daily scrub reads a share of the packs: each is read again within some days. Packs that are new,
missing or not whole, and files beside packs that have changed, are looked at in each scrub. When
each pack was read last is stored after each, so a scrub that was interrupted costs one pack.
"""

import errno
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from typing import Any, NamedTuple

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.archive import beside
from service.archive.beside import BesideError
from service.archive.files import BusyError, ChangedError, Files
from service.archive.pack import PackError, digest_in, is_private
from service.ledger.places import PackPlaces
from service.players.departed import departed
from service.players.keys import DAY_MS
from service.redis.keys import meta_key

SCRUBBED = meta_key("scrubbed")
"""The last reading of each pack, by its name: a hash."""
BEGUN = meta_key("scrub_begun")
"""When a scrub of all packs began that has not come to its end; for a day."""
LAST_SCRUB = meta_key("scrub")
"""When the last scrub began, and its result."""
HEALED = meta_key("healed")
"""The number of files that scrubs have healed."""
BUSY_SECONDS = 30.0
"""How long a scrub waits for another process that writes to a place."""

_LOOK_SECONDS = 0.5
_EARLY_MS = DAY_MS // 2
"""How much earlier than it must be, a pack is read: the next scrub may be a day later."""


class ScrubOutcome(NamedTuple):
    """What a scrub has done about a pack, of ``size`` bytes, and the file beside it.

    ``healed`` are the files that were lost or damaged, and are whole again; ``copied`` those that
    the copy did not have yet, or in an older form. ``lost`` says what is not whole now, and why.
    """

    name: str
    size: int = 0
    healed: tuple[str, ...] = ()
    copied: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


class _Look(NamedTuple):
    """What was read of a pack in a place: ``why`` it is not whole, "" if it is.

    ``bad`` is true if its bytes were read, or are lost, so that another one may be put there.
    """

    files: Files
    size: int = 0
    why: str = ""
    is_bad: bool = True
    is_there: bool = True


class PackReading(NamedTuple):
    """A scrub's last reading of a pack ``at`` a time (ms since 1970).

    ``beside`` is the version of the file beside it then, ``lost`` the number of files that were not
    whole afterwards, and ``copied`` whether there was a copy.
    """

    at: int
    beside: str
    lost: int
    copied: bool


class ScrubPlan(NamedTuple):
    """What a scrub looks at: whole packs, and of others only the files beside them."""

    packs: list[str]
    besides: list[str]


class Scrub:
    """Scrubs the packs of a place, and of its copy, if there is one."""

    def __init__(self, redis: Redis, files: Files, copy: Files | None, now_ms: int) -> None:
        self._redis = redis
        self._files = files
        self._copy = copy
        self._now_ms = now_ms
        self._left = departed(redis).players
        self._outcomes: list[ScrubOutcome] = []
        self._packs = 0
        self._unread: list[str] = []
        """What is wrong with the copy as a whole."""
        self._known: set[str] = set()
        """The packs that the store knows."""
        self._copied: set[str] = set()
        """The packs of which there was a copy."""

    def all_packs(self) -> ScrubPlan:
        """Return the packs of the place, and those that the store knows, the longest unread first.

        If such a scrub was interrupted less than a day ago, those are left out that it has read.

        Raises:
            PlaceError: the place cannot be read, or is empty, although the store knows packs.
        """
        (names, missing), readings = self._names(), self._readings()
        self._redis.set(BEGUN, self._now_ms, nx=True, px=DAY_MS)
        found: Any = self._redis.get(BEGUN)
        since = int(found or self._now_ms)
        lacking = missing | self._lacking_in_copy(names, readings, fills=True)
        read = {n for n, one in readings.items() if since <= one.at < self._now_ms and not one.lost}
        return ScrubPlan([n for n in _by_age(names, readings) if n not in read - lacking], [])

    def due(self, days: int) -> ScrubPlan:
        """Return what is to be read today so that each pack is read again within ``days``.

        Raises PlaceError as ``all_packs``.
        """
        (names, missing), readings = self._names(), self._readings()
        lacking = missing | self._lacking_in_copy(names, readings, fills=False)
        late = self._now_ms - days * DAY_MS + _EARLY_MS
        share = {*_by_age([n for n in names if n in readings], readings)[: -(-len(names) // days)]}
        packs, besides = [], []
        for name in _by_age(names, readings):
            last = readings.get(name)
            if last is None or last.lost or last.at <= late or name in share | lacking:
                packs.append(name)
            elif self._files.beside_version(name) != last.beside:
                besides.append(name)
        return ScrubPlan(packs, besides)

    def run(self, plan: ScrubPlan) -> Iterator[ScrubOutcome]:
        """Scrub; yield what was done about each pack, and about each file beside one."""
        for name in plan.packs:
            self._packs += 1
            yield self._done(self._scrub(name), self._now_ms)
        readings = self._readings()
        for name in plan.besides:
            yield self._done(self._scrub_beside(name), readings[name].at)
        if self._copy is not None and not any(one.lost for one in self._outcomes):
            self._copy_left(self._copy)
        self._redis.delete(BEGUN)

    def _done(self, outcome: ScrubOutcome, at: int) -> ScrubOutcome:
        self._outcomes.append(outcome)
        try:
            version = self._files.beside_version(outcome.name)
        except OSError:
            version = ""
        copied = outcome.name in self._copied or self._copy is not None
        reading = PackReading(at, version, len(outcome.lost), copied)
        self._redis.hset(SCRUBBED, outcome.name, orjson.dumps([*reading]))
        return outcome

    def _names(self) -> tuple[set[str], set[str]]:
        """Return the names of the packs in the place and in the store; and those not there."""
        self._known = known = {*PackPlaces(self._redis).packs().values()}
        here = self._files.present(known)
        gone = self._readings().keys() - here - known
        if gone:
            self._redis.hdel(SCRUBBED, *gone)
        return here | known, known - here

    def _readings(self) -> dict[str, PackReading]:
        found: Any = self._redis.hgetall(SCRUBBED)
        each = {name.decode(): PackReading(*orjson.loads(raw)) for name, raw in found.items()}
        # The store's clock may have gone back: nobody knows when these were read.
        return {n: one if one.at <= self._now_ms else one._replace(at=0) for n, one in each.items()}

    def _lacking_in_copy(
        self, names: set[str], readings: Mapping[str, PackReading], *, fills: bool
    ) -> set[str]:
        """Return the packs that the copy does not have.

        A copy that cannot be read is told, and let alone. So is one that is empty although packs
        were copied, unless ``fills``: its disk may not be mounted.
        """
        self._copied = {name for name, one in readings.items() if one.copied}
        if self._copy is None:
            return set()
        try:
            there = {*self._copy.names()}
        except FileNotFoundError:
            there = set()
        except OSError as error:
            self._let_alone(f"cannot be read: {error.strerror or error}")
            return set()
        if self._copied and not there and not fills:
            self._let_alone(
                f"is empty, or not there, and had {len(self._copied)} packs: look whether it is the"
                " right place, and is mounted; `lonja archive scrub` copies all again"
            )
            return set()
        return names - there

    def _let_alone(self, why: str) -> None:
        """Tell why this scrub does nothing about the copy."""
        if self._copy is not None:
            self._unread.append(f"{self._copy.place} {why}")
            self._copy = None

    def to_json(self) -> JsonObject:
        """Return what was done."""
        found = self._outcomes
        return {
            "packs": self._packs,
            "bytes": sum(one.size for one in found),
            "healed": [path for one in found for path in one.healed],
            "copied": [path for one in found for path in one.copied],
            "lost": [*self._unread, *(told for one in found for told in one.lost)],
        }

    def _scrub(self, name: str) -> ScrubOutcome:
        looks = [_look(each, name) for each in (self._files, self._copy) if each is not None]
        whole = next((one for one in looks if not one.why), None)
        healed: list[str] = []
        copied: list[str] = []
        lost: list[str] = []
        for one in looks:
            path = one.files.path_of(name)
            failed = one.why and (one.why if whole is None else _heal(one, whole.files, name))
            if failed:
                lost.append(f"{path}: {failed}")
            elif one.why:
                is_new = one.files is self._copy and not one.is_there
                (copied if is_new else healed).append(path)
        besides = self._scrub_beside(name)
        return ScrubOutcome(
            name,
            looks[0].size,
            (*healed, *besides.healed),
            (*copied, *besides.copied),
            (*lost, *besides.lost),
        )

    def _scrub_beside(self, name: str) -> ScrubOutcome:
        files, copy = self._files, self._copy
        path = f"what is beside {files.path_of(name)}"
        try:
            raw, spare = files.beside(name), None if copy is None else copy.beside(name)
            why = _why_unreadable(raw)
            if raw is None and is_private(name) and name in self._known:
                why = "it is not there"
            if why is None and raw is not None:
                raw = self._cleared(name, raw)
            if why is None and copy is not None and raw is not None and raw != spare:
                _put_beside(copy, name, raw, spare)
                return ScrubOutcome(name, copied=(f"what is beside {copy.path_of(name)}",))
            if spare is not None and (why or raw is None) and _why_unreadable(spare) is None:
                # Who has left since does not come back with the copy.
                lines = (each.without(self._left) for each in beside.read(spare))
                _put_beside(files, name, beside.packed(lines), raw)
                return ScrubOutcome(name, healed=(path,))
        except ChangedError:
            why = None  # it was written meanwhile
        except (BusyError, OSError, PackError) as error:
            why = str(error)
        return ScrubOutcome(name, lost=() if why is None else (f"{path}: {why}",))

    def _cleared(self, name: str, raw: bytes) -> bytes:
        """Take who has left out of the file beside a pack; return its contents.

        Runs of the archive take out who has left since the last one alone, and this may be a file
        of an older day that somebody has put back.
        """
        if self._left.isdisjoint(beside.players_in(raw)):
            return raw
        cleared = beside.packed(each.without(self._left) for each in beside.read(raw))
        if cleared != raw:
            _put_beside(self._files, name, cleared, raw)
        return cleared

    def _copy_left(self, copy: Files) -> None:
        """Note in the copy up to which departures its files are cleared: they are the place's."""
        if copy.left() != (until := self._files.left()):
            with _at_work(copy):
                copy.note_left(until)


def _by_age(names: Iterable[str], readings: Mapping[str, PackReading]) -> list[str]:
    """Return the packs in the order of their readings: those that were never read come first."""
    return sorted(names, key=lambda n: (readings[n].at if n in readings else 0, n))


def _look(files: Files, name: str) -> _Look:
    try:
        digest, size = sha256(), 0
        for part in files.source(name).parts():
            digest.update(part)
            size += len(part)
    except FileNotFoundError:
        return _Look(files, why="it is not there", is_there=False)
    except OSError as error:
        is_bad = error.errno == errno.EIO  # which is how a disk says that bytes are lost
        return _Look(files, why=error.strerror or str(error), is_bad=is_bad)
    is_whole = digest.hexdigest() == digest_in(name)
    return _Look(files, size, "" if is_whole else "its bytes are not those that were written")


def _heal(lost: _Look, whole: Files, name: str) -> str:
    """Put a whole pack in the place of one that is not; return why it could not be, "" if it is."""
    if not lost.is_bad:
        return lost.why
    files = lost.files
    try:
        with ExitStack() as stack:
            stack.enter_context(_at_work(files))
            draft = stack.enter_context(files.draft())
            for part in whole.source(name).parts():
                draft.write(part)
            if lost.is_there:
                files.put_aside(name)
            files.put(name, draft)
        healed = _look(files, name)
    except (BusyError, OSError) as error:
        return f"{lost.why}; it could not be healed: {error}"
    return healed.why and f"{lost.why}; it was written again, and {healed.why}"


def _put_beside(files: Files, name: str, raw: bytes, before: bytes | None) -> None:
    with _at_work(files):
        files.put_beside(name, raw, before)


def _why_unreadable(raw: bytes | None) -> str | None:
    """Return why a file beside a pack cannot be read; None if it can, or there is none."""
    try:
        for _line in () if raw is None else beside.read(raw):
            pass
    except BesideError as error:
        return str(error)
    return None


@contextmanager
def _at_work(files: Files) -> Iterator[None]:
    """Be the only one who writes to a place; wait for another one. Raises BusyError."""
    with ExitStack() as stack:
        end = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                stack.enter_context(files.at_work())
                break
            except BusyError:
                if time.monotonic() >= end:
                    raise
            time.sleep(_LOOK_SECONDS)
        yield


class LastScrub(NamedTuple):
    """A scrub: when it began (ms since 1970), the packs that it has read, and what is not whole.

    What was not whole in an earlier one was read again in it.
    """

    at: int
    packs: int
    lost: int


def note_scrub(redis: Redis, began_ms: int, told: JsonObject) -> None:
    """Store the result of a scrub."""
    pipe = redis.pipeline()
    pipe.set(LAST_SCRUB, orjson.dumps([*LastScrub(began_ms, told["packs"], len(told["lost"]))]))
    pipe.incrby(HEALED, len(told["healed"]))
    pipe.execute()


def last_scrub(redis: Redis) -> LastScrub | None:
    """Return the result of the last scrub, None if there was none."""
    raw: Any = redis.get(LAST_SCRUB)
    return None if raw is None else LastScrub(*orjson.loads(raw))


def healed_ever(redis: Redis) -> int:
    """Return the number of files that scrubs have healed."""
    found: Any = redis.get(HEALED)
    return int(found or 0)
