"""Reads a log from where the memory ends: tree, tiles, and the chains of all ids."""

from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from service.auditing.book import Book
from service.auditing.chains import Chains
from service.auditing.findings import AuditError
from service.auditing.state import State
from service.auditing.tree import (
    BundleFiles,
    Tree,
    at_of,
    check_tiles,
    damaged,
    files_of_log,
    go_on,
)
from service.tlog.checkpoints import OpenedCheckpoint
from service.tlog.errors import TlogError
from service.tlog.merkle import leaf_hash
from service.tlog.reading import ReadFile
from service.tlog.tiles import WIDTH, tile_of

_AT_ONCE = 64
"""Number of bundles that are remembered together."""


class LogStatus(NamedTuple):
    """What is true now: the size of the tree, how many of its leaves are new, and its time.

    ``is_older`` says that the log shows an older state than before; then nothing was read. ``at``
    is in seconds since 1970, None if the checkpoint does not say.
    """

    size: int
    new: int
    at: int | None
    is_older: bool


def follow_log(
    state: State,
    opened: OpenedCheckpoint,
    read: ReadFile,
    book: Book,
    progress: Callable[[int], None],
) -> LogStatus:
    """Read everything up to a checkpoint; what is wrong goes into ``book``.

    ``progress`` is told the number of leaves that were read. The memory grows as it reads, so a
    process that was killed goes on where it was.

    Raises:
        AuditError: the log is forked, went back or is not whole, so that it cannot be followed.
        OSError: evidence cannot be written.
    """
    tree = Tree(state)
    if not go_on(tree, opened, read):
        return LogStatus(tree.size, 0, at_of(opened), is_older=True)
    before = done = int(state.known("read", 0))
    for wrong in check_tiles(tree, int(state.known("tiles", 0)), read):
        book.note(damaged(wrong), lasting=True)
    state.know(tiles=tree.size)
    chains = Chains(state, tree)
    files = files_of_log(tree, read, done // WIDTH)
    while page := [*islice(files, _AT_ONCE)]:
        with state.writing():
            for one in page:
                _take(tree, chains, book, one, done)
            done = min((page[-1].number + 1) * WIDTH, tree.size)
            state.know(read=done)
        progress(done)
    return LogStatus(tree.size, done - before, at_of(opened), is_older=False)


def _take(tree: Tree, chains: Chains, book: Book, files: BundleFiles, done: int) -> None:
    """Take the entries of a bundle, of which those before number ``done`` are known."""
    number, entries, tile = files
    row = b"".join(map(leaf_hash, entries))
    try:
        tree.take(number, row)
    except TlogError as error:
        raise AuditError(damaged(str(error))) from None
    if tile != row:
        path = tile_of(tree.size, 0, number).path
        book.note(damaged(f"{path} does not follow from the entries"), lasting=True)
    first = max(done, number * WIDTH)
    for finding in chains.take(first, entries[first - number * WIDTH :]):
        book.note(finding, lasting=True)
