"""Follows the leaves of each id: they must lie on one chain."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import orjson

from rules.kernel.record.instants import to_ms
from service.auditing.evidence import in_log
from service.auditing.findings import STRANGE, TWO_HISTORIES, AuditFinding
from service.auditing.state import State
from service.auditing.tree import Tree
from service.records.leaves import REWOUND, ForkError, Leaf, follow
from service.records.statements import BEGUN, RESTARTED, Restart, Statement, is_ahead
from service.tlog.errors import TlogError

_STANDS, _TAKEN_BACK, _STRAY = 1, 0, -1
"""Whether a leaf is on the chain; was taken back by a ``rewound``, or is one; does not follow."""
_KNOWN = """
SELECT number, id, kind, seq, hash, leaf FROM ids WHERE id IN (SELECT value FROM json_each(?))
"""
_SAVE = """
INSERT INTO ids (number, id, kind, seq, hash, leaf) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (number) DO UPDATE SET
    kind = excluded.kind, seq = excluded.seq, hash = excluded.hash, leaf = excluded.leaf
"""
_LOGGED = """
SELECT kind, seq, hash, more, leaf FROM leaves
WHERE id = ? AND seq = ? AND standing = 1 ORDER BY leaf DESC LIMIT 1
"""
_TAKE_BACK = "UPDATE leaves SET standing = 0 WHERE id = ? AND seq > ? AND standing = 1"


class _Standing:
    """The newest leaf on the chain of an id; none if everything was taken back."""

    __slots__ = ("leaf", "number", "place")

    def __init__(self, number: int, leaf: Leaf | None, place: int = 0) -> None:
        self.number = number
        self.leaf = leaf
        self.place = place


class Chains:
    """The chains of all ids of a log."""

    def __init__(self, state: State, tree: Tree) -> None:
        self._state = state
        self._tree = tree
        self._sql = state.sql
        self._signed_ms = None if tree.at is None else 1000 * tree.at
        (self._ids,) = self._sql.execute("SELECT COALESCE(MAX(number), 0) FROM ids").fetchone()
        self._added: list[tuple[object, ...]] = []
        self.kinds: Counter[str] = Counter()
        """The numbers of leaves that were taken, by kind; ``""`` for kinds of newer releases."""

    def take(self, first: int, entries: Sequence[bytes]) -> list[AuditFinding]:
        """Follow the next entries, whose first one has this number, in a transaction.

        The tree has them already. Return what is wrong.
        """
        leaves, found = self._parsed(first, entries)
        standing = self._standing({leaf.id for _number, leaf in leaves})
        forks: dict[str, str] = {}
        for number, leaf in leaves:
            try:
                self._follow(standing[leaf.id], number, leaf)
            except ForkError as error:
                self._add(standing[leaf.id].number, number, leaf, _STRAY)
                forks.setdefault(leaf.id, f"{error}.")
        self._flush()
        self._sql.executemany(_SAVE, (_row(id_, one) for id_, one in standing.items()))
        return [*found, *(self._fork(id_, why) for id_, why in forks.items())]

    def _parsed(
        self, first: int, entries: Sequence[bytes]
    ) -> tuple[list[tuple[int, Leaf]], list[AuditFinding]]:
        leaves, strange = [], []
        for number, entry in enumerate(entries, first):
            try:
                leaf = Leaf.parse(entry)
                if leaf is None:
                    self._hear(number, entry)
            except TlogError as error:
                strange.append(AuditFinding(STRANGE, None, f"Leaf {number}: {error}."))
                continue
            at = None if leaf is None else leaf.more.get("at")
            if leaf is not None and leaf.kind == REWOUND and at and is_ahead(at, self._signed_ms):
                why = f"Leaf {number}: {_of_later(leaf.kind, at)}."
                strange.append(AuditFinding(STRANGE, None, why))
            self.kinds["" if leaf is None else leaf.kind] += 1
            if leaf is not None:
                leaves.append((number, leaf))
        return leaves, strange

    def _hear(self, number: int, entry: bytes) -> None:
        """Remember what the log says of itself. Raises TlogError."""
        said = Statement.parse(entry)
        if said is None or (said.kind == BEGUN and number):
            return
        if is_ahead(said.last, self._signed_ms):
            raise TlogError(_of_later(said.kind, said.last))
        until = None if said.until is None else to_ms(said.until)
        row = number, said.kind, to_ms(said.at), until
        self._sql.execute("INSERT OR REPLACE INTO said VALUES (?, ?, ?, ?)", row)

    def _fork(self, id_: str, why: str) -> AuditFinding:
        tree, leaves = self._tree, leaves_of(self._state, id_)
        proved = [(number, leaf, tree.path(number)) for number, leaf in leaves]
        return AuditFinding(TWO_HISTORIES, id_, why, in_log(why, tree.note, proved))

    def _standing(self, ids: Iterable[str]) -> dict[str, _Standing]:
        found: dict[str, _Standing] = {}
        for number, id_, kind, seq, hash_, place in self._sql.execute(
            _KNOWN, (orjson.dumps([*ids]).decode(),)
        ):
            leaf = None if kind is None else Leaf(kind, id_, seq, hash_.hex())
            found[id_] = _Standing(number, leaf, place)
        for id_ in ids:
            if id_ not in found:
                self._ids += 1
                found[id_] = _Standing(self._ids, None)
        return found

    def _follow(self, standing: _Standing, number: int, leaf: Leaf) -> None:
        """Raise ForkError if the leaf does not follow."""
        taken: list[int] = []

        def logged(seq: int) -> Leaf | None:
            self._flush()
            row = self._sql.execute(_LOGGED, (standing.number, seq)).fetchone()
            if row is None:
                return None
            taken.append(row[4])
            return _leaf(leaf.id, row[:4])

        after = follow(standing.leaf, leaf, logged)
        if leaf.kind != REWOUND:
            self._add(standing.number, number, leaf, _STANDS)
            standing.leaf, standing.place = leaf, number
            return
        self._flush()
        self._sql.execute(_TAKE_BACK, (standing.number, leaf.more["to"]))
        self._add(standing.number, number, leaf, _TAKEN_BACK)
        standing.leaf, standing.place = after, taken[-1] if taken else 0

    def _add(self, id_: int, number: int, leaf: Leaf, standing: int) -> None:
        more = orjson.dumps(dict(leaf.more)).decode() if leaf.more else None
        row = id_, number, leaf.kind, leaf.seq, bytes.fromhex(leaf.hash), more, standing
        self._added.append(row)

    def _flush(self) -> None:
        if self._added:
            self._sql.executemany("INSERT INTO leaves VALUES (?, ?, ?, ?, ?, ?, ?)", self._added)
            self._added.clear()


class Loss(NamedTuple):
    """Events after ``to``, up to ``seq``, that the service says it has lost, in a leaf."""

    id: str
    seq: int
    to: int
    number: int


def restarts(state: State) -> list[Restart]:
    """Return the statements of the log that its store was restarted or replaced, oldest first."""
    asked = "SELECT leaf, at, until FROM said WHERE kind = ? ORDER BY leaf"
    return [Restart(*row) for row in state.sql.execute(asked, (RESTARTED,))]


def losses(state: State, since: int = 0) -> Iterator[Loss]:
    """Yield what the log itself says was lost, in leaves from number ``since`` on."""
    for id_, seq, more, number in state.sql.execute(
        "SELECT ids.id, leaves.seq, leaves.more, leaves.leaf FROM leaves JOIN ids"
        " ON ids.number = leaves.id WHERE leaves.kind = ? AND standing != ? AND leaves.leaf >= ?"
        " ORDER BY leaves.leaf",
        (REWOUND, _STRAY, since),
    ):
        yield Loss(id_, seq, orjson.loads(more)["to"], number)


def leaves_of(state: State, id_: str) -> list[tuple[int, Leaf]]:
    """Return all leaves of an id, with their numbers."""
    found = state.sql.execute(
        "SELECT kind, seq, hash, more, leaf FROM leaves"
        " WHERE id = (SELECT number FROM ids WHERE id = ?) ORDER BY leaf",
        (id_,),
    )
    return [(row[4], _leaf(id_, row[:4])) for row in found]


def _of_later(kind: str, at: str) -> str:
    return f"`{kind}` tells of {at}, which is later than the log was signed"


def _leaf(id_: str, row: tuple[str, int, bytes, str | None]) -> Leaf:
    kind, seq, hash_, more = row
    return Leaf(kind, id_, seq, hash_.hex(), orjson.loads(more) if more else {})


def _row(id_: str, one: _Standing) -> tuple[object, ...]:
    leaf = one.leaf
    if leaf is None:
        return one.number, id_, None, None, None, one.place
    return one.number, id_, leaf.kind, leaf.seq, bytes.fromhex(leaf.hash), one.place
