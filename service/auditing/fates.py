"""The fate of each creation: over, open, or dropped, by the log and by its service's answers.

An id is over if its newest leaf says so. Others must be shown by the service, and its events must
lead from leaf to leaf. What somebody could have lost since the newest checkpoint is a doubt until
the log had time to confess it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rules.kernel.canonical import JsonObject, NotCanonicalError, digest, encode
from service.auditing.state import State
from service.records.leaves import OVER
from service.records.promises import HASHED

OPEN, SEALED, SUSPENDED, OVER_NOW = "open", "sealed", "damaged", "over"
DROPPED, UNTOLD = "dropped", "untold"
PAGE = 1000
_PUBLIC = "ids.id NOT LIKE '~%'"
_OVER = "ids.kind IN ('{}')".format("', '".join(sorted(OVER)))
_LEAVES = """
SELECT seq, hash, leaf FROM leaves WHERE id = ? AND standing = 1 AND seq >= ? ORDER BY seq, leaf
"""
_NOTE = """
INSERT INTO asked (id, seq, hash, fate, record, why) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, fate = excluded.fate,
    record = excluded.record, why = excluded.why
"""


class Id(NamedTuple):
    """An id of the log, and its leaves that stand, with hashes in hex by ``seq``.

    ``base`` is the newest event to which the service's events are known to lead: a ``seq``.
    """

    number: int
    id: str
    is_over: bool
    base: int
    leaves: Mapping[int, str]

    @property
    def newest(self) -> int:
        """The ``seq`` of the newest leaf."""
        return max(self.leaves)


class HeaderChain(NamedTuple):
    """Where headers lead: to the event ``seq``; ``hashes`` are those of all events after the base.

    ``wrong`` is the ``seq`` of the first leaf that has another hash; None if there is none.
    """

    seq: int
    hashes: Sequence[str]
    wrong: int | None


class UnchainedError(ValueError):
    """The headers that a service shows are no hash chain."""


_UNFINISHED = f"{_PUBLIC} AND ids.kind IS NOT NULL AND NOT {_OVER}"
_WITHOUT_RECORD = (
    f"{_OVER} AND (asked.record IS NULL OR asked.seq IS NOT ids.seq OR asked.hash IS NOT ids.hash)"
    " AND ids.id LIKE "
)
_FROM = " FROM ids LEFT JOIN asked ON asked.id = ids.number WHERE "


def unfinished(state: State) -> tuple[int, Iterator[Id]]:
    """Return the number of public ids that are not over, and yield them."""
    return _counted(state, _UNFINISHED)


def without_record(state: State, kind: str) -> tuple[int, Iterator[Id]]:
    """Do so for games (``g``) or tournaments (``t``) that are over and whose record is not known.

    Those that get one while they are yielded are left out.
    """
    return _counted(state, f"{_WITHOUT_RECORD} '{kind}%'")


def of_id(state: State, id_: str) -> Id | None:
    """Return an id as the log has it now; None if it has nothing of it."""
    found = state.sql.execute("SELECT number FROM ids WHERE id = ?", (id_,)).fetchone()
    if found is None:
        return None
    return next(_ids(state, f"ids.kind IS NOT NULL AND ids.number = {found[0]:d}"), None)


def lead(
    base: tuple[int, str], headers: Sequence[JsonObject], leaves: Mapping[int, str]
) -> HeaderChain:
    """Follow headers from the event ``base`` (``seq`` and hash), and compare them with leaves.

    Raises:
        UnchainedError: they are no headers of the events that follow.
    """
    seq, hash_ = base
    before, wrong = bytes.fromhex(hash_), None
    hashes: list[str] = []
    for number, header in enumerate(headers, seq + 1):
        try:
            if header["seq"] != number:
                raise UnchainedError(f"event {number} is missing")
            before = digest(before + encode({name: header[name] for name in HASHED}))
        except (KeyError, TypeError, NotCanonicalError) as error:
            raise UnchainedError(f"event {number} is no event: {error}") from None
        hashes.append(before.hex())
        if header.get("hash", hashes[-1]) != hashes[-1]:
            raise UnchainedError(f"event {number} does not follow")
        if wrong is None and leaves.get(number, hashes[-1]) != hashes[-1]:
            wrong = number
    return HeaderChain(seq + len(headers), hashes, wrong)


def note(state: State, id_: Id, fate: str, record: str | None = None, why: str = "") -> None:
    """Note what became of an id, and that the service's events lead to its newest leaf."""
    newest = id_.newest
    hash_ = bytes.fromhex(id_.leaves[newest])
    state.sql.execute(_NOTE, (id_.number, newest, hash_, fate, record, why))


def note_untold(state: State, id_: Id, fate: str, why: str) -> None:
    """Note that nothing more is known of an id than before, and why."""
    hash_ = id_.leaves.get(id_.base)
    base = (id_.base, bytes.fromhex(hash_)) if hash_ else (None, None)
    state.sql.execute(_NOTE, (id_.number, *base, fate, None, why))


def summary(state: State) -> dict[tuple[str, str, str | None, str | None], int]:
    """Return the number of ids by kind, newest leaf, fate and record.

    The kind is ``g`` of games, ``t`` of tournaments, ``~`` of pseudonyms. Fate and record are None
    if they are not known of the newest leaf.
    """
    found = state.sql.execute(
        "SELECT SUBSTR(ids.id, 1, 1), COALESCE(ids.kind, ''), asked.fate,"
        " CASE WHEN asked.seq IS ids.seq AND asked.hash IS ids.hash THEN asked.record END,"
        f" COUNT(*) {_FROM} 1 GROUP BY 1, 2, 3, 4"
    )
    return {(kind, leaf, fate, record): many for kind, leaf, fate, record, many in found}


def reasons(state: State, most: int = 5) -> list[tuple[str, int]]:
    """Return why something could not be told of an id, most frequent reasons first."""
    found = state.sql.execute(
        "SELECT why, COUNT(*) FROM asked WHERE why != '' GROUP BY why ORDER BY 2 DESC, 1 LIMIT ?",
        (most,),
    )
    return [(why, many) for why, many in found]


def _counted(state: State, where: str) -> tuple[int, Iterator[Id]]:
    (many,) = state.sql.execute(f"SELECT COUNT(*) {_FROM} {where}").fetchone()
    return many, _ids(state, where)


def _ids(state: State, where: str) -> Iterator[Id]:
    after = 0
    columns = "SELECT ids.number, ids.id, ids.kind, asked.seq, asked.hash"
    asked = f"{columns} {_FROM} ids.number > ? AND {where} ORDER BY ids.number LIMIT {PAGE}"
    while page := state.sql.execute(asked, (after,)).fetchall():
        for number, id_, kind, seq, hash_ in page:
            leaves = _leaves(state, number)
            # What was compared before may be taken back since.
            base = seq if seq is not None and leaves.get(seq) == hash_.hex() else min(leaves)
            yield Id(number, id_, kind in OVER, base, leaves)
        after = page[-1][0]


def _leaves(state: State, number: int) -> dict[int, str]:
    found: Iterable[tuple[int, bytes, int]] = state.sql.execute(_LEAVES, (number, 0))
    return {seq: hash_.hex() for seq, hash_, _leaf in found}
