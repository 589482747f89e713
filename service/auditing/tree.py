"""Follows the tree of a log from one checkpoint to the next.

The hashes of all leaves are remembered, so a log that forks or goes back is proved to others from
the memory alone, whatever the log serves by then.
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from rules.kernel.record.instants import from_ms
from service.auditing.ahead import ahead
from service.auditing.evidence import two_checkpoints
from service.auditing.findings import DAMAGED, FORKED, WENT_BACK, AuditError, AuditFinding
from service.auditing.state import State
from service.tlog.checkpoints import Checkpoint, OpenedCheckpoint
from service.tlog.errors import TlogError
from service.tlog.merkle import (
    HASH_BYTES,
    Node,
    consistency_proof,
    fold,
    inclusion_proof,
    leaf_hash,
    root,
)
from service.tlog.reading import ReadFile, read_entries, read_tile
from service.tlog.tiles import HEIGHT, WIDTH, Tile, nodes_of, tile_of, tiles_of

_THREADS = 8
"""Number of bundles that are asked for at the same time."""
_ADD_HASH = """
INSERT INTO bundles (number, hash) VALUES (?, ?)
ON CONFLICT (number) DO UPDATE SET hash = excluded.hash
"""
_ADD_ROW = """
INSERT INTO bundles (number, row) VALUES (?, ?)
ON CONFLICT (number) DO UPDATE SET row = excluded.row
"""


class Tree:
    """The tree of the largest checkpoint that was seen, as far as it was read."""

    def __init__(self, state: State) -> None:
        self._state = state
        found = state.sql.execute("SELECT hash FROM bundles WHERE hash IS NOT NULL ORDER BY number")
        self.bundles: list[bytes] = [hash_ for (hash_,) in found]
        """The hashes over all full bundles."""

    @property
    def size(self) -> int:
        """The number of leaves of the largest checkpoint that was seen."""
        return int(self._state.known("size", 0))

    @property
    def is_begun(self) -> bool:
        """Whether a checkpoint was seen."""
        return self._state.sql.execute("SELECT 1 FROM checkpoints").fetchone() is not None

    @property
    def note(self) -> bytes:
        """The note of the largest checkpoint that was seen, as it was seen first."""
        return bytes(self._newest("note"))

    @property
    def at(self) -> int | None:
        """The time of that note, in seconds since 1970, if it says so."""
        found: int | None = self._newest("at")
        return found

    def _newest(self, column: str) -> Any:
        asked = f"SELECT {column} FROM checkpoints WHERE size = ?"  # noqa: S608 - a constant
        return self._state.sql.execute(asked, (self.size,)).fetchone()[0]

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a complete subtree (``service.tlog.merkle.Node``).

        Raises:
            TlogError: its leaves were not read yet.
        """
        if level < HEIGHT:
            number, first = divmod(index << level, WIDTH)
            row = self._row(number)[first * HASH_BYTES : (first + (1 << level)) * HASH_BYTES]
            if len(row) < HASH_BYTES << level:
                raise TlogError(f"the leaves of bundle {number} were not read yet")
            return fold(_hashes(row))
        first = index << (level - HEIGHT)
        return fold(self.bundles[first : first + (1 << (level - HEIGHT))])

    @property
    def edge(self) -> bytes:
        """The hashes of the leaves after the last full bundle."""
        number, known = divmod(self.size, WIDTH)
        return self._row(number)[: known * HASH_BYTES]

    def root(self, size: int) -> bytes:
        """Return the head of the first ``size`` leaves. Raises TlogError: they were not read."""
        return root(size, self.node)

    def path(self, index: int) -> list[bytes]:
        """Return the inclusion path of a leaf in the largest tree that was seen."""
        return inclusion_proof(index, self.size, self.node)

    def compare(self, other: Checkpoint, note: bytes) -> None:
        """Compare with a checkpoint that is not larger, which others may have got from the log.

        Raises:
            AuditError: it is not of this log's history: two are shown.
            TlogError: the leaves were not read yet.
        """
        head = self.root(other.size)
        if head != other.root:
            path = consistency_proof(other.size, self.size, self.node)
            raise AuditError(_forked((other.size, note), (self.size, self.note), head, path))

    def accept(self, opened: OpenedCheckpoint, bundles: Iterable[bytes], edge: bytes) -> None:
        """Remember a checkpoint whose tree begins with this one.

        ``bundles`` are the hashes over further full bundles, ``edge`` those of the leaves after the
        last full bundle.
        """
        found = opened.checkpoint
        numbered = [*enumerate(bundles, len(self.bundles))]
        with self._state.writing():
            self._state.sql.executemany(_ADD_HASH, numbered)
            if edge:
                self._state.sql.execute(_ADD_ROW, (found.size // WIDTH, edge))
            self._state.know(size=max(found.size, self.size))
            self._state.sql.execute(
                "INSERT OR IGNORE INTO checkpoints VALUES (?, ?, ?, ?)",
                (found.size, found.root, at_of(opened), bytes(opened.note)),
            )
        self.bundles += [hash_ for _number, hash_ in numbered]

    def take(self, number: int, row: bytes) -> None:
        """Remember the hashes of the leaves of a bundle.

        Raises:
            TlogError: they are not those of the signed tree.
        """
        is_full = number < len(self.bundles)
        if (fold(_hashes(row)) != self.bundles[number]) if is_full else row != self._row(number):
            path = tile_of(self.size, 0, number).entries_path
            raise TlogError(f"{path} has not the entries that are signed")
        self._state.sql.execute("UPDATE bundles SET row = ? WHERE number = ?", (row, number))

    def has_row(self, number: int) -> bool:
        """Whether the hashes of all leaves of a full bundle are known."""
        return len(self._row(number)) == WIDTH * HASH_BYTES

    def hashes_of(self, tile: Tile) -> bytes:
        """Return what a tile must have. Raises TlogError: its leaves were not read yet."""
        first = tile.index * WIDTH
        level, last = HEIGHT * tile.level, first + tile.width
        return b"".join(self.node(level, index) for index in range(first, last))

    def _row(self, number: int) -> bytes:
        found = self._state.sql.execute("SELECT row FROM bundles WHERE number = ?", (number,))
        row = found.fetchone()
        return b"" if row is None or row[0] is None else bytes(row[0])


def go_on(tree: Tree, opened: OpenedCheckpoint, read: ReadFile) -> bool:
    """Make sure that a signed tree begins with the one that was seen, and remember it.

    Return False if it is an older state of the same log, which somebody may have kept.

    Raises:
        AuditError: it is another history, the log went back, or its files do not lead to its head.
    """
    found, note = opened.checkpoint, bytes(opened.note)
    try:
        if found.size <= tree.size:
            _need(tree, found.size, read)
            tree.compare(found, note)
        if found.size < tree.size:
            _look_back(tree, opened)
            return False
        bundles, edge = _heard(tree, found, read)
        is_whole = root(found.size, _node([*tree.bundles, *bundles], edge)) == found.root
        if not is_whole or not _keeps_edge(tree, (bundles, edge), read):
            raise AuditError(_diagnosed(tree, opened, read))
    except TlogError as error:
        raise AuditError(damaged(str(error))) from None
    tree.accept(opened, bundles, edge)
    return True


def _need(tree: Tree, size: int, read: ReadFile) -> None:
    """Read the leaves that the head of a smaller tree needs, if an audit was stopped before them.

    Raises:
        TlogError: they are missing, or not those of the signed tree.
    """
    number, left = divmod(size, WIDTH)
    if left and number < len(tree.bundles) and not tree.has_row(number):
        tree.take(number, b"".join(map(leaf_hash, read_entries(read, Tile(0, number)))))


class BundleFiles(NamedTuple):
    """What a log serves of a bundle: its entries, and the hashes of its tile of level 0."""

    number: int
    entries: Sequence[bytes]
    tile: bytes


def files_of_log(tree: Tree, read: ReadFile, first: int) -> Iterator[BundleFiles]:
    """Yield what the log serves of each bundle from number ``first`` on; nothing was checked yet.

    Several are asked for at the same time.

    Raises:
        AuditError: a file is missing.
    """

    def ask(number: int) -> BundleFiles:
        tile = tile_of(size, 0, number)
        return BundleFiles(number, read_entries(read, tile), read_tile(read, tile))

    size = tree.size
    with ThreadPoolExecutor(_THREADS) as pool:
        try:
            yield from ahead(pool, ask, range(first, -(-size // WIDTH)), 2 * _THREADS)
        except TlogError as error:
            raise AuditError(damaged(str(error))) from None


def check_tiles(tree: Tree, old: int, read: ReadFile) -> Iterator[str]:
    """Yield what is wrong with the higher tiles that a log has since its tree of ``old`` leaves."""
    for tile in tiles_of(old, tree.size):
        try:
            if tile.level and read_tile(read, tile) != tree.hashes_of(tile):
                yield f"{tile.path} does not follow from what is signed"
        except TlogError as error:
            yield str(error)


def at_of(opened: OpenedCheckpoint) -> int | None:
    """Return the time (seconds since 1970) at which a checkpoint was the newest, if it says so."""
    return min(opened.seen.values(), default=None)


def _look_back(tree: Tree, opened: OpenedCheckpoint) -> None:
    """Raise AuditError if an older state was signed after a newer one: the log went back."""
    known, before, at = tree.note, tree.at, at_of(opened)
    if at is None or before is None or at <= before:
        return
    size = opened.checkpoint.size
    why = (
        f"At {from_ms(1000 * at)} the log was signed with {size} leaves, and before, at"
        f" {from_ms(1000 * before)}, with {tree.size}: it went back."
    )
    evidence = two_checkpoints(why, (bytes(opened.note), known))
    raise AuditError(AuditFinding(WENT_BACK, None, why, evidence))


def _heard(tree: Tree, found: Checkpoint, read: ReadFile) -> tuple[list[bytes], bytes]:
    """Return what a log says: the hashes over its further full bundles, and of the last leaves."""
    full, left = divmod(found.size, WIDTH)
    bundles: list[bytes] = []
    for index in range(len(tree.bundles) // WIDTH, -(-full // WIDTH)):
        tile = tile_of(found.size, 1, index)
        hashes = _hashes(read_tile(read, tile))
        if len(hashes) != tile.width:
            raise TlogError(f"{tile.path} has {len(hashes)} hashes, and needs {tile.width}")
        bundles += hashes[max(len(tree.bundles) - index * WIDTH, 0) :]
    entries = read_entries(read, tile_of(found.size, 0, full)) if left else ()
    return bundles, b"".join(map(leaf_hash, entries))


def _keeps_edge(tree: Tree, heard: tuple[Sequence[bytes], bytes], read: ReadFile) -> bool:
    """Whether the bundle that was not full yet begins with the leaves that were seen in it."""
    number, known = divmod(tree.size, WIDTH)
    if not known:
        return True
    bundles, edge = heard
    row = edge
    if bundles:
        row = b"".join(map(leaf_hash, read_entries(read, Tile(0, number))))
        if fold(_hashes(row)) != bundles[0]:
            raise TlogError(f"{Tile(0, number).entries_path} has not the entries that are signed")
    return row.startswith(tree.edge)


def _node(bundles: Sequence[bytes], edge: bytes) -> Node:
    """Return the function that reads the subtrees over full bundles, and over the last leaves."""

    def node(level: int, index: int) -> bytes:
        if level < HEIGHT:
            first = (index << level) - len(bundles) * WIDTH
            return fold(_hashes(edge)[first : first + (1 << level)])
        first = index << (level - HEIGHT)
        return fold(bundles[first : first + (1 << (level - HEIGHT))])

    return node


def _diagnosed(tree: Tree, opened: OpenedCheckpoint, read: ReadFile) -> AuditFinding:
    """Say why a larger signed tree does not follow from what was seen, and what its log serves.

    Raises:
        TlogError: a tile is missing or too short.
    """
    found = opened.checkpoint
    node = nodes_of(found.size, lambda tile: read_tile(read, tile))
    if root(found.size, node) != found.root:
        return damaged("its tiles do not lead to its signed head")
    if tree.size:
        head = root(tree.size, node)
        if head != tree.root(tree.size):
            path = consistency_proof(tree.size, found.size, node)
            ours, theirs = (tree.size, tree.note), (found.size, bytes(opened.note))
            return _forked(ours, theirs, head, path)
    return damaged("its tiles and bundles contradict each other")


def _forked(
    smaller: tuple[int, bytes], larger: tuple[int, bytes], head: bytes, path: Sequence[bytes]
) -> AuditFinding:
    why = (
        f"The log was signed with {smaller[0]} leaves, and with {larger[0]}, and the first"
        f" {smaller[0]} of the latter are not those of the former: the service keeps two logs."
    )
    evidence = two_checkpoints(why, (smaller[1], larger[1]), head, path)
    return AuditFinding(FORKED, None, why, evidence)


def damaged(what: str) -> AuditFinding:
    """Return the finding that files of the log do not lead to its signed head."""
    return AuditFinding(DAMAGED, None, f"The log is not whole: {what}.")


def _hashes(row: bytes) -> list[bytes]:
    return [row[at : at + HASH_BYTES] for at in range(0, len(row), HASH_BYTES)]
