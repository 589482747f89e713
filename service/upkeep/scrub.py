"""Reads all packs again, and heals what is lost in one place from the copy in another.

A pack is whole if its bytes have the SHA-256 that is its name, and a file beside a pack if it can
be read. Of two that are whole and differ, the copy's is the older one.
"""

import errno
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from typing import Any, NamedTuple

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.archive import beside
from service.archive.beside import BesideError
from service.archive.files import BusyError, ChangedError, Files, PlaceError
from service.archive.pack import digest_in
from service.ledger.places import PackPlaces
from service.players.departed import departed
from service.redis.keys import meta_key

LAST_SCRUB = meta_key("scrub")
"""When the last scrub began, and its result."""
HEALED = meta_key("healed")
"""The number of files that scrubs have healed."""
BUSY_SECONDS = 30.0
"""How long a scrub waits for another process that writes to a place."""

_LOOK_SECONDS = 0.5


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


class Scrub:
    """Scrubs the packs of a place, and of its copy, if there is one."""

    def __init__(self, redis: Redis, files: Files, copy: Files | None) -> None:
        self._redis = redis
        self._files = files
        self._copy = copy
        self._left = departed(redis).players
        self._outcomes: list[ScrubOutcome] = []

    def names(self) -> list[str]:
        """Return the names of the packs in the place, and of those that the store knows.

        Raises:
            PlaceError: the place is empty, although the store knows packs; OSError.
        """
        here, known = {*self._files.names()}, {*PackPlaces(self._redis).packs().values()}
        if known and not here and not any(map(self._files.has_beside, known)):
            raise PlaceError(
                f"{self._files.place} is empty, and the Redis knows {len(known)} packs:"
                " look whether it is the right place, and is there"
            )
        return sorted(here | known)

    def run(self, names: list[str]) -> Iterator[ScrubOutcome]:
        """Scrub the packs with these names; yield what was done about each."""
        for name in names:
            outcome = self._scrub(name)
            self._outcomes.append(outcome)
            yield outcome
        if self._copy is not None and not any(one.lost for one in self._outcomes):
            self._copy_left(self._copy)

    def to_json(self) -> JsonObject:
        """Return what was done."""
        found = self._outcomes
        return {
            "packs": len(found),
            "bytes": sum(one.size for one in found),
            "healed": [path for one in found for path in one.healed],
            "copied": [path for one in found for path in one.copied],
            "lost": [told for one in found for told in one.lost],
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
        except (BusyError, OSError) as error:
            why = str(error)
        return ScrubOutcome(name, lost=() if why is None else (f"{path}: {why}",))

    def _copy_left(self, copy: Files) -> None:
        """Note in the copy up to which departures its files are cleared: they are the place's."""
        if copy.left() != (until := self._files.left()):
            with _at_work(copy):
                copy.note_left(until)


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
    """A scrub: when it began (ms since 1970), the packs that it has read, and what is not whole."""

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
